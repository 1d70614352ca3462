/** Numbers that authors write into the builder. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { isUnclear, numberOrText } from "../../../web/deniable_web/static/builder/numbers.js";

test("a number is read, and other texts stay for the server to report", () => {
  assert.equal(numberOrText("2,5"), 2.5);
  assert.equal(numberOrText("12'000"), 12000);
  assert.equal(numberOrText("many"), "many");
});

test("nothing takes a text that can mean two numbers for one of them", () => {
  for (const written of ["2.000", "2,000", "2.125"]) {
    const kept = numberOrText(written);
    assert.ok(Number.isNaN(Number(kept)));
    assert.ok(isUnclear(kept));
  }
  for (const value of ["2.000", "Combien ?", "20 ?", 2, null, undefined]) assert.ok(!isUnclear(value));
});
