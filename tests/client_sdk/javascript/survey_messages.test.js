/** Every line that refuses a survey, read. */

import { test } from "node:test";

import { YES_NO, open, question } from "./building.js";
import { throwsExactly } from "./throws_exactly.js";

const survey = await open();
const UNKNOWN_TYPE = 'questions[0].type: got "x"; allowed is one of yes_no, choice, scale, multiple, number';
const NOBODY = "privacy.blocks[0].questions: allowed are known questions, each once; several are all fixed or none, and yes_no, choice or scale";

/** @type {[(document: any) => void, string][]} */
const EDITS = [
  [(d) => (d.format = "x"), 'got the format "x"; this version reads deniable-survey/1'],
  [(d) => (d.x = 1), "x: unknown key; allowed are format, slug, title, introduction, thanks, thanks_link, logo, accent, operator, questions, privacy"],
  [(d) => delete d.title, 'the whole document: the key "title" is missing; it takes a text of 1 to 4000 characters without controls, or one for each language'],
  [(d) => (d.title = 7), "title: got 7; allowed is a text of 1 to 4000 characters without controls, or one for each language"],
  [(d) => (d.title = { EN: "a" }), 'title: got the language "EN"; allowed are tags like en or pt-BR'],
  [(d) => (d.operator = { name: "", contact: "javascript:alert(1)", x: 1 }), 'operator.x: unknown key; allowed are name, contact, purpose\noperator.name: got ""; allowed is a text of 1 to 200 characters without controls\noperator.contact: got "javascript:alert(1)"; allowed is an e-mail or https address, or a phone number'],
  [(d) => (d.operator = {}), 'operator: the key "name" is missing; it takes a text of 1 to 200 characters without controls\noperator: the key "contact" is missing; it takes an e-mail or https address, or a phone number'],
  [(d) => (d.slug = "A"), 'slug: got "A"; allowed is 1 to 64 lower-case letters, digits and inner hyphens'],
  [(d) => (d.slug = "A".repeat(99)), `slug: got "${"A".repeat(56)}...; allowed is 1 to 64 lower-case letters, digits and inner hyphens`],
  [(d) => (d.privacy = []), "privacy: got []; allowed is an object\nprivacy.blocks: no block asks the question \"asthma\""],
  [(d) => (d.privacy.asked = 2), "privacy.asked: got 2; allowed is a whole number from 1 to 1"],
  [(d) => (d.privacy.epsilon = 1), 'privacy.epsilon: got 1; allowed is a decimal text like "0.5", from 0.01 to 10, with at most 30 decimals'],
  [(d) => d.privacy.blocks.push({ ...d.privacy.blocks[0] }), "privacy.blocks: an id is repeated"],
  [(d) => d.questions.push({ ...d.questions[0], id: "region" }), 'privacy.blocks: no block asks the question "region"'],
  [(d) => (d.privacy.blocks[0].questions = ["x"]), 'privacy.blocks[0].questions: allowed are known questions, each once; several are all fixed or none, and yes_no, choice or scale'],
  [(d) => (d.privacy.blocks[0].questions = []), 'privacy.blocks[0].questions: got 0 question ids; allowed is a list of 1 to 9 question ids'],
  [(d) => (d.questions[0].required = true), 'privacy.blocks[0].mechanism: does not fit its questions, which take {"options":2,"offersNoAnswer":false,"size":2}'],
  [(d) => (d.questions[0].required = 1), "questions[0].required: got 1; allowed is true or false"],
  [(d) => (d.questions[0].type = "x"), `${UNKNOWN_TYPE}\n${NOBODY}`],
  [(d) => (d.questions[0].options[1].id = "yes"), "questions[0].options: an id is repeated"],
  [(d) => (d.questions[0].options[1].id = "no_answer"), 'questions[0].options[1].id: got "no_answer"; allowed is a text of 1 to 200 characters without controls, not no_answer'],
  [(d) => (d.questions[0].options[1].id = ""), 'questions[0].options[1].id: got ""; allowed is a text of 1 to 200 characters without controls, not no_answer'],
  [(d) => (d.questions[0].options[1].id = { toString: 1 }), 'questions[0].options[1].id: got {"toString":1}; allowed is a text of 1 to 200 characters without controls, not no_answer'],
  [(d) => (d.privacy.epsilon = { toString: 1 }), 'privacy.epsilon: got {"toString":1}; allowed is a decimal text like "0.5", from 0.01 to 10, with at most 30 decimals'],
];

test("a survey that is not legal is refused with every problem and its place", async () => {
  for (const [edit, message] of EDITS) {
    await throwsExactly(() => open(edit), "InvalidSurvey", message);
  }
  const twice = open(undefined, [YES_NO, YES_NO]);
  await throwsExactly(
    () => twice,
    "InvalidSurvey",
    "questions: an id is repeated\nprivacy.blocks: an id is repeated\n" +
      'privacy.blocks: no block asks the question "asthma"',
  );
});

test("a survey that would link a person's reports is refused", async () => {
  const options = Array.from({ length: 17 }, (_, place) => `o${place}`);
  await throwsExactly(
    () => open((d) => (d.questions[0].fixed = true), [question("year", "choice", options, true)]),
    "InvalidSurvey",
    "privacy.blocks: the fixed blocks have more than 16 outputs together",
  );
});

/** @type {[(mechanism: any) => void, string][]} */
const MECHANISM_EDITS = [
  [(m) => (m.name = "x"), 'name: got "x"; allowed: subset, sampled_bits, privset, piecewise'],
  [(m) => (m.x = 1), "x: not a parameter of subset"],
  [(m) => delete m.size, "size: got nothing; allowed is a whole number"],
  [(m) => (m.size = "1"), "size: got a text; allowed is a whole number"],
  [(m) => (m.size = 3), "size: got 3; allowed are 1 to 2"],
  [(m) => (m.domain_size = 1), "domain_size: got 1; allowed are 2 to 1000"],
  [(m) => (m.weights = 5), "weights: got a whole number; allowed is a list of two whole numbers"],
  [(m) => (m.weights = [1, 1]), "weights: got [1, 1]; the first must be above the second, the second at least 1"],
  [(m) => (m.weights = [2 ** 48, 1]), "weights: their total is beyond 2^48, the range of one draw; take a smaller epsilon or fewer options"],
];

test("a mechanism that is not legal is refused with its parameter", async () => {
  for (const [edit, message] of MECHANISM_EDITS) {
    await throwsExactly(
      () => open((document) => edit(document.privacy.blocks[0].mechanism)),
      "InvalidSurvey",
      `privacy.blocks[0].mechanism: ${message}`,
    );
  }
  await throwsExactly(
    () => open((document) => (document.privacy.blocks[0].mechanism = null)),
    "InvalidSurvey",
    "privacy.blocks[0].mechanism: got no object; allowed is an object with a name",
  );
});

test("a survey that takes too much, or is not the right one, is refused", async () => {
  await throwsExactly(
    () => open((document) => (document.privacy.epsilon = "0.5")),
    "BudgetExceeded",
    "the survey claims epsilon 0.5 and takes more, 0.99999999995352; " +
      "do not answer it",
  );
  await throwsExactly(
    () => open(undefined, [YES_NO], { epsilonCap: 0.5 }),
    "BudgetExceeded",
    "the survey takes epsilon 1; allowed here is 0.5; raise the cap or do not answer it",
  );
  await throwsExactly(
    () => open(undefined, [YES_NO], { digest: "00" }),
    "DigestMismatch",
    `the survey has the digest ${survey.digest}, asked for was 00; ` +
      "fetch it again, or do not answer it",
  );
});
