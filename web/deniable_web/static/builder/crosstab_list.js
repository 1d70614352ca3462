/** The crosstabs of the draft: the questions that are analysed together. */
import { element } from "./dom.js";
import { crossed } from "./edits.js";
import { shownText, tickFields } from "./fields.js";
import { fieldId } from "./paths.js";
import { signButton, tellDeleted } from "./signs.js";
import { text } from "./texts.js";
import { TYPES } from "./types.js";

/** @import { Draft } from "./draft.js" */

/** Shows the crosstabs, now and after each change. @param {Draft} draft */
export function showCrosstabs(draft) {
  const show = () => {
    const crosstabs = draft.document.crosstabs ?? [];
    element("crosstabs").replaceChildren(...crosstabs.map((crosstab, place) => item(draft, crosstab, place)));
    element("add-crosstab").toggleAttribute("disabled", free(draft).length < 2);
  };
  element("add-crosstab").addEventListener("click", () => add(draft));
  draft.addEventListener("restructured", show);
  show();
}

/** The questions that can be in a crosstab and are in none yet. @param {Draft} draft */
function free({ document: { crosstabs = [], questions } }) {
  const taken = crosstabs.flatMap(crossed);
  return questions.filter(({ type, id }) => TYPES[type]?.isClosed && !taken.includes(id));
}

/**
 * @param {Draft} draft
 * @param {any} crosstab
 * @param {number} place
 */
function item(draft, crosstab, place) {
  const fieldsId = fieldId(["crosstabs", place]);
  const ids = crossed(crosstab);
  const questions = draft.document.questions.filter(
    (question) => ids.includes(question.id) || free(draft).includes(question),
  );
  const offered = questions.map((question) => ({
    label: shownText(question.text), isTicked: ids.includes(question.id),
  }));
  const name = place + 1;
  const fields = tickFields(fieldsId, text("crosstab", { place: name }), offered, (areTicked, changed) => {
    cross(draft, place, questions[changed].id, areTicked[changed] === true);
    document.getElementById(`${fieldsId}-${changed}`)?.focus();
  });
  fields.append(signButton("delete", text("crosstab_delete", { place: name }), () => {
    draft.restructure((document) => {
      document.crosstabs?.splice(place, 1);
      if (document.crosstabs?.length === 0) delete document.crosstabs;
    });
    element("add-crosstab").focus();
    tellDeleted(text("crosstab", { place: name }));
  }));
  return fields;
}

/** @param {Draft} draft */
function add(draft) {
  const ids = free(draft).slice(0, 2).map(({ id }) => id);
  const { crosstabs = [] } = draft.document;
  draft.restructure((document) => {
    document.crosstabs = [...crosstabs, ids];
  });
  element(fieldId(["crosstabs", crosstabs.length])).focus();
}

/**
 * @param {Draft} draft
 * @param {number} place
 * @param {string} id
 * @param {boolean} isIn
 */
function cross(draft, place, id, isIn) {
  draft.restructure(({ crosstabs = [] }) => {
    const before = crosstabs[place];
    const others = crossed(before).filter((each) => each !== id);
    const ids = isIn ? [...others, id] : others;
    crosstabs[place] = Array.isArray(before) ? ids : { ...before, questions: ids };
  });
}
