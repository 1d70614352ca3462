/** The fields of the question whose card is open. */
import { element, focusOn, make } from "./dom.js";
import { changeType, renameQuestion, takenNames, wantedOptions } from "./edits.js";
import { checkField, labelled, more, selectInput, shownText, textField, tickFields, worded } from "./fields.js";
import { imageField } from "./image_field.js";
import { nameAfterText, nameField } from "./name_field.js";
import { fieldId } from "./paths.js";
import { text } from "./texts.js";
import { optionText, typeFields } from "./type_fields.js";
import { TYPES, optionIds } from "./types.js";

/** @import { Draft } from "./draft.js" */
/** @import { Definition } from "./paths.js" */

const ALWAYS = "";

/** @param {Draft} draft @param {number} index */
export function questionFields(draft, index) {
  const path = ["questions", index];
  const asked = textField(draft, { path: [...path, "text"], label: text("question_text"), rows: 2 });
  const named = {
    kind: /** @type {const} */ ("question"),
    id: fieldId([...path, "id"]),
    read: () => String(draft.at([...path, "id"]) ?? ""),
    rename: (/** @type {string} */ id, /** @type {boolean} */ isFollowing) => {
      renameQuestion(draft.document, index, id);
      draft.set([...path, "id"], id, isFollowing);
    },
  };
  asked.addEventListener("change", () => {
    const others = draft.document.questions.filter((_, place) => place !== index);
    nameAfterText(named, draft.at([...path, "text"]), takenNames(others, draft.at([...path, "type"])));
  });
  const { shown, hidden } = typeFields(draft, index);
  const extras = [
    textField(draft, worded([...path, "help"], { rows: 2, isOptional: true })),
    ...hidden,
    checkField(draft, worded([...path, "required"])),
    checkField(draft, worded([...path, "fixed"])),
    ...(draft.facts.includes(draft.at([...path, "id"]))
      ? [make("p", { class: "hint", id: `question-${index}-fact` }, text("fixed_before"))]
      : []),
    ...(index > 0 ? [checkField(draft, worded([...path, "new_page"])), routingFields(draft, index)] : []),
    more(text("image"), [imageField(draft, [...path, "image"], text("image"))], draft.at([...path, "image"]) !== undefined),
    more(text("section"), sectionFields(draft, path), draft.at([...path, "section"]) !== undefined),
    typeField(draft, index),
    nameField(named, text("question_id_hint")),
  ];
  return [asked, ...shown, more(text("more"), extras)];
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
    draft.restructure((document) => changeType(document, index, type));
    element(fieldId(["questions", index])).focus();
    focusOn(id);
  });
  return labelled(text("question_type"), select);
}

/** @param {Draft} draft @param {number} index */
function routingFields(draft, index) {
  const path = ["questions", index, "show_if"];
  /** @type {Definition[]} */
  const earlier = draft.document.questions.slice(0, index);
  const asked = earlier.findIndex((question) => question.id === draft.at([...path, "question"]));
  const options = [
    { value: ALWAYS, label: text("asked_always") },
    ...earlier.flatMap((question, place) =>
      optionIds(question).length === 0
        ? []
        : [{ value: String(place), label: text("asked_after", { place: place + 1, question: shownText(question.text) }) }],
    ),
  ];
  const holder = make("div", { class: "stack" });
  const choose = (/** @type {string} */ value) => {
    const question = value === ALWAYS ? undefined : draft.document.questions[Number(value)];
    draft.set(path, question && { question: question.id, is: optionIds(question).slice(0, 1) });
    holder.replaceChildren(...(question ? [answers(draft, index, question)] : []));
  };
  const select = selectInput(fieldId([...path, "question"]), options, asked < 0 ? ALWAYS : String(asked), choose);
  const question = earlier[asked];
  if (question) holder.append(answers(draft, index, question));
  return make("div", { class: "stack" }, labelled(text("asked"), select, text("asked_hint")), holder);
}

/**
 * @param {Draft} draft
 * @param {number} index
 * @param {Definition} question
 */
function answers(draft, index, question) {
  const path = ["questions", index, "show_if", "is"];
  const names = optionIds(question);
  const wanted = wantedOptions(draft.document.questions[index]);
  const offered = names.map((name, place) => ({
    label: optionText(question, place), isTicked: wanted.includes(name),
  }));
  return tickFields(fieldId(path), text("asked_if"), offered, (areTicked) =>
    draft.set(path, names.filter((_, place) => areTicked[place])),
  );
}
