/** Every line that refuses a question, a rule or a block of any kind, read. */

import { test } from "node:test";

import * as canonical from "../../../client_sdk/javascript/src/canonical.js";
import { openSurvey } from "../../../client_sdk/javascript/src/index.js";
import { SampledBits } from "../../../client_sdk/javascript/src/mechanisms/sampled_bits.js";
import { SomeOf } from "../../../client_sdk/javascript/src/mechanisms/domains.js";
import { everyTypeDocument, open, question } from "./building.js";
import { throwsExactly } from "./throws_exactly.js";

const COMMON = "id, type, text, help, image, section, required, show_if, new_page, fixed";
const DECIMAL = 'allowed is a decimal text like "0.5"';
const ROUTER = "allowed is the id of an earlier question with options";
const WHOLE = "allowed are 1 to 4999 whole ones";

/** @type {[(questions: any) => void, string][]} */
const QUESTION_EDITS = [
  [([, , scale]) => (scale.at_most = 2), `[2].at_most: unknown key; allowed are ${COMMON}, options`],
  [([, , scale]) => (scale.unit = "h"), `[2].unit: unknown key; allowed are ${COMMON}, options`],
  [([, , , several]) => (several.min = "0"), `[3].min: unknown key; allowed are ${COMMON}, options, random_order, at_most`],
  [([, , , , number]) => (number.options = []), `[4].options: unknown key; allowed are ${COMMON}, min, max, step, unit`],
  [([, , , several]) => delete several.at_most, '[3]: the key "at_most" is missing; it takes a whole number from 1 to 3'],
  [([, , , several]) => (several.at_most = 4), "[3].at_most: got 4; allowed is a whole number from 1 to 3"],
  [([, , , several]) => (several.at_most = 0), "[3].at_most: got 0; allowed is a whole number from 1 to 3"],
  [([, , , , number]) => delete number.min, '[4]: the key "min" is missing; it takes a decimal text like "0.5"'],
  [([, , , , number]) => (number.min = "01"), `[4].min: got "01"; ${DECIMAL}`],
  [([, , , , number]) => (number.max = 30), `[4].max: got 30; ${DECIMAL}`],
  [([, , , , number]) => (number.max = "1234567890"), `[4].max: got "1234567890"; ${DECIMAL}`],
  [([, , , , number]) => (number.min = "-0"), `[4].min: got "-0"; ${DECIMAL}`],
  [([, , , , number]) => (number.step = "0.50"), `[4].step: got "0.50"; ${DECIMAL}`],
  [([, , , , number]) => (number.step = "0.00001"), `[4].step: got "0.00001"; ${DECIMAL}`],
  [([, , , , number]) => (number.step = "0"), `[4].step: from min to max it is Infinity steps; ${WHOLE}`],
  [([, , , , number]) => (number.step = "-0.5"), `[4].step: from min to max it is -63 steps; ${WHOLE}`],
  [([, , , , number]) => (number.step = "0.0011"), `[4].step: from min to max it is 28636.363636363636 steps; ${WHOLE}`],
  [([, , , , number]) => (number.step = "32"), `[4].step: from min to max it is 0.984375 steps; ${WHOLE}`],
  [([, , , , number]) => (number.step = "0.0063"), `[4].step: from min to max it is 5000 steps; ${WHOLE}`],
  [([, , , , number]) => (number.max = "-1.5"), `[4].step: from min to max it is 0 steps; ${WHOLE}`],
  [([, , , , number]) => (number.max = "-3"), `[4].step: from min to max it is -3 steps; ${WHOLE}`],
  [([, , , , number]) => (number.unit = ""), '[4].unit: got ""; allowed is a text of 1 to 4000 characters without controls, or one for each language'],
  [([, brand]) => (brand.show_if = null), '[1].show_if: got null; allowed is an object'],
  [([, brand]) => (brand.show_if.x = 1), "[1].show_if.x: unknown key; allowed are question, is"],
  [([, brand]) => delete brand.show_if.question, `[1].show_if: the key "question" is missing; it takes the id of an earlier question with options`],
  [([, brand]) => (brand.show_if.question = "x"), `[1].show_if.question: got "x"; ${ROUTER}`],
  [([, brand]) => (brand.show_if.question = "brand"), `[1].show_if.question: got "brand"; ${ROUTER}`],
  [([, brand]) => (brand.show_if.question = "stress"), `[1].show_if.question: got "stress"; ${ROUTER}`],
  [([, brand]) => (brand.show_if.question = 1), `[1].show_if.question: got 1; ${ROUTER}`],
  [([, brand]) => (brand.show_if.question = { toString: 1 }), `[1].show_if.question: got {"toString":1}; ${ROUTER}`],
  [([, brand]) => (brand.show_if.is = [{ toString: 1 }]), '[1].show_if.is[0]: got {"toString":1}; allowed are: yes, no'],
  [([, brand]) => delete brand.show_if.is, '[1].show_if: the key "is" is missing; it takes a list of 1 to 999 options'],
  [([, brand]) => (brand.show_if.is = []), "[1].show_if.is: got 0 options; allowed is a list of 1 to 999 options"],
  [([, brand]) => (brand.show_if.is = "yes"), '[1].show_if.is: got "yes"; allowed is a list of 1 to 999 options'],
  [([, brand]) => (brand.show_if.is = ["yes", "x"]), '[1].show_if.is[1]: got "x"; allowed are: yes, no'],
  [([, brand]) => (brand.show_if.is = ["no_answer"]), '[1].show_if.is[0]: got "no_answer"; allowed are: yes, no'],
  [([, brand]) => (brand.show_if.is = [1]), '[1].show_if.is[0]: got 1; allowed are: yes, no'],
  [([, brand]) => (brand.show_if.is = ["no", "yes"]), "[1].show_if.is: the options are not in their order, or one is repeated"],
  [([, brand]) => (brand.show_if.is = ["no", "no"]), "[1].show_if.is: the options are not in their order, or one is repeated"],
];

const TAKES = "does not fit its questions, which take";
/** @type {Record<number, string>} */
const MISFITS = { 3: `${TAKES} {"options":4,"atMost":1}`, 4: `${TAKES} {"options":2,"offersNoAnswer":true,"size":3}` };

/**
 * The survey of every type, opened after an edit.
 *
 * @param {(document: any) => void} edit
 */
function openEdited(edit) {
  const document = everyTypeDocument();
  edit(document);
  return openSurvey(canonical.encode(document));
}

test("a question or rule of any kind that is not legal is refused with its place", async () => {
  for (const [edit, message] of QUESTION_EDITS) {
    const opening = () =>
      openEdited(({ questions, privacy }) => {
        edit(questions);
        // Which answers can occur together depends on the rule.
        if (message.includes("show_if")) privacy.blocks.pop();
      });
    // What cannot be read is taken for the least there is, which its block does not fit.
    const [, place] = /^\[(3|4)\](?:: the key|\.(?:min|max|step|at_most): (?!unknown))/.exec(message) ?? [];
    const misfit = place === undefined ? "" : `\nprivacy.blocks[${place}].mechanism: ${MISFITS[Number(place)]}`;
    await throwsExactly(opening, "InvalidSurvey", `questions${message}${misfit}`);
  }
});

test("a rule may not name a number, nor a later question", async () => {
  const after = (/** @type {any} */ document) => {
    document.questions.push({ ...document.questions[0], id: "after", show_if: { question: "hours", is: ["0"] } });
    document.privacy.blocks.push({ ...document.privacy.blocks[0], id: "after", questions: ["after"] });
  };
  await throwsExactly(
    () => openEdited(after),
    "InvalidSurvey",
    `questions[5].show_if.question: got "hours"; ${ROUTER}`,
  );
});

test("a refusal names the first five options of a long list and no more", async () => {
  for (const [count, named] of /** @type {[number, string][]} */ ([
    [5, "o0, o1, o2, o3, o4"],
    [6, "o0, o1, o2, o3, o4, ..."],
  ])) {
    const options = Array.from({ length: count }, (_, place) => `o${place}`);
    const rule = { question: "region", is: ["x"] };
    const questions = [question("region", "choice", options), question("asthma", "yes_no", ["yes", "no"], true, rule)];
    await throwsExactly(
      () => open(undefined, questions),
      "InvalidSurvey",
      `questions[1].show_if.is[0]: got "x"; allowed are: ${named}`,
    );
  }
});

const TEN = ["smokes", "brand", "stress", "symptoms", "hours", "a", "b", "c", "d", "e"];
const QUESTIONS = "allowed are known questions, each once; several are all fixed or none, and yes_no, choice or scale";
const LONG = "a".repeat(64);

/** @type {[(crosstab: any) => void, string][]} */
const BLOCK_EDITS = [
  [(block) => (block.id = LONG), `.id: got "${LONG.slice(0, 56)}...; allowed is a lower-case letter, then up to 62 letters, digits or underscores`],
  [(block) => (block.id = "_a"), '.id: got "_a"; allowed is a lower-case letter, then up to 62 letters, digits or underscores'],
  [(block) => (block.questions = ["smokes", "hours"]), `.questions: ${QUESTIONS}`],
  [(block) => (block.questions = ["symptoms", "smokes"]), `.questions: ${QUESTIONS}`],
  [(block) => (block.questions = ["brand", "stress"]), '.mechanism: does not fit its questions, which take {"options":20,"offersNoAnswer":false,"size":20}'],
  [(block) => (block.mechanism = { name: "piecewise", cells: 12, no_answer: false, steps: 1, window: 1, weights: [3, 1] }), ".mechanism: got piecewise; several questions take only subset"],
  [(block) => (block.questions = ["symptoms"]), '.mechanism: does not fit its questions, which take {"options":8,"offersNoAnswer":false,"size":8}'],
  [(block) => (block.mechanism.domain_size = 6), '.mechanism: does not fit its questions, which take {"options":5,"offersNoAnswer":false,"size":5}'],
  [(block) => (block.questions = ["brand", "brand"]), `.questions: ${QUESTIONS}`],
  [(block) => (block.questions = TEN), `.questions: got 10 question ids; allowed is a list of 1 to 9 question ids\nprivacy.blocks[5].questions: ${QUESTIONS}`],
];

test("a block that is not legal is refused with its place", async () => {
  for (const [edit, message] of BLOCK_EDITS) {
    await throwsExactly(
      () => openEdited(({ privacy }) => edit(privacy.blocks[5])),
      "InvalidSurvey",
      `privacy.blocks[5]${message}`,
    );
  }
  await throwsExactly(
    () => openEdited(({ privacy }) => (privacy.blocks[4].mechanism.no_answer = false)),
    "InvalidSurvey",
    'privacy.blocks[4].mechanism: does not fit its questions, which take {"options":64,"offersNoAnswer":true,"size":65}',
  );
});

test("no more options are sampled than ten, or than there are", async () => {
  const weights = { high: 3, low: 1 };
  /** @type {[number, number, number][]} */
  const refused = [
    [12, 11, 10],
    [12, 0, 10],
    [4, 5, 4],
  ];
  for (const [options, sampled, most] of refused) {
    await throwsExactly(
      () => new SampledBits(new SomeOf(options, 1), sampled, weights),
      "Error",
      `sampled: got ${sampled}; allowed are 1 to ${most}`,
    );
  }
  new SampledBits(new SomeOf(12, 1), 10, weights);
});
