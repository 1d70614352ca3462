/** The questions on the page: show the asked ones, read them, wipe them. */
import { element, fail, texts } from "./page.js";

/** @typedef {import("../sdk/index.js").Question} Question */

/** @param {readonly Question[]} questions The ones this device drew. */
export function showQuestions(questions) {
  for (const question of questions) {
    const fields = fieldset(question);
    fields.hidden = false;
    fields.disabled = false;
  }
}

/**
 * The chosen option of every asked question; none chosen is "no answer".
 *
 * @param {readonly Question[]} questions
 * @returns {{ [question: string]: string | null } | undefined} undefined while
 *   a required question is open; it is marked, and gets the focus.
 */
export function readAnswers(questions) {
  /** @type {{ [question: string]: string | null }} */
  const answers = {};
  /** @type {HTMLFieldSetElement[]} */
  const open = [];
  for (const question of questions) {
    const fields = fieldset(question);
    const chosen = fields.querySelector("input:checked");
    const missing = question.required && chosen === null;
    mark(fields, missing);
    if (missing) open.push(fields);
    const value = chosen instanceof HTMLInputElement ? chosen.value : "no_answer";
    answers[question.id] = value === "no_answer" ? null : value;
  }
  fail(open.length > 0 ? (texts().missingCount ?? "") : "");
  open[0]?.querySelector("input")?.focus();
  return open.length > 0 ? undefined : answers;
}

/** @param {HTMLFormElement} form */
export function wipeAnswers(form) {
  form.reset();
}

/** @param {Question} question */
function fieldset(question) {
  return /** @type {HTMLFieldSetElement} */ (element(`q-${question.id}`));
}

/**
 * @param {HTMLFieldSetElement} fields
 * @param {boolean} missing
 */
function mark(fields, missing) {
  const error = element(`${fields.id}-error`);
  error.hidden = !missing;
  fields.classList.toggle("invalid", missing);
  if (missing) fields.setAttribute("aria-describedby", error.id);
  else fields.removeAttribute("aria-describedby");
}
