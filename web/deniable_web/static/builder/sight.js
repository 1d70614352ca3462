/** The open question as respondents see it, beside its card. */
import { sendJson, tried } from "../manage/access.js";
import { element, tell } from "./dom.js";
import { PREVIEW } from "./publish.js";
import { text } from "./texts.js";
import { eachText } from "./translations.js";

/** @import { Draft } from "./draft.js" */
/** @import { Watch } from "./outlook.js" */
/** @import { Definition } from "./paths.js" */
/** @import { QuestionList } from "./question_list.js" */

/** What depends on other questions, or on an earlier answer of the same person. */
const APART = ["show_if", "new_page", "fixed", "reported"];
const BLANK = "\u2026";

/**
 * Shows the open question, now and after each change.
 *
 * @param {Draft} draft
 * @param {Watch} watch
 * @param {QuestionList} questions
 */
export function showSight(draft, watch, questions) {
  const frame = element("sight", HTMLIFrameElement);
  let shown = "";
  const show = async () => {
    const index = questions.opened;
    if (index < 0 || element("sight-panel").hidden) return;
    const definition = alone(draft.document, index);
    const wanted = JSON.stringify(definition);
    if (wanted === shown) return;
    shown = wanted;
    const isNewest = () => wanted === shown;
    await tried(async () => {
      const { page } = await sendJson(PREVIEW, { definition, is_begun: true });
      if (!isNewest()) return;
      frame.srcdoc = page;
      tell("sight-waits", "");
    }, () => {
      if (isNewest()) tell("sight-waits", text("sight_waits", { place: index + 1 }));
    });
    frame.hidden = !element("sight-waits").hidden;
  };
  // After the check, so that the two do not wait for each other at the server.
  watch.addEventListener("looked", show);
  questions.addEventListener("opened", show);
  element("sight-tab").addEventListener("click", show);
}

/**
 * A survey of one question, with what a score takes from others, and with something wherever a
 * text is missing.
 *
 * @param {Definition} document
 * @param {number} index
 */
function alone(document, index) {
  const { title = "", accent, logo, questions } = structuredClone(document);
  /** @type {Definition[]} */
  const used = (questions[index].items ?? []).flatMap((/** @type {any} */ item) =>
    questions.filter((/** @type {Definition} */ { id }) => id === item?.question));
  const asked = [...used, questions[index]];
  for (const question of asked) {
    for (const key of APART) delete question[key];
    question.options?.forEach((/** @type {any} */ option, /** @type {number} */ place) => {
      const name = text("option", { place: place + 1 });
      if (typeof option === "string") question.options[place] = option.trim() || name;
      else option.id ||= `option_${place}`;
    });
  }
  const survey = { title, slug: "preview", epsilon: 1, ask: "all", accent, logo: logo?.text ? logo : undefined, questions: asked };
  eachText(survey, (words) => {
    if (typeof words !== "object" || words === null) return words || BLANK;
    const any = Object.values(words).find(Boolean) ?? BLANK;
    return Object.fromEntries(Object.entries(words).map(([code, each]) => [code, each || any]));
  });
  return survey;
}
