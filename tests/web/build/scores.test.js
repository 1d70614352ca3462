/** The lines that the card of a score writes and reads, without a page. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { fieldId } from "../../../web/deniable_web/static/build/paths.js";
import { ITEM_LINES, LEVEL_LINES, followBands } from "../../../web/deniable_web/static/build/score_lines.js";
import { addLanguage, removeLanguage } from "../../../web/deniable_web/static/build/translations.js";

test("answers stay in the order in which they were written", () => {
  for (const lines of [["10 = 0", "5 = 1", "never = 2"], ["0 = 3", "1 = 2"], ["never = 0", "10 = 1"]]) {
    const read = LEVEL_LINES.read(lines);
    const order = Array.isArray(read) ? read.map(({ id }) => id) : Object.keys(/** @type {object} */ (read));
    assert.deepEqual(order, lines.map((line) => line.split(" = ")[0]));
    assert.deepEqual(LEVEL_LINES.write(read), lines);
  }
  assert.deepEqual(LEVEL_LINES.read(["never = 0", "some, days = 1,5"]), { never: 0, "some, days": 1.5 });
  assert.deepEqual(LEVEL_LINES.read(["10 = 0", "5"]), [{ id: "10", points: 0 }, { id: "5", points: "" }]);
});

test("an answer that is written twice is there twice, for the server to refuse", () => {
  assert.deepEqual(LEVEL_LINES.read(["a = 0", "a = 1"]), [{ id: "a", points: 0 }, { id: "a", points: 1 }]);
});

test("levels with texts of their own have no lines", () => {
  assert.equal(LEVEL_LINES.write([{ id: "0", text: "never", points: 0 }]), null);
  assert.deepEqual(LEVEL_LINES.write(undefined), []);
});

test("a pasted list keeps the reversed places of the list that it replaces", () => {
  const before = ["a", "b (R)", "c"];
  assert.deepEqual(ITEM_LINES.pasted?.(before, ["x", "y", "z"]), ["x", "y (R)", "z"]);
  assert.deepEqual(ITEM_LINES.pasted?.(before, ["x (R)", "y", "z"]), ["x (R)", "y", "z"]);
  assert.deepEqual(ITEM_LINES.pasted?.(before, ["x", "y"]), ["x", "y"]);
});

test("the text of a band follows its name", () => {
  assert.deepEqual(followBands({ a: "A", b: "B" }, ["a", "b"], ["a", "c"]), { a: "A", b: undefined, c: "B" });
  assert.deepEqual(followBands({ a: "A", b: "B" }, ["a", "b"], ["a"]), { a: "A", b: "B" });
  assert.deepEqual(followBands({ a: "A" }, ["a"], ["a", "b"]), { a: "A" });
});

test("bands in any script have fields of their own", () => {
  const ids = ["低", "高", "a b", "a-b"].map((band) => fieldId(["texts", band]));
  assert.equal(new Set(ids).size, 4);
  for (const id of ids) assert.match(id, /^[\w-]+$/);
});

test("feedback is in the languages of the survey", () => {
  const feedback = { texts: { high: "Talk." }, links: [{ text: "Help", url: "https://help.example" }] };
  const survey = { title: "T", questions: [{ id: "mood", type: "score", text: "?", feedback }] };
  const document = structuredClone(survey);
  addLanguage(document, "en", "de");
  assert.deepEqual(document.questions[0]?.feedback, {
    texts: { high: { en: "Talk.", de: "" } }, links: [{ text: { en: "Help", de: "" }, url: "https://help.example" }],
  });
  removeLanguage(document, "de");
  assert.deepEqual(document, survey);
});

test("a number in a line is read as everybody reads it", () => {
  assert.deepEqual(LEVEL_LINES.read(["a = 1,5", "b = 1.234.567", "c = ٢"]), { a: 1.5, b: 1234567, c: 2 });
  assert.deepEqual(LEVEL_LINES.read(["a = 2.000"]), { a: "2.000 ?" });
});
