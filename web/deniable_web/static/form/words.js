/** The values of a report in words: the answers that each value supports. */
import { supportOf } from "../sdk/mechanisms/support.js";
import { element, make, text } from "./page.js";

/** @import { Block, PublishedSurvey, Question, Report } from "../sdk/index.js" */

/**
 * @typedef {object} Words
 * @property {string} lead the words before the values.
 * @property {readonly string[]} values
 */

// A block with many answers may be reported as a group of hundreds; the bytes contain all
// of them.
const MOST_SHOWN = 24;

/**
 * The words for a block's value in a report.
 *
 * @param {Block} block
 * @param {any} value
 * @returns {Words}
 */
export function inWords(block, value) {
  const { kind, answers, bits = [] } = supportOf(block.mechanism, value);
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

/** @param {Block} block @param {number} answer its index. */
function cell(block, answer) {
  const labels = (block.cells?.[answer] ?? [answer]).map((own, place) => {
    const question = /** @type {Question} */ (block.questions[place]);
    // PrivSet adds indexes beyond the options of its only question.
    const named = [own].flat().map((option) => (option < question.names.length ? label(question, option) : text("blank")));
    return named.join(" + ") || text("noneOfThese");
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

/** @param {PublishedSurvey} survey @param {Report} report */
export function fillReview(survey, report) {
  element("review-values").replaceChildren(
    ...Object.entries(report.values).flatMap(([id, value]) => describe(survey.block(id), value)),
  );
  element("review-bytes").textContent = new TextDecoder().decode(report.toBytes());
  const path = document.getElementById("review-path");
  // By what the report asks for: what was shown would tell whoever sees this page the answers.
  if (path) path.hidden = !Object.keys(report.values).some((id) => survey.block(id).questions.some(({ showIf }) => showIf));
}

/** Removes the report from the page. */
export function emptyReview() {
  element("review-values").replaceChildren();
  element("review-bytes").textContent = "";
}

/** @param {Block} block @param {unknown} value */
function describe(block, value) {
  const { lead, values } = inWords(block, value);
  const beyond = values.length - MOST_SHOWN;
  return [
    make("dt", { dir: "auto" }, block.questions.map(({ id }) => legend(element(`q-${id}`))).join(" · ")),
    make("dd", { class: "lead" }, lead),
    ...values.slice(0, MOST_SHOWN).map((words) => make("dd", { class: "value", dir: "auto" }, words)),
    ...(beyond > 0 ? [make("dd", { class: "lead" }, text("more", { count: beyond }))] : []),
  ];
}
