/**
 * Scores: answers that the device computes from others.
 *
 * Everything is an integer. Points are in units of 10^-4, as numbers are, and
 * the values of items in units of 10^-8. The result is a fraction, rounded
 * once, half up; a table replaces it after that.
 */

import { ascends } from "../../mechanisms/domains.js";
import { MAX_CELLS } from "../../mechanisms/parameters.js";
import { readLink } from "../appearance.js";
import { DECIMAL_RULE, isDecimal, parseCanonical, readUnits } from "../decimals.js";
import { NO_ANSWER, readOptions } from "../options.js";
import { readText } from "../text.js";
import { ClosedQuestion } from "./closed.js";
import { NumberQuestion } from "./number.js";

/** @import { Link } from "../appearance.js" */
/** @import { Option } from "../options.js" */
/** @import { Section } from "../reading.js" */
/** @import { Text } from "../text.js" */
/** @import { Common } from "./base.js" */
/** @import { Question } from "./index.js" */

/**
 * A question that a score is computed from: the points of its options, or the
 * factor of a number, in units of 10^-4.
 *
 * @typedef {{ readonly question: ClosedQuestion | NumberQuestion, readonly points: readonly number[], readonly factor: number }} Item
 */

/** @typedef {"sum" | "mean" | "largest" | "quotient"} Operation */

/**
 * @typedef {object} Rule
 * @property {readonly Item[]} items
 * @property {Operation} combine
 * @property {number} atLeast so many items must be answered.
 * @property {number} plus added to a sum.
 * @property {readonly number[]} table replaces the whole numbers from 0.
 * @property {number} step what the result is rounded to.
 * @property {number | null} skipped the points of an item that is not reached.
 * @property {readonly number[]} cutoffs where its bands begin; none for a number.
 * @property {typeof compute} compute the score's answer.
 */

const MAX_ITEMS = 60;
const MAX_DIVISORS = 3;
const MAX_LINKS = 10;
const OPERATIONS = ["sum", "mean", "largest", "quotient"];
const UNIT = 10_000n;

/** Reads scores of both kinds: those with cut-offs, and those that are numbers. */
export const ScoreQuestion = {
  keys: [
    "items", "combine", "at_least", "plus", "table", "step", "skipped", "cutoffs", "options",
    "feedback", "min", "max", "unit",
  ],

  /**
   * @param {Section} section
   * @param {Common} common
   * @param {readonly Question[]} earlier
   */
  read(section, common, earlier) {
    const rule = readRule(section, earlier);
    const { required, showIf } = common;
    // Otherwise it would depend on the answers whether there is a report at all.
    const sure = rule.items.filter(
      ({ question }) =>
        question.required &&
        (rule.skipped !== null ||
          !question.showIf ||
          JSON.stringify(question.showIf) === JSON.stringify(showIf)),
    );
    if (required && sure.length < rule.atLeast) {
      section.refuse(`a required score needs ${rule.atLeast} items that all must answer`, "required");
    }
    const others = section.has("cutoffs") ? ["min", "max", "unit"] : ["options", "feedback"];
    for (const key of others.filter((key) => section.has(key))) {
      section.refuse("belongs to the other kind of score: with or without cutoffs", key);
    }
    if (!section.has("cutoffs")) return NumberQuestion.read(section, { ...common, rule });
    const options = readOptions(section);
    const cutoffs = readDecimals(section, "cutoffs", options.length, options.length);
    if (!ascends(cutoffs)) section.refuse("the cut-offs do not ascend", "cutoffs");
    const feedback = section.optional("feedback", (inner) => readFeedback(inner, options));
    // Else a visit to a link would say something about an answer.
    if (showIf && feedback?.links.length) section.refuse("must be empty beside show_if", "feedback", "links");
    return new ClosedQuestion({ ...common, rule: { ...rule, cutoffs }, feedback }, options);
  },
};

/**
 * The answer of a score, null where fewer items than needed are answered.
 *
 * @param {Question} score
 * @param {ReadonlyMap<string, unknown>} answers to the questions that are reached.
 * @throws {InvalidAnswer} one of them does not fit its question.
 */
function compute(score, answers) {
  const { items, combine, atLeast, plus, table, step, skipped, cutoffs } =
    /** @type {Rule} */ (score.rule);
  const [begin = 0] = cutoffs;
  // The multiple of the step at or below the first cut-off.
  const below = begin - (((begin % step) + step) % step);
  const { lowest: first, cells } = "cells" in score ? score : { lowest: below, cells: 0 };
  const given = items.flatMap((item) => {
    const { id } = item.question;
    const isSkipped = skipped !== null && !answers.has(id);
    return isSkipped ? BigInt(skipped) * UNIT : valueOf(item, answers.get(id));
  });
  if (given.length < atLeast) return null;
  const [dividend = 0n, ...divisors] = given;
  const count = BigInt(given.length);
  const sum = given.reduce((left, right) => left + right);
  /** @type {Record<Operation, () => [bigint, bigint]>} */
  const operations = {
    // An item without an answer counts as the mean of the others.
    sum: () => [sum * BigInt(items.length) + BigInt(plus) * UNIT * count, count],
    mean: () => [sum, count],
    largest: () => [given.reduce((left, right) => (left > right ? left : right)), 1n],
    quotient: () => [
      dividend * UNIT ** (2n * (count - 1n)),
      divisors.reduce((left, right) => left * right, 1n),
    ],
  };
  let [found, divisor] = operations[combine]();
  if (table.length > 0) {
    const row = rounded(found, divisor, 0, 10_000);
    found = BigInt(table[Math.min(Number(row), table.length - 1)] ?? 0) * UNIT;
    divisor = 1n;
  }
  const steps = rounded(found, divisor, first, step);
  const reached = BigInt(first) + steps * BigInt(step);
  const index = Math.max(0, cutoffs.filter((cutoff) => cutoff <= reached).length - 1);
  return score.names[cells > 0 ? Math.min(Number(steps), cells - 1) : index] ?? null;
}

/**
 * How many steps a fraction is above `lowest`, rounded half up, at least 0.
 *
 * @param {bigint} found
 * @param {bigint} divisor
 * @param {number} lowest
 * @param {number} step
 */
function rounded(found, divisor, lowest, step) {
  const wide = 2n * BigInt(step) * UNIT * divisor;
  const steps = (2n * (found - BigInt(lowest) * UNIT * divisor) + wide / 2n) / wide;
  return steps > 0n ? steps : 0n;
}

/**
 * @param {Item} item
 * @param {unknown} answer
 * @returns {bigint[]} its points in units of 10^-8; none where there is no answer.
 */
function valueOf({ question, points, factor }, answer) {
  if ((answer ?? NO_ANSWER) === NO_ANSWER) return [];
  const index = question.encode(answer);
  return "cells" in question
    ? [BigInt(factor) * BigInt(question.lowest + index * question.step)]
    : [BigInt(points[index] ?? 0) * UNIT];
}

/**
 * @param {Section} section
 * @param {readonly Question[]} earlier
 * @returns {Rule}
 */
function readRule(section, earlier) {
  const sections = section.sections("items", 1, MAX_ITEMS);
  const items = sections.flatMap((inner) => readItem(inner, earlier));
  const combine = section.read("combine", `one of ${OPERATIONS.join(", ")}`, (value) => OPERATIONS.includes(value), "sum");
  const rule = {
    items,
    combine,
    atLeast: section.integer("at_least", 1, Math.max(1, sections.length)),
    plus: section.has("plus") ? readUnits(section, "plus") : 0,
    table: section.has("table") ? readDecimals(section, "table", 1, MAX_CELLS) : [],
    step: readUnits(section, "step"),
    skipped: section.has("skipped") ? readUnits(section, "skipped") : null,
    cutoffs: [],
    compute,
  };
  if (!(rule.step > 0)) section.refuse("allowed is a decimal text above 0", "step");
  if (combine !== "sum" && (rule.plus || rule.table.length > 0)) {
    section.refuse("plus and table belong to a sum");
  }
  const [, ...divisors] = items;
  const areAboveZero = divisors.every(({ question, points, factor }) =>
    ("cells" in question ? [question.lowest * factor, question.highest * factor] : points).every((end) => end > 0),
  );
  const isSafe =
    divisors.length > 0 && divisors.length <= MAX_DIVISORS && rule.atLeast === items.length &&
    areAboveZero && rule.skipped === null;
  if (combine === "quotient" && !isSafe) {
    section.refuse(`a quotient needs all of its items: a first one, and 1 to ${MAX_DIVISORS} above 0`);
  }
  return rule;
}

/**
 * @param {Section} section
 * @param {readonly Question[]} earlier
 * @returns {Item[]}
 */
function readItem(section, earlier) {
  /** @param {unknown} id */
  const find = (id) =>
    /** @type {ClosedQuestion | NumberQuestion | undefined} */ (
      earlier.find((each) => each.id === id && !each.rule && !("atMost" in each))
    );
  const rule = "the id of an earlier question of the type yes_no, choice, scale or number";
  const question = find(section.read("question", rule, find, ""));
  if (!question) return [];
  const isNumber = "cells" in question;
  section.refuseUnknown(["question", isNumber ? "factor" : "points"]);
  const count = isNumber ? 0 : question.options.length;
  return [{
    question,
    points: isNumber ? [] : readDecimals(section, "points", count, count),
    factor: isNumber ? readUnits(section, "factor") : 0,
  }];
}

/**
 * The decimal texts in a list, in units of 10^-4.
 *
 * @param {Section} section
 * @param {string} key
 * @param {number} shortest
 * @param {number} longest
 */
function readDecimals(section, key, shortest, longest) {
  const members = section.members(key, shortest, longest, "decimal texts");
  if (!members.every(isDecimal)) section.refuse(`allowed is ${DECIMAL_RULE}`, key);
  return members.map(parseCanonical);
}

/**
 * A text for each band, and links that are the same for all bands.
 *
 * @typedef {{ readonly texts: { readonly [band: string]: Text }, readonly links: readonly Link[] }} Feedback
 */

/**
 * Reads feedback from its section; problems go to the section.
 *
 * @param {Section} section
 * @param {readonly Option[]} bands
 * @returns {Feedback}
 */
function readFeedback(section, bands) {
  section.refuseUnknown(["texts", "links"]);
  const texts = section.inner("texts");
  // Keys of published objects are plain ASCII, and bands need not be.
  texts.refuseUnknown(bands.map((_, index) => String(index)));
  return {
    texts: Object.fromEntries(
      bands.flatMap(({ id }, index) => {
        const key = String(index);
        return texts.has(key) ? [[id, readText(texts, key)]] : [];
      }),
    ),
    links: section.sections("links", 0, MAX_LINKS).map(readLink),
  };
}
