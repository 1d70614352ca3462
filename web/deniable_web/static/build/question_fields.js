/** The fields of the question whose card is open. */
import { element, make } from "./dom.js";
import { changeType, questionIds, renameQuestion } from "./edits.js";
import { checkField, labelled, more, selectInput, shownText, textField } from "./fields.js";
import { suggestId } from "./names.js";
import { fieldId } from "./paths.js";
import { routingFields } from "./routing.js";
import { text } from "./texts.js";
import { typeFields } from "./type_fields.js";
import { TYPES } from "./types.js";

/** @typedef {import("./draft.js").Draft} Draft */

const GIVEN_BY_US = /^question_\d+$/;

/**
 * @param {Draft} draft
 * @param {number} index
 * @param {(id: string) => void} focus
 */
export function questionFields(draft, index, focus) {
  const path = ["questions", index];
  const asked = textField(draft, { path: [...path, "text"], label: text("question_text"), rows: 2 });
  asked.addEventListener("change", () => nameAfterText(draft, index));
  const extras = [
    checkField(draft, { path: [...path, "required"], label: text("required"), hint: text("required_hint") }),
    checkField(draft, { path: [...path, "fixed"], label: text("fixed"), hint: text("fixed_hint") }),
    ...(draft.facts.includes(draft.at([...path, "id"]))
      ? [make("p", { class: "hint", id: `question-${index}-fact` }, text("fixed_before"))]
      : []),
    ...(index > 0
      ? [
          checkField(draft, { path: [...path, "new_page"], label: text("new_page") }),
          routingFields(draft, index),
        ]
      : []),
    more(text("question_more"), [typeField(draft, index, focus), idField(draft, index)]),
  ];
  return [asked, ...typeFields(draft, index, focus), ...extras];
}

/**
 * @param {Draft} draft
 * @param {number} index
 * @param {(id: string) => void} focus
 */
function typeField(draft, index, focus) {
  const id = fieldId(["questions", index, "type"]);
  const options = Object.keys(TYPES).map((value) => ({ value, label: text(`type_${value}`) }));
  const chosen = String(draft.at(["questions", index, "type"]));
  const select = selectInput(id, options, chosen, (type) => {
    draft.restructure((document) => changeType(document, index, type, (place) => text("option", { place })));
    element(fieldId(["questions", index])).focus();
    focus(id);
  });
  return labelled(text("question_type"), select);
}

/**
 * @param {Draft} draft
 * @param {number} index
 */
function idField(draft, index) {
  const path = ["questions", index, "id"];
  const input = make("input", {
    type: "text", id: fieldId(path), autocomplete: "off", spellcheck: "false", dir: "ltr", maxlength: 40,
  });
  input.value = String(draft.at(path) ?? "");
  input.addEventListener("input", () => {
    renameQuestion(draft.document, index, input.value);
    draft.set(path, input.value);
  });
  return labelled(text("question_id"), input, text("question_id_hint"));
}

/**
 * Names a question after its text while it still has a name that the builder made.
 *
 * @param {Draft} draft
 * @param {number} index
 */
function nameAfterText(draft, index) {
  const path = ["questions", index, "id"];
  if (!GIVEN_BY_US.test(String(draft.at(path)))) return;
  const words = draft.at(["questions", index, "text"]);
  if (!words || shownText(words) === text("untitled")) return;
  const taken = questionIds(draft.document).filter((/** @type {string} */ _, /** @type {number} */ place) => place !== index);
  const name = suggestId(shownText(words), taken);
  if (name === "question") return;
  renameQuestion(draft.document, index, name);
  draft.set(path, name);
  const field = document.getElementById(fieldId(path));
  if (field instanceof HTMLInputElement) field.value = name;
}
