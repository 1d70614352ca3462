/** A report's values in words: which answers each of them speaks for. */
import { element, text } from "./page.js";

/** @typedef {import("../sdk/index.js").Block} Block */
/** @typedef {import("../sdk/index.js").Question} Question */

/**
 * @typedef {object} Words
 * @property {string} lead what the values are.
 * @property {readonly string[]} values
 */

/** @type {{ readonly [mechanism: string]: (block: Block, value: unknown) => Words }} */
const BY_MECHANISM = {
  subset: wordsOfAnswers,
  sampled_bits: wordsOfBits,
  privset: wordsOfSet,
  piecewise: wordsOfPlace,
};

/**
 * What a report says about a block.
 *
 * @param {Block} block
 * @param {unknown} value
 * @returns {Words}
 */
export function inWords(block, value) {
  const words = BY_MECHANISM[block.mechanism.name];
  // It stands in the bytes below in any case.
  return words ? words(block, value) : { lead: "", values: [] };
}

/**
 * @param {Block} block
 * @param {unknown} value
 */
function wordsOfAnswers(block, value) {
  const isJoint = block.questions.length > 1;
  const lead = `review${isJoint ? "Joint" : ""}${Array.isArray(value) ? "Several" : "Single"}`;
  return { lead: text(lead), values: [value].flat().map((place) => cell(block, Number(place))) };
}

/**
 * @param {Block} block
 * @param {number} place of several questions, counted with the last one fastest.
 */
function cell(block, place) {
  let rest = place;
  const labels = [...block.questions].reverse().map((question) => {
    const size = question.names.length;
    const own = rest % size;
    rest = (rest - own) / size;
    return label(question, own);
  });
  return labels.reverse().join(" · ");
}

/**
 * @param {Block} block
 * @param {unknown} value
 */
function wordsOfBits(block, value) {
  const pairs = /** @type {[number, number][]} */ (value);
  const values = pairs.map(([option, bit]) =>
    text(bit === 1 ? "applies" : "doesNotApply", { answer: cell(block, option) }),
  );
  return { lead: text("reviewBits"), values };
}

/**
 * @param {Block} block
 * @param {unknown} value
 */
function wordsOfSet(block, value) {
  const count = block.questions[0]?.names.length ?? 0;
  const values = /** @type {number[]} */ (value).map((option) =>
    option < count ? cell(block, option) : text("blank"),
  );
  return { lead: text("reviewSet"), values };
}

/**
 * The places that an output is nearest to: those that favour it.
 *
 * @param {Block} block
 * @param {unknown} value
 */
function wordsOfPlace(block, value) {
  const mechanism =
    /** @type {import("../sdk/mechanisms/piecewise.js").Piecewise} */ (
      /** @type {unknown} */ (block.mechanism)
    );
  const output = Number(value);
  if (output === mechanism.places) {
    return { lead: text("reviewSingle"), values: [cell(block, mechanism.domain.options)] };
  }
  const [first, last] = mechanism.near(output);
  const low = cell(block, first);
  const high = cell(block, last);
  return {
    lead: text("reviewNear"),
    values: [low === high ? low : text("range", { low, high })],
  };
}

/** @param {Element} fields What they ask. */
export function legend(fields) {
  return fields.querySelector("legend")?.textContent ?? "";
}

/**
 * What the page calls an answer of a question.
 *
 * @param {Question} question
 * @param {number} place
 */
export function label(question, place) {
  const fields = element(`q-${question.id}`);
  const name = question.names[place] ?? "";
  for (const input of fields.querySelectorAll("input")) {
    const label = input.nextElementSibling?.textContent ?? "";
    if (input.type !== "text" && input.value === name) return label;
  }
  // "No answer" is no choice where the question must be answered if it is reached.
  if (question.offersNoAnswer && place === question.names.length - 1) return text("noAnswer");
  const unit = fields.querySelector(".unit")?.textContent;
  return unit ? `${name} ${unit}` : name;
}
