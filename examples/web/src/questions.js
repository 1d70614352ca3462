/** The questions on the page, and what is answered. */

import { inLanguage } from "deniable";

/** @import { Answer, Question } from "deniable" */

const LANGUAGE = "en";

/**
 * The group of fields that asks a question.
 *
 * @param {Question} question
 */
export function groupFor(question) {
  const group = document.createElement("fieldset");
  group.name = question.id;
  const legend = document.createElement("legend");
  legend.textContent = inLanguage(question.text, LANGUAGE);
  group.append(legend);
  if (!("options" in question)) {
    const label = field("number", question.id, "", inLanguage(question.unit ?? "", LANGUAGE));
    label.querySelector("input")?.setAttribute("aria-label", legend.textContent);
    group.append(label, ...noteFor(question));
    return group;
  }
  const isMultiple = question.type === "multiple";
  const kind = isMultiple ? "checkbox" : "radio";
  for (const { id, text } of question.options) {
    group.append(field(kind, question.id, id, inLanguage(text ?? id, LANGUAGE)));
  }
  // Not answering is always as easy as answering, and is randomized like an answer.
  if (isMultiple) {
    group.append(field(kind, question.id, "", "None of these"), ...noteFor(question));
  } else if (!question.required) {
    group.append(field(kind, question.id, "", "Prefer not to say"));
  }
  return group;
}

/**
 * What was answered, as `submit` takes it; null is "no answer".
 *
 * @param {readonly Question[]} questions
 * @param {HTMLFormElement} form
 */
export function answersIn(questions, form) {
  const given = new FormData(form);
  /** @type {{ [question: string]: Answer }} */
  const answers = {};
  for (const { id, type } of questions) {
    const chosen = given.getAll(id).map(String);
    if (type !== "multiple") answers[id] = chosen[0] || null;
    else if (chosen.includes("")) answers[id] = [];
    else answers[id] = chosen.length > 0 ? chosen : null;
  }
  return answers;
}

/** @param {Question} question */
function noteFor({ required }) {
  if (required) return [];
  const note = document.createElement("p");
  note.textContent = "Leave this empty if you prefer not to say.";
  return [note];
}

/**
 * @param {string} type
 * @param {string} name
 * @param {string} value
 * @param {string} text
 */
function field(type, name, value, text) {
  const label = document.createElement("label");
  const input = Object.assign(document.createElement("input"), { type, name, value });
  // A browser that completes forms would remember what was answered.
  input.autocomplete = "off";
  // Whether a number fits is for the SDK to say.
  if (type === "number") input.step = "any";
  label.append(input, text);
  return label;
}
