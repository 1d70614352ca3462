/** When a question is asked: always, or after some answers to an earlier one. */
import { make } from "./dom.js";
import { wantedOptions } from "./edits.js";
import { labelled, selectInput, shownText, tickFields } from "./fields.js";
import { fieldId } from "./paths.js";
import { text } from "./texts.js";
import { optionText } from "./type_fields.js";
import { optionIds } from "./types.js";

/** @import { Draft } from "./draft.js" */
/** @import { Definition } from "./paths.js" */

const ALWAYS = "";

/** @param {Draft} draft @param {number} index */
export function routingFields(draft, index) {
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
