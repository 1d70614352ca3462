/** The fields of the rule by which a survey closes when its results are precise enough. */
import { focusOn, make, tick } from "./dom.js";
import { numberField, shownText, ticked } from "./fields.js";
import { fieldId } from "./paths.js";
import { changeStopWhen, hasShares, inPoints, offeredQuestions, ruledQuestions } from "./stop_rule.js";
import { text } from "./texts.js";

/** @import { Draft } from "./draft.js" */

const PATH = ["stop_when"];
const QUESTIONS = [...PATH, "questions"];

/**
 * @param {Draft} draft
 * @returns {HTMLElement[]}
 */
export function stopFields(draft) {
  const isRuled = draft.at(PATH) !== undefined;
  const field = { path: PATH, label: text("stop_when"), hint: text("stop_when_hint") };
  const box = ticked(field, isRuled, (now) => {
    draft.restructure((document) => changeStopWhen(document, now));
    focusOn(fieldId(PATH));
  });
  if (!isRuled) return [box];
  const margin = numberField(inPoints(draft), {
    path: [...PATH, "margin"], label: text("stop_margin"), hint: text("stop_margin_hint"),
  });
  return [box, margin, questionsField(draft)];
}

/** @param {Draft} draft */
function questionsField(draft) {
  const named = ruledQuestions(draft.document);
  const offered = offeredQuestions(draft.document);
  const boxes = offered.map((question, place) => {
    const box = make("input", { type: "checkbox", id: `${fieldId(QUESTIONS)}-${place}` });
    box.checked = named ? named.includes(question.id) : hasShares(question);
    box.addEventListener("change", () => {
      const ids = offered.filter((_, each) => boxes[each]?.checked).map(({ id }) => id);
      // All of them are meant also after another question was added.
      const areAll = offered.every((each, index) => hasShares(each) === boxes[index]?.checked);
      draft.set(QUESTIONS, areAll ? undefined : ids);
    });
    return box;
  });
  return make(
    "fieldset",
    { id: fieldId(QUESTIONS), class: "ticks", tabindex: "-1" },
    make("legend", {}, text("stop_questions")),
    ...boxes.map((box, place) => tick(box, shownText(offered[place]?.text))),
  );
}
