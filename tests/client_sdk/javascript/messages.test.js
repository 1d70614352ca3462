/** Every error line of everything but surveys, read. */

import assert from "node:assert/strict";
import { test } from "node:test";

import * as canonical from "../../../client_sdk/javascript/src/canonical.js";
import {
  checkReport,
  readReport,
  reportFromDocument,
} from "../../../client_sdk/javascript/src/check.js";
import { drawBlocks, openSurvey, randomize } from "../../../client_sdk/javascript/src/index.js";
import { Subset } from "../../../client_sdk/javascript/src/mechanisms/subset.js";
import { checkValue } from "../../../client_sdk/javascript/src/mechanisms/values.js";
import { RandomIntegers, systemBytes } from "../../../client_sdk/javascript/src/randomness.js";
import { open, question } from "./building.js";
import { throwsExactly } from "./throws_exactly.js";

const SECRET = "an-answer-nobody-may-read";
const survey = await open();

test("wrong use of openSurvey is answered with what is allowed", async () => {
  await throwsExactly(
    () => openSurvey(survey.document, /** @type {any} */ ({ epsilon_cap: 1 })),
    "TypeError",
    'unknown key "epsilon_cap"; allowed are digest, epsilonCap',
  );
  await throwsExactly(
    () => openSurvey(survey.document, { epsilonCap: 0 }),
    "RangeError",
    'got "0"; allowed is a decimal text like "0.5", from 0.01 to 10, ' +
      "with at most 30 decimals",
  );
  await throwsExactly(
    () => openSurvey(/** @type {any} */ ("{}")),
    "TypeError",
    "got a text; allowed is a Uint8Array or ArrayBuffer",
  );
});

test("wrong use of an opened survey is answered with what is allowed", async () => {
  await throwsExactly(
    () => survey.block("x"),
    "RangeError",
    'got the block "x"; allowed are: asthma',
  );
  await throwsExactly(
    () => randomize(/** @type {any} */ ({ blocks: [] }), {}),
    "TypeError",
    "got an object; allowed is a survey from openSurvey",
  );
  for (const blocks of [[], ["x"], ["asthma", "asthma"]]) {
    await throwsExactly(
      () => randomize(survey, {}, blocks),
      "RangeError",
      `got ${blocks.length} blocks; allowed are exactly 1 of: asthma; ` +
        "draw them with drawBlocks",
    );
  }
  for (const bound of [0, 1.5, 2 ** 48 + 1]) {
    await throwsExactly(
      () => new RandomIntegers().below(bound),
      "RangeError",
      `got the bound ${bound}; allowed are 1 to ${2 ** 48}`,
    );
  }
});

test("an answer that does not fit is refused and never repeated", async () => {
  const takes = "takes one of its options: yes, no";
  const unused = "the answer given is none of them and was not used";
  for (const answer of [SECRET, 1, [SECRET], { [SECRET]: true }, Symbol(SECRET), 1n]) {
    await throwsExactly(
      () => randomize(survey, { asthma: /** @type {any} */ (answer) }),
      "InvalidAnswer",
      `question "asthma" ${takes}, no_answer; ${unused}`,
    );
  }
  const required = await open((document) => {
    document.questions[0].required = true;
    document.privacy.blocks[0].mechanism.domain_size = 2;
  });
  await throwsExactly(
    () => randomize(required, {}),
    "InvalidAnswer",
    `question "asthma" is required, and ${takes}; ${unused}`,
  );
  await throwsExactly(
    () => randomize(survey, { [SECRET]: SECRET }),
    "InvalidAnswer",
    "got answers to 1 unknown questions; allowed are asthma",
  );
});

test("answers that are no plain object or Map are refused by their kind", async () => {
  /** @type {[any, string][]} */
  const noAnswers = [
    [[SECRET], "a list"],
    [SECRET, "a text"],
    [undefined, "nothing"],
    [null, "null"],
    [true, "true or false"],
    [1.5, "a number with decimals"],
    [new Set([SECRET]), "something that is not JSON"],
  ];
  for (const [answers, found] of noAnswers) {
    await throwsExactly(
      () => randomize(survey, answers),
      "InvalidAnswer",
      `got ${found}; allowed is a Map or a plain object`,
    );
  }
});

const LEGAL = {
  format: "deniable-report/1",
  survey: survey.digest,
  report: "0f".repeat(16),
  values: { asthma: 1 },
};
const KEYS =
  "a report has the keys format, report, survey, values and no others, " +
  "and its format is deniable-report/1";
const BLOCKS = "blocks; allowed are exactly 1 of: asthma";

/** @type {[any, string][]} */
const REPORTS = [
  [SECRET, "got a text; a report is an object"],
  [{ ...LEGAL, [SECRET]: 1 }, KEYS],
  [{ ...LEGAL, format: SECRET }, KEYS],
  [{ ...LEGAL, survey: SECRET }, "survey: allowed is a digest of 64 lower-case hex digits"],
  [{ ...LEGAL, report: SECRET }, "report: allowed is an id of 32 lower-case hex digits"],
  [{ ...LEGAL, values: SECRET }, "values: got a text; allowed is an object"],
  [{ ...LEGAL, survey: "0".repeat(64) }, `survey: the report is for another survey than ${survey.digest}`],
  [{ ...LEGAL, values: {} }, `values: got 0 ${BLOCKS}`],
  [{ ...LEGAL, values: { [SECRET]: 1 } }, `values: got 1 ${BLOCKS}`],
  [{ ...LEGAL, values: { asthma: SECRET } }, "values.asthma: got a text that is no output; allowed is a whole number from 0 to 2"],
  [{ ...LEGAL, values: { asthma: 3 } }, "values.asthma: got a whole number that is no output; allowed is a whole number from 0 to 2"],
];

test("a report that is not legal is refused and its values are never repeated", async () => {
  for (const [report, message] of REPORTS) {
    const check = () => checkReport(reportFromDocument(report), survey);
    await throwsExactly(check, "InvalidReport", message);
  }
  await throwsExactly(
    () => readReport(new TextEncoder().encode(`{"${SECRET}"`)),
    "InvalidReport",
    "not a report: not JSON",
  );
});

test("a refusal names five blocks of a long survey and no more", async () => {
  for (const [count, named] of /** @type {[number, string][]} */ ([
    [5, "q0, q1, q2, q3, q4"],
    [6, "q0, q1, q2, q3, q4, ..."],
  ])) {
    const questions = Array.from({ length: count }, (_, n) => question(`q${n}`, "yes_no", ["yes", "no"]));
    const long = await open(undefined, questions);
    const report = reportFromDocument({ ...LEGAL, survey: long.digest, values: {} });
    let message = "";
    try {
      checkReport(report, long);
    } catch (error) {
      message = /** @type {Error} */ (error).message;
    }
    assert.equal(message, `values: got 0 blocks; allowed are exactly 1 of: ${named}`);
  }
});

test("a value that a subset cannot give is refused by its kind", async () => {
  const subset = new Subset(5, 2, { high: 3, low: 1 });
  /** @type {[any, string][]} */
  const values = [
    [SECRET, "got a text; allowed is a list of 2 options"],
    [[1], "got a list; allowed is a list of 2 options"],
    [[0, SECRET], "got a list with a member that is no option; allowed are whole numbers from 0 to 4"],
    [[3, 2], "got a list that is not strictly ascending"],
  ];
  for (const [value, message] of values) {
    await throwsExactly(() => checkValue(subset, value), "Error", message);
  }
});

const WITHIN = ", within 2^53 and no -0";

test("what has no canonical form is refused by its kind", async () => {
  /** @type {[any, string][]} */
  const values = [
    [1.5, `got a number with decimals; only JSON without decimals is allowed${WITHIN}`],
    [NaN, `got a number with decimals; only JSON without decimals is allowed${WITHIN}`],
    [[, 1], `got nothing; only JSON without decimals is allowed${WITHIN}`],
    [new Date(), `got something that is not JSON; only JSON without decimals is allowed${WITHIN}`],
    [1n, `got something that is not JSON; only JSON without decimals is allowed${WITHIN}`],
    [2 ** 53, `got a whole number; only JSON without decimals is allowed${WITHIN}`],
    [-0, `got a whole number; only JSON without decimals is allowed${WITHIN}`],
    ["\ud800", "got a text with half a surrogate pair"],
    [{ é: 1 }, "got a key that is not plain ASCII text"],
    [JSON.parse("[".repeat(33) + "]".repeat(33)), "nested deeper than 32 levels"],
  ];
  for (const [value, message] of values) {
    await throwsExactly(() => canonical.encode(value), "Error", message);
  }
  /** @type {[string, string][]} */
  const texts = [
    ["[1, 2]", "not canonical JSON"],
    ["1.0", "got a number with decimals; only JSON without decimals is allowed"],
    [SECRET, "not JSON"],
  ];
  for (const [text, message] of texts) {
    await throwsExactly(() => canonical.decode(new TextEncoder().encode(text)), "Error", message);
  }
  await throwsExactly(() => canonical.decode(Uint8Array.of(255)), "Error", "the bytes are not UTF-8");
});

test("a source that gives anything but the bytes asked for stops the report", async () => {
  const nothing = "nothing was randomized, try again";
  /** @type {[any, string][]} */
  const drawn = [
    [new Uint8Array(3), "3"],
    [new Uint8Array(99), "99"],
    [Array(28).fill(1), "no Uint8Array"],
    [new Int8Array(28), "no Uint8Array"],
    [undefined, "no Uint8Array"],
  ];
  for (const [bytes, got] of drawn) {
    await throwsExactly(
      () => randomize(survey, {}, null, () => bytes),
      "RandomnessUnavailable",
      `asked for 28 random bytes and got ${got}; ${nothing}`,
    );
  }
});

test("a page without cryptography is told what is missing", async (context) => {
  const { document } = survey;
  context.after(() => Object.defineProperty(globalThis, "crypto", before));
  const before = /** @type {PropertyDescriptor} */ (
    Object.getOwnPropertyDescriptor(globalThis, "crypto")
  );
  Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });
  await throwsExactly(
    () => openSurvey(document),
    "InsecureContext",
    "got no crypto.subtle; serve the page over HTTPS",
  );
  await throwsExactly(
    () => systemBytes(1),
    "RandomnessUnavailable",
    "got no crypto.getRandomValues; use a newer browser",
  );
  assert.deepEqual(drawBlocks(survey), ["asthma"]);
});
