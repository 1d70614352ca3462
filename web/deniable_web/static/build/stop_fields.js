/** The fields of the rule by which a survey closes when its results are precise enough. */
import { focusOn } from "./dom.js";
import { numberField, shownText, tickFields, ticked, worded } from "./fields.js";
import { fieldId } from "./paths.js";
import { changeStopWhen, hasShares, inPoints, offeredQuestions, ruledQuestions } from "./stop_rule.js";
import { text } from "./texts.js";

/** @import { Draft } from "./draft.js" */

const PATH = ["stop_when"];
const QUESTIONS = [...PATH, "questions"];

/** @param {Draft} draft @returns {HTMLElement[]} */
export function stopFields(draft) {
  const isRuled = draft.at(PATH) !== undefined;
  const box = ticked(worded(PATH), isRuled, (now) => {
    draft.restructure((document) => changeStopWhen(document, now));
    focusOn(fieldId(PATH));
  });
  if (!isRuled) return [box];
  const margin = numberField(inPoints(draft), worded([...PATH, "margin"], { name: "stop_margin" }));
  return [box, margin, questionsField(draft)];
}

/** @param {Draft} draft */
function questionsField(draft) {
  const named = ruledQuestions(draft.document);
  const questions = offeredQuestions(draft.document);
  const offered = questions.map((question) => ({
    label: shownText(question.text),
    isTicked: named ? named.includes(question.id) : hasShares(question),
  }));
  return tickFields(fieldId(QUESTIONS), text("stop_questions"), offered, (areTicked) => {
    const ids = questions.filter((_, place) => areTicked[place]).map(({ id }) => id);
    // All of them are meant also after another question was added.
    const areAll = questions.every((question, place) => hasShares(question) === areTicked[place]);
    draft.set(QUESTIONS, areAll ? undefined : ids);
  });
}
