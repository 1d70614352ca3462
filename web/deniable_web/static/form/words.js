/** The values of a report in words: the answers that each value supports. */
import { separated } from "../sdk/survey/block.js";
import { element, text } from "./page.js";

/** @import { Block, Question } from "../sdk/index.js" */

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
  const names = answers.map((answer) => cell(block.questions, answer));
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

/** @param {readonly Question[]} questions @param {number} answer its index. */
function cell(questions, answer) {
  const labels = separated(questions, answer).map((own, place) => {
    const question = /** @type {Question} */ (questions[place]);
    // PrivSet adds indexes beyond the options of its only question.
    return own < question.names.length ? label(question, own) : text("blank");
  });
  return labels.join(" · ");
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
