/** The builder's rule for closing early, without a page. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { changeType, deleteQuestions, renameQuestion } from "../../../web/deniable_web/static/builder/edits.js";
import { putAt, valueAt } from "../../../web/deniable_web/static/builder/paths.js";
import {
  changeStopWhen, hasShares, inPoints, offeredQuestions, ruledQuestions,
} from "../../../web/deniable_web/static/builder/stop_rule.js";

/** @import { Definition, Path } from "../../../web/deniable_web/static/builder/paths.js" */

/** @returns {Definition} */
function sample() {
  return {
    stop_when: { margin: 0.03, questions: ["a", "c"] },
    questions: [
      { id: "a", type: "yes_no" },
      { id: "b", type: "scale", levels: 5, target: "mean" },
      { id: "c", type: "multiple", options: ["x", "y"] },
      { id: "d", type: "number", min: 0, max: 9 },
      { id: "e", type: "score", items: ["x"], cutoffs: { low: 0, high: 3 } },
      { id: "f", type: "score", items: ["x"] },
      { id: "g", type: "choice", options: ["x", "y"], reported: false },
      { id: "h", type: "scale", levels: 5, mechanism: "piecewise" },
      { id: "i", type: "choice", options: ["x", "y"], target: "shares" },
    ],
  };
}

test("the questions on offer are those whose results have shares", () => {
  const document = sample();
  const found = document.questions.filter(hasShares);
  assert.deepEqual(found.map((/** @type {Definition} */ { id }) => id), ["a", "c", "e", "i"]);
  assert.deepEqual(offeredQuestions(document).map(({ id }) => id), ["a", "c", "e", "i"]);
  // What a file names by mistake can be seen, and taken out.
  document.stop_when.questions = ["d", "a"];
  assert.deepEqual(offeredQuestions(document).map(({ id }) => id), ["a", "c", "d", "e", "i"]);
});

test("a rule begins with all questions, and is removed whole", () => {
  const document = sample();
  changeStopWhen(document, false);
  assert.equal("stop_when" in document, false);
  changeStopWhen(document, true);
  assert.deepEqual(document.stop_when, { margin: 0.03 });
  assert.equal(ruledQuestions(document), undefined);
});

test("what is no list of questions means all of them, as long as nobody chooses", () => {
  for (const stop_when of [undefined, 3, null, {}, { questions: "a" }]) {
    assert.equal(ruledQuestions({ questions: [], stop_when }), undefined);
  }
});

test("the rule follows a question that is renamed, and forgets one that is deleted", () => {
  const document = sample();
  renameQuestion(document, 0, "first");
  assert.deepEqual(ruledQuestions(document), ["first", "c"]);
  deleteQuestions(document, [2]);
  assert.deepEqual(ruledQuestions(document), ["first"]);
  // Of another type it stays, and the author is told.
  changeType(document, 0, "number");
  assert.deepEqual(ruledQuestions(document), ["first"]);
  deleteQuestions(document, [0]);
  assert.deepEqual(document.stop_when, { margin: 0.03, questions: [] });
});

test("margins are shown in points, and written exactly", () => {
  const document = sample();
  const points = inPoints({
    document,
    at: (/** @type {Path} */ path) => valueAt(document, path),
    set: (/** @type {Path} */ path, /** @type {unknown} */ value) => putAt(document, path, value),
  });
  const path = ["stop_when", "margin"];
  for (let hundredths = 1; hundredths < 5_000; hundredths += 1) {
    const shown = Number(`${hundredths}e-2`);
    points.set(path, shown);
    assert.equal(document.stop_when.margin, Number(`${hundredths}e-4`));
    assert.equal(points.at(path), shown);
  }
  points.set(path, 2.555);
  assert.equal(document.stop_when.margin, 0.02555);
  points.set(path, "three");
  assert.equal(points.at(path), "three");
  points.set(path, undefined);
  assert.deepEqual(document.stop_when, { margin: "", questions: ["a", "c"] });
});
