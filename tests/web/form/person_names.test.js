/** The form of colleagues takes the names that the collector takes, in the same form. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { personName } from "../../../web/deniable_web/static/accounts/names.js";

/** @type {{ read: [string, string][], refused: string[] }} */
const CASES = JSON.parse(readFileSync(new URL("../../collector/person_names.json", import.meta.url), "utf8"));

test("people have their own names, in one form", () => {
  for (const [written, name] of CASES.read) assert.equal(personName(written), name, written);
});

test("other names are refused", () => {
  for (const written of CASES.refused) assert.equal(personName(written), null, JSON.stringify(written));
});
