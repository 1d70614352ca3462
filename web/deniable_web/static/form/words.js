/** The values of a report in words: the answers that each value supports. */
import { element, text } from "./page.js";

/** @typedef {import("../sdk/index.js").Block} Block */
/** @typedef {import("../sdk/index.js").Question} Question */

/**
 * @typedef {object} Words
 * @property {string} lead the words before the values.
 * @property {readonly string[]} values
 */

/**
 * The words for a block's value in a report.
 *
 * @param {Block} block
 * @param {any} value
 * @returns {Words}
 */
export function inWords(block, value) {
  const { kind, answers, bits = [] } = block.mechanism.support(value);
  const names = answers.map((answer) => cell(block, answer));
  const [low = "", high = ""] = names;
  if (kind === "bits") {
    const say = (/** @type {string} */ answer, /** @type {number} */ i) =>
      text(bits[i] ? "applies" : "doesNotApply", { answer });
    return { lead: text("reviewBits"), values: names.map(say) };
  }
  if (kind === "range") {
    const values = [low === high ? low : text("range", { low, high })];
    return { lead: text("reviewNear"), values };
  }
  if (kind === "some") return { lead: text("reviewSet"), values: names };
  const isJoint = block.questions.length > 1;
  const lead = `review${isJoint ? "Joint" : ""}${names.length > 1 ? "Several" : "Single"}`;
  return { lead: text(lead), values: names };
}

/**
 * @param {Block} block
 * @param {number} answer its index; for several questions, the last one varies fastest.
 */
function cell(block, answer) {
  let rest = answer;
  const labels = [...block.questions].reverse().map((question, i, { length }) => {
    const size = question.names.length;
    // PrivSet adds indexes beyond the options of its only question.
    if (i === length - 1) return rest < size ? label(question, rest) : text("blank");
    const own = rest % size;
    rest = (rest - own) / size;
    return label(question, own);
  });
  return labels.reverse().join(" · ");
}

/** @param {Element} fields What they ask. */
export function legend(fields) {
  return fields.querySelector("legend")?.textContent ?? "";
}

/**
 * The page's words for an answer to a question.
 *
 * @param {Question} question
 * @param {number} index
 */
export function label(question, index) {
  const fields = element(`q-${question.id}`);
  const name = question.names[index] ?? "";
  for (const input of fields.querySelectorAll("input")) {
    const label = input.nextElementSibling?.textContent ?? "";
    if (input.type !== "text" && input.value === name) return label;
  }
  // "No answer" is not a choice if an answer is required.
  if (question.offersNoAnswer && index === question.names.length - 1) return text("noAnswer");
  const unit = fields.querySelector(".unit")?.textContent;
  return unit ? `${name} ${unit}` : name;
}
