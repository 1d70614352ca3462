/** The lines that the card of a score writes and reads, without a page. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { fieldId } from "../../../web/deniable_web/static/builder/paths.js";
import { PARTS, followBands, pastedItems, rowsInLanguage, rowsOfLines, writtenRows } from "../../../web/deniable_web/static/builder/score_lines.js";
import { addQuestions } from "../../../web/deniable_web/static/builder/edits.js";
import { addLanguage, divideTexts, languagesOf, removeLanguage } from "../../../web/deniable_web/static/builder/translations.js";

const { items, levels, cutoffs } = PARTS;
const BOTH = ["en", "de"];
const MOOD = {
  id: "mood", type: "score", text: "?",
  items: ["Tired", { text: "Slept well", reversed: true }],
  levels: { never: 0, always: 2 },
  cutoffs: { low: 0, "3\u20136": 3 },
};

/** @typedef {import("../../../web/deniable_web/static/builder/score_lines.js").Part} Part */

/** What lines in one language are as a part. @param {Part} part @param {string[]} lines */
const written = (part, lines) => part.write(writtenRows(rowsOfLines(part, [], lines, 0)), []);

/** @param {Part} part @param {any} question @param {string[]} [codes] */
const lines = (part, question, codes = []) => part.read(question, codes)?.map(part.line);

test("answers stay in the order in which they were written", () => {
  for (const typed of [["10 = 0", "5 = 1", "never = 2"], ["0 = 3", "1 = 2"], ["never = 0", "10 = 1"]]) {
    const read = /** @type {any} */ (written(levels, typed));
    const order = Array.isArray(read.levels) ? read.levels.map((/** @type {any} */ { id }) => id) : Object.keys(read.levels);
    assert.deepEqual(order, typed.map((line) => line.split(" = ")[0]));
    assert.deepEqual(lines(levels, read), typed);
  }
  assert.deepEqual(written(levels, ["never = 0", "", "some, days = 1,5"]), { levels: { never: 0, "some, days": 1.5 } });
  assert.deepEqual(written(levels, ["10 = 0", "5", "= 3"]), {
    levels: [{ id: "10", points: 0 }, { id: "5", points: "" }, { id: "", points: 3 }],
  });
});

test("a name that is written twice is there twice, for the server to refuse", () => {
  assert.deepEqual(written(levels, ["a = 0", "a = 1"]).levels, [{ id: "a", points: 0 }, { id: "a", points: 1 }]);
  const bands = written(cutoffs, ["a = 0", "a = 1"]);
  assert.deepEqual(bands, { cutoffs: ["a = 0", "a = 1"], labels: undefined });
  assert.deepEqual(lines(cutoffs, bands), ["a = 0", "a = 1"]);
});

test("a text of its own is edited, and the name stays", () => {
  const question = { levels: [{ id: "0", text: "never", points: 0 }], cutoffs: { b0: 0 }, labels: { b0: "low" } };
  assert.deepEqual([lines(levels, question), lines(cutoffs, question)], [["never = 0"], ["low = 0"]]);
  const rows = levels.read(question, []) ?? [];
  assert.deepEqual(levels.write(rowsOfLines(levels, rows, ["not once = 0"], 0), []).levels, [
    { id: "0", text: "not once", points: 0 },
  ]);
});

test("parts with other keys have no lines", () => {
  assert.equal(items.read({ items: [{ question: "stress" }, "Tired"] }, []), null);
  assert.equal(items.read({ items: ["Tired", null] }, []), null);
  assert.equal(items.read({ items: "Tired" }, []), null);
  assert.equal(levels.read({ levels: [{ id: "a", points: 0, weight: 2 }] }, []), null);
  assert.equal(levels.read({ levels: 3 }, []), null);
  assert.equal(cutoffs.read({ cutoffs: 3 }, []), null);
  assert.deepEqual([levels.read({}, []), items.read({}, []), cutoffs.read({}, [])], [[], [], []]);
});

test("a pasted list keeps the reversed places of the list that it replaces", () => {
  const before = ["a", "b (R)", "c"];
  assert.deepEqual(pastedItems(before, ["x", "y", "z"]), ["x", "y (R)", "z"]);
  assert.deepEqual(pastedItems(before, ["x (R)", "y", "z"]), ["x (R)", "y", "z"]);
  assert.deepEqual(pastedItems(before, ["x", "y"]), ["x", "y"]);
});

test("a second language has every text of a score, and can be removed again", () => {
  const document = { title: "T", questions: [structuredClone(MOOD)] };
  addLanguage(document, "en", "de");
  const [mood] = /** @type {any[]} */ (document.questions);
  assert.deepEqual(mood.items, [{ text: { en: "Tired", de: "" } }, { text: { en: "Slept well", de: "" }, reversed: true }]);
  assert.deepEqual(mood.levels[0], { id: "never", points: 0, text: { en: "never", de: "" } });
  // What has no letters is the same in all languages.
  assert.deepEqual([mood.cutoffs, mood.labels], [MOOD.cutoffs, { low: { en: "low", de: "" } }]);
  assert.deepEqual(lines(items, mood, BOTH), ["Tired", "Slept well (R)"]);
  for (const part of [items, levels, cutoffs]) {
    const rows = part.read(mood, BOTH) ?? [];
    Object.assign(mood, part.write(rowsInLanguage(rows, ["müde", "gut geschlafen (R)"], 1), BOTH));
  }
  assert.deepEqual(mood.items[1], { text: { en: "Slept well", de: "gut geschlafen" }, reversed: true });
  assert.deepEqual(mood.labels, { low: { en: "low", de: "müde" }, "3\u20136": { en: "3\u20136", de: "gut geschlafen (R)" } });
  removeLanguage(document, "de");
  assert.deepEqual(document.questions, [MOOD]);
});

test("a score that is inserted, or was in one language, gets a text for each language", () => {
  const document = { title: { en: "T", de: "T" }, questions: [structuredClone(MOOD)] };
  divideTexts(document);
  assert.deepEqual(/** @type {any} */ (document.questions[0]).items[0], { text: { en: "Tired", de: "" } });
  addQuestions(document, [{ ...MOOD, id: "other" }]);
  assert.deepEqual(/** @type {any} */ (document.questions[1]).levels[1], { id: "always", points: 2, text: { en: "always", de: "" } });
});

test("asking for the languages changes nothing", () => {
  for (const question of [
    MOOD, { ...MOOD, levels: [{ id: "10", points: 0 }, { id: "5", points: 1 }] }, { ...MOOD, labels: "x" },
    { ...MOOD, items: "x", levels: ["a"], cutoffs: ["a = 0"] }, { ...MOOD, items: [null, 3], levels: [null], cutoffs: null },
  ]) {
    const document = { title: "T", questions: [structuredClone(question)] };
    assert.deepEqual(languagesOf(document), []);
    assert.deepEqual(document.questions, [question]);
  }
});

test("lines of the first language move the words of the others", () => {
  const rows = rowsInLanguage(rowsOfLines(levels, [], ["a = 0", "b = 1", "c = 2"], 2), ["A", "B", "C"], 1);
  const german = (/** @type {string[]} */ typed) => rowsOfLines(levels, rows, typed, 2).map(({ words }) => words[1]);
  assert.deepEqual(german(["a = 0", "c = 2"]), ["A", "C"]);
  assert.deepEqual(german(["a = 0", "", "b = 1", "c = 2"]), ["A", "", "B", "C"]);
  assert.deepEqual(german(["a = 0", "bee = 1", "c = 2"]), ["A", "B", "C"]);
  assert.deepEqual(german(["x = 0", "y = 1", "z = 2"]), ["A", "B", "C"]);
  assert.deepEqual(german([]), []);
  const renamed = rowsOfLines(levels, rows, ["a = 0", "bee = 1", "c = 2"], 2);
  assert.deepEqual(renamed.map(({ id }) => id), ["a", "bee", "c"]);
});

test("a line too many in another language is kept, and lacks its first one", () => {
  const rows = rowsInLanguage(rowsOfLines(items, [], ["a"], 2), ["A", "B", ""], 1);
  assert.deepEqual(items.write(writtenRows(rows), BOTH).items, [{ text: { en: "a", de: "A" } }, { text: { en: "", de: "B" } }]);
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
  assert.deepEqual(written(levels, ["a = 1,5", "b = 1.234.567", "c = ٢"]).levels, { a: 1.5, b: 1234567, c: 2 });
  assert.deepEqual(written(levels, ["a = 2.000"]).levels, { a: "2.000 ?" });
});
