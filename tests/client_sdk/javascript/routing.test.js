/** Which questions a device shows, and what it randomizes where none was reached. */

import assert from "node:assert/strict";
import { test } from "node:test";

import * as canonical from "../../../client_sdk/javascript/src/canonical.js";
import {
  openSurvey,
  questionsToShow,
  randomize,
  reachedQuestions,
} from "../../../client_sdk/javascript/src/index.js";
import { everyTypeDocument, multiple, number, open, question } from "./building.js";
import { Tape } from "./tape.js";
import { throwsExactly } from "./throws_exactly.js";

/** @import { PublishedSurvey } from "../../../client_sdk/javascript/src/index.js" */

const SECRET = "an-answer-nobody-may-read";
const UNUSED = "the answer given is none of them and was not used";
const survey = await openSurvey(canonical.encode(everyTypeDocument()));
const all = survey.questions.map(({ id }) => id);

/**
 * What a device reports if all bytes are 0, which keeps the answer.
 *
 * @param {any} answers
 * @param {string} block
 * @param {PublishedSurvey} [of]
 */
function reported(answers, block, of = survey) {
  return randomize(of, answers, [block], (count) => new Uint8Array(count)).values[block];
}

test("a question is reached through every question before it that leads there", () => {
  /** @type {[any, string[]][]} */
  const cases = [
    [{}, ["smokes", "stress"]],
    [{ smokes: "no" }, ["smokes", "stress"]],
    [{ smokes: null, symptoms: ["cough"] }, ["smokes", "stress"]],
    [{ smokes: "no_answer" }, ["smokes", "stress"]],
    [{ smokes: true }, ["smokes", "brand", "stress", "symptoms"]],
    [{ smokes: "yes", symptoms: [] }, ["smokes", "brand", "stress", "symptoms"]],
    [{ smokes: "yes", symptoms: ["no_answer"] }, ["smokes", "brand", "stress", "symptoms"]],
    [{ smokes: "yes", symptoms: ["fever"] }, ["smokes", "brand", "stress", "symptoms"]],
    [{ smokes: "yes", symptoms: ["fever", "cough"] }, all],
  ];
  for (const [answers, reached] of cases) {
    assert.deepEqual(reachedQuestions(survey, answers), new Set(reached));
    assert.deepEqual(reachedQuestions(survey, new Map(Object.entries(answers))), new Set(reached));
  }
});

test("a device shows the questions of its blocks and those that lead to them, in order", () => {
  const shown = (/** @type {string[]} */ ...blocks) =>
    questionsToShow(survey, blocks).map(({ id }) => id);
  assert.deepEqual(shown(), []);
  assert.deepEqual(shown("stress"), ["stress"]);
  assert.deepEqual(shown("brand"), ["smokes", "brand"]);
  assert.deepEqual(shown("crosstab"), ["smokes", "brand"]);
  assert.deepEqual(shown("hours"), ["smokes", "symptoms", "hours"]);
  assert.deepEqual(shown("hours", "crosstab", "stress"), all);
  assert.ok(Object.isFrozen(questionsToShow(survey, ["hours"])));
});

test("a block or question that the survey does not have is refused", async () => {
  await throwsExactly(
    () => questionsToShow(survey, ["x"]),
    "RangeError",
    'got the block "x"; allowed are: smokes, brand, stress, symptoms, hours, crosstab',
  );
  await throwsExactly(
    () => reachedQuestions(survey, { [SECRET]: SECRET }),
    "InvalidAnswer",
    `got answers to 1 unknown questions; allowed are ${all.join(", ")}`,
  );
  await throwsExactly(
    () => reachedQuestions(survey, /** @type {any} */ ([SECRET])),
    "InvalidAnswer",
    "got a list; allowed is a Map or a plain object",
  );
});

test("the answer to a question that was not reached is no answer, whatever was given", () => {
  assert.equal(reported({ smokes: "no", brand: "red" }, "brand"), 3);
  assert.equal(reported({ smokes: "no", brand: SECRET }, "brand"), 3);
  assert.equal(reported({ smokes: "yes", brand: "red" }, "brand"), 0);
  assert.deepEqual(reported({ smokes: "no", brand: "red" }, "crosstab"), [0, 3]);
  assert.deepEqual(reported({ smokes: "yes", brand: "blue" }, "crosstab"), [0, 2]);
  const given = { smokes: "no", symptoms: ["cough"], hours: 3 };
  const bytes = [given, { ...given, hours: SECRET }, { ...given, symptoms: SECRET }, {}].map((answers) => {
    const tape = new Tape(Uint8Array.from({ length: 28 }, (_, place) => place));
    const report = randomize(survey, answers, ["hours"], tape.read);
    tape.assertAllRead();
    return report.toBytes();
  });
  for (const other of bytes) assert.deepEqual(other, bytes[0]);
});

/** @type {[any, string, string][]} */
const REFUSED = [
  [{ smokes: true }, "brand", `question "brand" is required, and takes one of its options: red, green, blue; ${UNUSED}`],
  [{ smokes: true, brand: null }, "crosstab", `question "brand" is required, and takes one of its options: red, green, blue; ${UNUSED}`],
  [{ smokes: true, brand: "no_answer" }, "brand", `question "brand" is required, and takes one of its options: red, green, blue; ${UNUSED}`],
  [{ smokes: true, brand: SECRET }, "brand", `question "brand" takes one of its options: red, green, blue; ${UNUSED}`],
  [{ smokes: SECRET, brand: "red" }, "brand", `question "smokes" takes one of its options: yes, no, no_answer; ${UNUSED}`],
  [{ smokes: SECRET }, "hours", `question "smokes" takes one of its options: yes, no, no_answer; ${UNUSED}`],
  [{ smokes: true, symptoms: [SECRET] }, "hours", `question "symptoms" takes lists of at most 2 of its options, each once: cough, pain, fever; ${UNUSED}`],
  [{ smokes: true, symptoms: ["cough"] }, "hours", `question "hours" is required, and takes the numbers from -1.5 to 30 in steps of 0.5; ${UNUSED}`],
  [{ smokes: true, symptoms: ["cough"], hours: "no_answer" }, "hours", `question "hours" is required, and takes the numbers from -1.5 to 30 in steps of 0.5; ${UNUSED}`],
  [{ smokes: true, symptoms: ["cough"], hours: SECRET }, "hours", `question "hours" takes the numbers from -1.5 to 30 in steps of 0.5; ${UNUSED}`],
  [{}, "stress", `question "stress" is required, and takes one of its options: 1, 2, 3, 4, 5; ${UNUSED}`],
];

test("an answer that counts is checked before anything is drawn, and never repeated", async () => {
  for (const [answers, block, message] of REFUSED) {
    const nothing = new Tape(new Uint8Array());
    const making = () => randomize(survey, answers, [block], nothing.read);
    await throwsExactly(making, "InvalidAnswer", message);
  }
});

test("a required list that was reached must have a member other than no answer", async () => {
  const leading = question("first", "yes_no", ["yes", "no"]);
  const listed = multiple("second", ["a", "b"], 2, true, { question: "first", is: ["yes"] });
  const required = await open(undefined, [leading, listed]);
  for (const answer of [null, ["no_answer"], "no_answer"]) {
    await throwsExactly(
      () => randomize(required, { first: true, second: answer }, ["second"]),
      "InvalidAnswer",
      `question "second" is required, and takes lists of at most 2 of its options, each once: a, b; ${UNUSED}`,
    );
  }
  assert.ok(randomize(required, { first: true, second: [] }, ["second"]));
  assert.ok(randomize(required, { first: false, second: null }, ["second"]));
});

test("what no drawn block asks for or depends on is ignored, and stays on the device", async () => {
  const elsewhere = { stress: 1, smokes: SECRET, brand: SECRET, symptoms: SECRET, hours: SECRET };
  const report = randomize(survey, elsewhere, ["stress"]);
  assert.deepEqual(Object.keys(report.values), ["stress"]);
  const deciding = randomize(survey, { smokes: "yes", brand: "red", stress: SECRET }, ["brand"]);
  assert.deepEqual(Object.keys(deciding.values), ["brand"]);
  const first = question("first", "yes_no", ["yes", "no"], true);
  const other = question("other", "yes_no", ["yes", "no"], true, { question: "first", is: ["yes"] });
  const last = number("last", ["0", "9", "1"]);
  const led = await open(undefined, [first, other, last]);
  assert.ok(randomize(led, { last: 3 }, ["last"]));
  // One that decides may be left open where no drawn block asks for it.
  assert.equal(reported({}, "other", led), 2);
});

test("as many bytes are read and as many blocks sent on every path", async () => {
  const whole = await openSurvey(canonical.encode(everyTypeDocument(6)));
  const paths = [
    { stress: 1 },
    { stress: 1, smokes: "no" },
    { stress: 1, smokes: "yes", brand: "red" },
    { stress: 1, smokes: "yes", brand: "blue", symptoms: ["cough"], hours: 30 },
  ];
  const counts = paths.map((answers) => {
    let count = 0;
    const report = randomize(whole, answers, null, (wanted) => {
      count += wanted;
      return new Uint8Array(wanted);
    });
    return [count, Object.keys(report.values)];
  });
  for (const other of counts) assert.deepEqual(other, counts[0]);
});
