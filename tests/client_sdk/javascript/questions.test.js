/** What each kind of question takes, and what it refuses without telling it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import * as canonical from "../../../client_sdk/javascript/src/canonical.js";
import { openSurvey } from "../../../client_sdk/javascript/src/index.js";
import { formatUnits, parseCanonical, parseNumber } from "../../../client_sdk/javascript/src/survey/decimals.js";
import { EVERY_TYPE, everyTypeDocument, multiple, number, open, question } from "./building.js";
import { throwsExactly } from "./throws_exactly.js";

/** @import { Question } from "../../../client_sdk/javascript/src/index.js" */

const SECRET = "an-answer-nobody-may-read";
const UNUSED = "the answer given is none of them and was not used";
const HELD = { question: "first", is: ["a"] };
const first = question("first", "choice", ["a", "b"]);
const survey = await openSurvey(canonical.encode(everyTypeDocument()));
const [smokes, brand, stress, symptoms, hours] = /** @type {Question[]} */ (survey.questions);

/**
 * The question of a survey with another one before it.
 *
 * @param {import("./building.js").Built} built
 */
async function only(built) {
  const opened = await open(undefined, [first, built]);
  return /** @type {Question} */ (opened.questions[1]);
}

test("a question says what its places are called, no answer last where it has one", () => {
  assert.deepEqual(smokes?.names, ["yes", "no", "no_answer"]);
  assert.deepEqual(brand?.names, ["red", "green", "blue", "no_answer"]);
  assert.deepEqual(stress?.names, ["1", "2", "3", "4", "5"]);
  assert.deepEqual(symptoms?.names, ["cough", "pain", "fever", "no_answer"]);
  assert.equal(hours?.names.length, 65);
  assert.deepEqual(hours?.names.slice(0, 5), ["-1.5", "-1", "-0.5", "0", "0.5"]);
  assert.deepEqual(hours?.names.slice(-2), ["30", "no_answer"]);
});

test("a question's domain has no answer unless it must be answered whenever it is asked", () => {
  const domains = survey.questions.map(({ domain }) => ({ ...domain }));
  assert.deepEqual(domains, [
    { options: 2, offersNoAnswer: true, size: 3 },
    { options: 3, offersNoAnswer: true, size: 4 },
    { options: 5, offersNoAnswer: false, size: 5 },
    { options: 4, atMost: 2 },
    { options: 64, offersNoAnswer: true, size: 65 },
  ]);
});

test("a question keeps what was published", async () => {
  assert.deepEqual(
    survey.questions.map(({ type, required, showIf }) => [type, required, showIf?.question, showIf?.is]),
    EVERY_TYPE.map(({ asked }) => [asked.type, asked.required, asked.show_if?.question, asked.show_if?.is]),
  );
  const read = await only({ ...number("age", ["0", "1", "0.001"]), asked: { ...number("age", ["0", "1", "0.001"]).asked, unit: { en: "years" } } });
  assert.deepEqual({ ...read }, {
    id: "age", type: "number", text: "What about age?", help: null, image: null, section: null, required: false, showIf: null, newPage: false, randomOrder: false, fixed: false,
    lowest: 0, highest: 10000, step: 10, unit: { en: "years" }, cells: 1001, domain: read.domain,
  });
  assert.ok(hours && "unit" in hours && hours.unit === null);
  assert.ok(symptoms && "atMost" in symptoms && symptoms.atMost === 2);
});

test("a question and all its parts cannot be changed", () => {
  for (const asked of survey.questions) {
    const parts = [asked, asked.domain, asked.names];
    if (asked.showIf) parts.push(/** @type {any} */ (asked.showIf), /** @type {any} */ (asked.showIf.is));
    if ("options" in asked) parts.push(/** @type {any} */ (asked.options), .../** @type {any} */ (asked.options));
    for (const part of parts) assert.ok(Object.isFrozen(part));
  }
  for (const block of survey.blocks) {
    for (const part of [block, block.questions, block.domain]) assert.ok(Object.isFrozen(part));
  }
});

/** @type {[Question | undefined, unknown, number | number[]][]} */
const INDEXES = [
  [smokes, true, 0],
  [smokes, false, 1],
  [smokes, "no", 1],
  [smokes, null, 2],
  [smokes, undefined, 2],
  [smokes, "no_answer", 2],
  [brand, "blue", 2],
  [brand, null, 3],
  [stress, 5, 4],
  [stress, "1", 0],
  [symptoms, [], []],
  [symptoms, ["fever", "cough"], [0, 2]],
  [symptoms, ["pain"], [1]],
  [symptoms, null, [3]],
  [symptoms, undefined, [3]],
  [symptoms, ["no_answer"], [3]],
  [symptoms, "no_answer", [3]],
  [hours, -1.5, 0],
  [hours, "-01.50000", 0],
  [hours, -0, 3],
  [hours, "-0", 3],
  [hours, "000000000000000.000000000000000", 3],
  [hours, 30, 63],
  [hours, "30.0", 63],
  [hours, "2.000", 7],
  [hours, null, 64],
  [hours, "no_answer", 64],
];

test("an answer has the place that the wire format gives it", () => {
  for (const [asked, answer, index] of INDEXES) assert.deepEqual(asked?.encode(answer), index);
});

/** @type {[import("./building.js").Built, unknown[], string][]} */
const REFUSED = [
  [question("x", "choice", ["a", "b"]), [SECRET, 0, true, ["a"], { a: 1 }], "takes one of its options: a, b, no_answer"],
  [question("x", "choice", ["a", "b"], true), [SECRET, "no_answer", ["a"]], "takes one of its options: a, b"],
  [question("x", "choice", ["a", "b"], true), [null, undefined], "is required, and takes one of its options: a, b"],
  [question("x", "choice", ["a", "b"], true, HELD), [SECRET], "takes one of its options: a, b"],
  [question("x", "yes_no", ["yes", "no"]), [1, "true", "Yes"], "takes one of its options: yes, no, no_answer"],
  [question("x", "scale", ["1", "2"]), [3, 1.5, "01", true, NaN, 1n], "takes one of its options: 1, 2, no_answer"],
  [
    multiple("x", ["a", "b", "c"], 2),
    [SECRET, "a", ["a", SECRET], ["a", "a"], ["a", "b", "c"], ["a", "no_answer"], [null], [undefined], [, "a"], [["a"]], new Set(["a"]), { 0: "a", length: 1 }, true, 0],
    "takes lists of at most 2 of its options, each once: a, b, c",
  ],
  [multiple("x", ["a", "b"], 1, true), [null, undefined], "is required, and takes lists of at most 1 of its options, each once: a, b"],
  [multiple("x", ["a", "b"], 1, true), [["no_answer"], "no_answer"], "takes lists of at most 1 of its options, each once: a, b"],
  [
    number("x", ["0", "30", "0.5"]),
    [SECRET, 30.5, -0.5, "-0.5", 0.25, "0.50001", 1e21, 1e-7, NaN, Infinity, "1e1", " 1", "1 ", "+1", "1.", ".5", "1,5", "0x1", "", "1".repeat(16), `0.${"0".repeat(16)}`, "1000000000", "１", true, [1], 1n, new Number(1)],
    "takes the numbers from 0 to 30 in steps of 0.5",
  ],
  [number("x", ["0", "4000", "1"]), ["2.000", "1.000"], "takes the numbers from 0 to 4000 in steps of 1"],
  [number("x", ["-0.001", "0.002", "0.001"], true), [null, undefined], "is required, and takes the numbers from -0.001 to 0.002 in steps of 0.001"],
  [number("x", ["-0.001", "0.002", "0.001"], true), ["no_answer", SECRET], "takes the numbers from -0.001 to 0.002 in steps of 0.001"],
];

test("an answer that does not fit its question is refused and never repeated", async () => {
  for (const [built, answers, takes] of REFUSED) {
    const asked = await only(built);
    for (const answer of answers) {
      const message = `question "x" ${takes}; ${UNUSED}`;
      await throwsExactly(() => asked.encode(answer), "InvalidAnswer", message);
    }
  }
});

test("the answers of several questions have one place for each path, the last varying fastest", async () => {
  const block = survey.block("crosstab");
  const seen = ["yes", "no", null].map((said) =>
    ["red", "green", "blue", null].map((color) =>
      block.encode(new Map(Object.entries({ smokes: said, brand: color }))),
    ),
  );
  assert.deepEqual(seen, [[0, 1, 2, -1], [-1, -1, -1, 3], [-1, -1, -1, 4]]);
  assert.deepEqual({ ...block.domain }, { options: 5, offersNoAnswer: false, size: 5 });
  assert.deepEqual(block.cells, [[0, 0], [0, 1], [0, 2], [1, 3], [2, 3]]);
  assert.throws(() => block.mechanism.domain.check(/** @type {any} */ (-1)), { name: "InvalidAnswer" });
});

test("a decimal text is read to its unit and written back the same", () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 13 - 1), max: 10 ** 13 - 1 }), (units) => {
      const text = formatUnits(units);
      assert.equal(parseCanonical(text), units + 0);
      assert.equal(parseNumber(`${text}${text.includes(".") ? "" : "."}00`), units + 0);
      assert.equal(parseNumber(Number(text)), units + 0);
    }),
  );
  for (const text of ["-0", "00", "01", "1.0", "1.", ".5", "+1", "1e1", " 1", "1\n", "1234567890", "0.12345", "", 1, null, ["1"]]) {
    assert.ok(Number.isNaN(parseCanonical(text)), String(text));
  }
});

test("every number of every grid has its own place, and its name leads there", () => {
  const grid = fc.record({
    lowest: fc.integer({ min: -(10 ** 9), max: 10 ** 9 }),
    step: fc.integer({ min: 1, max: 10 ** 7 }),
    steps: fc.integer({ min: 1, max: 40 }),
  });
  return fc.assert(
    fc.asyncProperty(grid, async ({ lowest, step, steps }) => {
      const texts = [lowest, lowest + steps * step, step].map(formatUnits);
      const asked = await only(number("x", /** @type {[string, string, string]} */ (texts)));
      assert.equal(asked.names.length, steps + 2);
      assert.deepEqual(
        asked.names.map((name) => asked.encode(name)),
        [...asked.names.keys()],
      );
    }),
    { numRuns: 100 },
  );
});
