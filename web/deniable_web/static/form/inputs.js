/** The inputs of one question: their values, and which exclude each other. */
import { all } from "./page.js";
import { decimalText } from "./typed_numbers.js";

const NO_ANSWER = "no_answer";
const NONE_OF_THESE = "";

/** @param {Element} fields */
export function numberInput(fields) {
  return /** @type {HTMLInputElement | null} */ (fields.querySelector(".number input"));
}

/** @param {Element} fields */
export function choiceInputs(fields) {
  return /** @type {HTMLInputElement[]} */ (all(".choice input", fields));
}

/**
 * The answer in the form for `randomize`; null means no answer.
 *
 * Without a choice there is no answer; "None of these" is an answer: an empty list.
 *
 * @param {Element} fields
 * @returns {string | string[] | null}
 */
export function readInputs(fields) {
  const choices = choiceInputs(fields);
  const chosen = choices.filter((input) => input.checked).map((input) => input.value);
  const number = numberInput(fields);
  if (chosen.includes(NO_ANSWER)) return null;
  if (number) return number.value.trim() ? decimalText(number.value) : null;
  if (choices[0]?.type === "radio") return chosen[0] ?? null;
  return chosen.length > 0 ? chosen.filter((id) => id !== NONE_OF_THESE) : null;
}

/** The answer in the page's words; empty if there is no answer. @param {Element} fields */
export function inputWords(fields) {
  const written = numberInput(fields)?.value.trim();
  if (written) return [[written, fields.querySelector(".unit")?.textContent].filter(Boolean).join(" ")];
  return choiceInputs(fields)
    .filter((input) => input.checked)
    .map((input) => input.nextElementSibling?.textContent ?? "");
}

/**
 * Clear inputs that exclude the answer that was just given.
 *
 * @param {Element} fields
 * @param {HTMLInputElement} input the input that was changed.
 */
export function keepApart(fields, input) {
  const isGiven = input.type === "checkbox" ? input.checked : input.value !== "";
  if (input.type === "radio" || !isGiven) return;
  const isAlone = "alone" in input.dataset;
  const number = numberInput(fields);
  if (isAlone && number) number.value = "";
  for (const other of choiceInputs(fields)) {
    if (other !== input && (isAlone || "alone" in other.dataset)) other.checked = false;
  }
}

/**
 * The values of all inputs, in their order, which is the same in every language.
 *
 * @param {HTMLFormElement} form
 * @returns {readonly (string | boolean)[]}
 */
export function filledIn(form) {
  return inputsOf(form).map((input) => (input.type === "text" ? input.value : input.checked));
}

/**
 * Fill the same values into another rendering of the form.
 *
 * @param {HTMLFormElement} form
 * @param {readonly (string | boolean)[]} filled
 */
export function fillIn(form, filled) {
  for (const [index, input] of inputsOf(form).entries()) {
    const value = filled[index];
    if (typeof value === "string") input.value = value;
    else input.checked = value === true;
  }
}

/** @param {HTMLFormElement} form */
function inputsOf(form) {
  return /** @type {HTMLInputElement[]} */ (all("input", form));
}
