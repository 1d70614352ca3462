/** Properties of surveys of every type and their reports, by generated examples. */

import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import * as canonical from "../../../client_sdk/javascript/src/canonical.js";
import { checkReport, readReport } from "../../../client_sdk/javascript/src/check.js";
import {
  DeniableError,
  InvalidAnswer,
  InvalidSurvey,
  drawBlocks,
  openSurvey,
  questionsToShow,
  randomize,
  reachedQuestions,
} from "../../../client_sdk/javascript/src/index.js";
import { formatUnits } from "../../../client_sdk/javascript/src/survey/decimals.js";
import { everyTypeDocument, multiple, number, pathCount, question, surveyDocument } from "./building.js";
import { seededBytes } from "./seeded_bytes.js";

/** @import { Built } from "./building.js" */
/** @import { PublishedSurvey, Question } from "../../../client_sdk/javascript/src/index.js" */

fc.configureGlobal({ seed: 1965, numRuns: 300 });

const shape = fc.record({
  type: fc.constantFrom("yes_no", "choice", "scale", "multiple", "number"),
  required: fc.boolean(),
  count: fc.integer({ min: 2, max: 6 }),
  atMost: fc.integer({ min: 1, max: 6 }),
  lowest: fc.integer({ min: -(10 ** 7), max: 10 ** 7 }),
  step: fc.integer({ min: 1, max: 10 ** 6 }),
  router: fc.option(fc.nat(4)),
  picked: fc.nat(63),
});

/**
 * The questions of these shapes, each reached from an earlier one if it can be.
 *
 * @param {readonly any[]} shapes
 */
function build(shapes) {
  /** @type {Built[]} */
  const questions = [];
  for (const { type, required, count, atMost, lowest, step, router, picked } of shapes) {
    const id = `q${questions.length}`;
    const options = questions[router ?? 5]?.asked.options ?? [];
    const is = options.map((/** @type {any} */ option) => option.id)
      .filter((/** @type {any} */ _, /** @type {number} */ place) => (picked >> place) % 2 === 1);
    const rule = is.length > 0 ? { question: `q${router}`, is } : undefined;
    const ids = type === "yes_no" ? ["yes", "no"] : Array.from({ length: count }, (_, place) => `${place}`);
    const texts = [lowest, lowest + count * step, step].map(formatUnits);
    if (type === "multiple") questions.push(multiple(id, ids, Math.min(atMost, count), required, rule));
    else if (type === "number") questions.push(number(id, /** @type {any} */ (texts), required, rule));
    else questions.push(question(id, type, ids, required, rule));
  }
  return questions;
}

const documents = fc.array(shape, { minLength: 1, maxLength: 5 }).map((shapes) => {
  const questions = build(shapes);
  const document = surveyDocument(questions);
  const closed = questions.filter(({ asked }) => !["multiple", "number"].includes(asked.type));
  if (closed.length > 1) {
    const ids = closed.slice(0, 3).map(({ asked }) => asked.id);
    const size = pathCount(closed.slice(0, 3));
    const [{ block } = /** @type {any} */ (null)] = closed;
    document.privacy.blocks.push({ id: "joint", questions: ids, mechanism: { ...block.mechanism, domain_size: size } });
  }
  return document;
});

/**
 * An answer that fits a question, or no answer.
 *
 * @param {Question} asked
 * @param {number} seed
 */
function fitting(asked, seed) {
  if (seed % 5 === 0 && !asked.required) return null;
  const names = asked.names.filter((name) => name !== "no_answer");
  if (!("atMost" in asked)) return names[seed % names.length];
  return names.filter((_, place) => (seed >> place) % 2 === 1).slice(0, asked.atMost);
}

/**
 * @param {PublishedSurvey} survey
 * @param {readonly number[]} seeds
 */
const answersTo = (survey, seeds) =>
  new Map(survey.questions.map((asked, place) => [asked.id, fitting(asked, seeds[place] ?? 1)]));

const seeds = fc.array(fc.nat(1000), { minLength: 5, maxLength: 5 });

test("every survey of legal questions opens, keeps its bytes and says what it asks", () =>
  fc.assert(
    fc.asyncProperty(documents, async (document) => {
      const bytes = canonical.encode(document);
      const survey = await openSurvey(bytes);
      assert.deepEqual(survey.document, bytes);
      assert.deepEqual(survey.questions.map(({ id }) => id), document.questions.map((/** @type {any} */ { id }) => id));
      for (const { domain, names } of survey.questions) {
        assert.equal(names.length, "size" in domain ? domain.size : domain.options);
      }
    }),
  ));

test("answers that fit give a legal report, which says nothing that was not reached", () =>
  fc.assert(
    fc.asyncProperty(documents, seeds, fc.nat(), async (document, given, seed) => {
      const survey = await openSurvey(canonical.encode(document));
      const answers = answersTo(survey, given);
      const blocks = drawBlocks(survey, seededBytes(seed));
      const report = randomize(survey, answers, blocks, seededBytes(seed));
      checkReport(readReport(report.toBytes()), survey);
      const shown = new Set(questionsToShow(survey, blocks).map(({ id }) => id));
      const reached = reachedQuestions(survey, answers);
      const said = [...answers].filter(([id]) => reached.has(id) && shown.has(id));
      assert.deepEqual(
        randomize(survey, new Map(said), blocks, seededBytes(seed)).toBytes(),
        report.toBytes(),
      );
    }),
  ));

test("a question is reached exactly if each rule on the way to it holds", () =>
  fc.assert(
    fc.asyncProperty(documents, seeds, async (document, given) => {
      const survey = await openSurvey(canonical.encode(document));
      const answers = answersTo(survey, given);
      /** @param {any} asked @returns {boolean} */
      const leads = ({ show_if: rule }) =>
        rule === undefined ||
        (rule.is.some((/** @type {any} */ id) => [answers.get(rule.question)].flat().includes(id)) &&
          leads(document.questions.find((/** @type {any} */ { id }) => id === rule.question)));
      const expected = document.questions.filter(leads).map((/** @type {any} */ { id }) => id);
      assert.deepEqual([...reachedQuestions(survey, answers)], expected);
    }),
  ));

const legal = everyTypeDocument();
const text = canonical.encode(legal);
const junk = fc.oneof(
  fc.constantFrom(null, true, "", "no_answer", "yes", "0", "-1.5", "0.5", "1e9", 0, 1, 2, 65, -1, [], {}),
  fc.constantFrom("number", "multiple", "scale", "smokes", "hours", ["yes"], ["smokes", "brand"], [[]]),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value, (_, part) => (typeof part === "number" ? Math.trunc(part) % 100 + 0 : part)))),
);

/**
 * Every place in a document, as the keys that lead there.
 *
 * @param {any} value
 * @param {readonly string[]} path
 * @returns {(readonly string[])[]}
 */
function places(value, path = []) {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.keys(value).flatMap((key) => places(value[key], [...path, key]))];
}

/** @param {Uint8Array} bytes */
async function isLegal(bytes) {
  try {
    await openSurvey(bytes);
    return true;
  } catch (error) {
    // A survey over its budget is an InvalidSurvey too.
    assert.ok(error instanceof InvalidSurvey, String(error));
    return false;
  }
}

test("every change of a value gives a legal survey or is refused as InvalidSurvey", async () => {
  const all = places(legal).slice(1);
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...all), fc.option(junk, { nil: undefined }), async (path, value) => {
      const document = structuredClone(legal);
      const last = path.at(-1) ?? "";
      const parent = path.slice(0, -1).reduce((inner, key) => inner[key], document);
      if (value !== undefined) parent[last] = value;
      else if (Array.isArray(parent)) parent.splice(Number(last), 1);
      else delete parent[last];
      let bytes;
      try {
        bytes = canonical.encode(document);
      } catch (error) {
        assert.ok(error instanceof canonical.NotCanonical);
        return;
      }
      if (await isLegal(bytes)) accepted += 1;
    }),
    { numRuns: 4000 },
  );
  assert.ok(accepted > 50 && accepted < 2000, `${accepted} accepted`);
});

test("every change of bytes gives a legal survey or is refused as InvalidSurvey", async () => {
  const change = fc.tuple(fc.nat(text.length - 1), fc.nat(3), fc.uint8Array({ maxLength: 3 }));
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(change, async ([start, removed, added]) => {
      const rest = text.slice(start + removed);
      if (!(await isLegal(Uint8Array.from([...text.slice(0, start), ...added, ...rest])))) refused += 1;
    }),
    { numRuns: 1500 },
  );
  assert.ok(refused > 1000, `${refused} refused`);
});

const CANARY = "an-answer-nobody-may-read";
const odd = fc.oneof(
  fc.constantFrom(CANARY, [CANARY], ["cough", CANARY], { [CANARY]: CANARY }, [CANARY, CANARY], [[CANARY]], `1${CANARY}`),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withSparseArray: true }),
);

test("any value in place of an answer is randomized or refused, and never repeated", async () => {
  const survey = await openSurvey(canonical.encode(legal));
  const required = { smokes: "yes", brand: "red", stress: "1", symptoms: ["cough"], hours: "0" };
  let refused = 0;
  fc.assert(
    fc.property(fc.constantFrom(...survey.questions), odd, fc.nat(5), ({ id }, answer, place) => {
      const block = survey.blocks[place]?.id ?? "";
      try {
        randomize(survey, { ...required, [id]: /** @type {any} */ (answer) }, [block]);
      } catch (error) {
        refused += 1;
        assert.ok(error instanceof InvalidAnswer && error instanceof DeniableError, String(error));
        assert.ok(!error.message.includes(CANARY) && error.cause === undefined);
        const seen = typeof answer === "string" && answer.length > 8 && error.message.includes(answer);
        assert.ok(!seen);
      }
    }),
    { numRuns: 4000 },
  );
  assert.ok(refused > 1000, `${refused} refused`);
});
