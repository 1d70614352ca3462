/** The fields of the question whose card is open. */
import { element, focusOn, make } from "./dom.js";
import { changeType, questionIds, renameQuestion } from "./edits.js";
import { checkField, labelled, more, selectInput, textField, worded } from "./fields.js";
import { imageField } from "./image_field.js";
import { nameAfterText, nameField } from "./name_field.js";
import { fieldId } from "./paths.js";
import { routingFields } from "./routing.js";
import { text } from "./texts.js";
import { typeFields } from "./type_fields.js";
import { TYPES } from "./types.js";

/** @import { Draft } from "./draft.js" */

/** @param {Draft} draft @param {number} index */
export function questionFields(draft, index) {
  const path = ["questions", index];
  const asked = textField(draft, { path: [...path, "text"], label: text("question_text"), rows: 2 });
  const named = {
    kind: /** @type {const} */ ("question"),
    id: fieldId([...path, "id"]),
    read: () => String(draft.at([...path, "id"]) ?? ""),
    rename: (/** @type {string} */ id) => {
      renameQuestion(draft.document, index, id);
      draft.set([...path, "id"], id);
    },
  };
  asked.addEventListener("change", () => {
    const taken = questionIds(draft.document).filter((_, place) => place !== index);
    nameAfterText(named, draft.at([...path, "text"]), taken);
  });
  const help = textField(draft, worded([...path, "help"], { rows: 2, isOptional: true }));
  const extras = [
    checkField(draft, worded([...path, "required"])),
    checkField(draft, worded([...path, "fixed"])),
    ...(draft.facts.includes(draft.at([...path, "id"]))
      ? [make("p", { class: "hint", id: `question-${index}-fact` }, text("fixed_before"))]
      : []),
    ...(index > 0 ? [checkField(draft, worded([...path, "new_page"])), routingFields(draft, index)] : []),
    more(text("image"), [imageField(draft, [...path, "image"], text("image"))], draft.at([...path, "image"]) !== undefined),
    more(text("section"), sectionFields(draft, path), draft.at([...path, "section"]) !== undefined),
    more(text("question_more"), [typeField(draft, index), nameField(named, text("question_id_hint"))]),
  ];
  return [asked, help, ...typeFields(draft, index), ...extras];
}

/** @param {Draft} draft @param {import("./paths.js").Path} path */
function sectionFields(draft, path) {
  const field = { name: "section_title", hint: text("section_hint"), isOptional: true };
  return [
    textField(draft, worded([...path, "section", "title"], field)),
    textField(draft, worded([...path, "section", "note"], { name: "section_note", isOptional: true, rows: 2 })),
  ];
}

/** @param {Draft} draft @param {number} index */
function typeField(draft, index) {
  const id = fieldId(["questions", index, "type"]);
  const options = Object.keys(TYPES).map((value) => ({ value, label: text(`type_${value}`) }));
  const chosen = String(draft.at(["questions", index, "type"]));
  const select = selectInput(id, options, chosen, (type) => {
    draft.restructure((document) => changeType(document, index, type, (place) => text("option", { place })));
    element(fieldId(["questions", index])).focus();
    focusOn(id);
  });
  return labelled(text("question_type"), select);
}
