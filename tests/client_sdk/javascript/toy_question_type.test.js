/** A type of question from the tests alone is used by the whole SDK after one line. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { checkReport } from "../../../client_sdk/javascript/src/check.js";
import { inspect } from "../../../client_sdk/javascript/src/inspect.js";
import { randomize } from "../../../client_sdk/javascript/src/index.js";
import { OneOf } from "../../../client_sdk/javascript/src/mechanisms/domains.js";
import { BaseQuestion } from "../../../client_sdk/javascript/src/survey/questions/base.js";
import { QUESTION_TYPES } from "../../../client_sdk/javascript/src/survey/questions/index.js";
import { built, open } from "./building.js";

const MONTHS = Array.from({ length: 12 }, (_, month) => String(month + 1));

/** A question whose answer is a month, 1 to 12. */
class MonthQuestion extends BaseQuestion {
  /** @type {string[]} */
  static keys = [];
  domain = new OneOf(MONTHS.length, this.offersNoAnswer);
  names = [...MONTHS, "no_answer"];

  /** @param {unknown} _ @param {any} common @returns {any} */
  static read(_, common) {
    return new MonthQuestion(common);
  }

  /** @param {unknown} answer */
  encode(answer) {
    const index = this.names.indexOf(String(answer ?? "no_answer"));
    if (index < 0) throw this.refusal(answer);
    return index;
  }

  /** @override */
  get takes() {
    return "the months from 1 to 12";
  }
}

const question = built(
  { id: "born", type: "month", required: false },
  { name: "subset", domain_size: 13, size: 1 },
);

test("without its line a type is unknown", async () => {
  await assert.rejects(open(undefined, [question]), /type: .*allowed is one of yes_no/);
});

describe("with its line", () => {
  before(() => QUESTION_TYPES.set("month", MonthQuestion));
  after(() => QUESTION_TYPES.delete("month"));

  test("a survey is read, answered, checked and shown", async () => {
    const survey = await open(undefined, [question]);
    const report = randomize(survey, { born: 3 });
    checkReport(report, survey);
    assert.match(inspect(report, survey).words[0] ?? "", /Reported: one of: (\d+|no_answer)$/);
    assert.throws(() => randomize(survey, { born: 13 }), /takes the months from 1 to 12/);
  });
});
