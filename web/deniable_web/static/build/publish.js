/** Publishing: a short summary before the draft becomes permanent. */
import { Refusal, sendJson } from "../manage/access.js";
import { element } from "./dom.js";
import { forgetDraft } from "./draft.js";
import { shownText } from "./fields.js";
import { askingWords } from "./forecast.js";
import { KEYS_COMMAND, groupsWithoutKey } from "./groups.js";
import { decimal, text, whole } from "./texts.js";

/** @import { Draft } from "./draft.js" */

const PUBLISH = "/manage/surveys";
/** The page's words for problems of this survey. */
const REFUSALS = new Map([
  ["urn:deniable:problem:survey-conflict", "slug_taken"],
  ["urn:deniable:problem:survey-not-allowed", "slug_not_allowed"],
  ["urn:deniable:problem:survey-closed", "slug_closed"],
  ["urn:deniable:problem:unusable-keys", "keys_used"],
]);

/**
 * @param {Draft} draft
 * @param {import("./outlook.js").Forecast | null | undefined} forecast
 */
export function offerPublishing(draft, forecast) {
  const { title, slug, epsilon, questions } = draft.document;
  element("publish-summary").textContent = text("publish_summary", {
    title: shownText(title), count: whole(questions.length), epsilon: decimal(Number(epsilon)),
  });
  element("publish-asking").textContent = askingWords(forecast);
  element("publish-address").textContent = `${location.origin}/s/${slug}`;
  const unsigned = groupsWithoutKey(draft.document).map(([id, group]) => shownText(group.text ?? id));
  element("publish-problem").hidden = unsigned.length === 0;
  element("publish-problem").textContent = text("keys_missing", {
    groups: unsigned.join(" \u00b7 "), command: keysCommand(slug),
  });
  /** @type {HTMLButtonElement} */ (element("publish-confirm")).hidden = unsigned.length > 0;
  /** @type {HTMLDialogElement} */ (element("publish-dialog")).showModal();
}

/** @param {Draft} draft */
export async function publish(draft) {
  const confirm = /** @type {HTMLButtonElement} */ (element("publish-confirm"));
  confirm.disabled = true;
  try {
    const { slug } = await sendJson(PUBLISH, { definition: draft.document });
    draft.markSaved();
    forgetDraft();
    location.assign(`/surveys/${slug}/share${location.search}`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { slug } = draft.document;
    const words = REFUSALS.get(String(error.problem.type));
    element("publish-problem").textContent = words ? text(words, { slug, command: keysCommand(slug) }) : error.message;
    element("publish-problem").hidden = false;
    confirm.disabled = false;
  }
}

/** @param {string} slug whose file the builder saves under this name. */
function keysCommand(slug) {
  return `${KEYS_COMMAND} ${slug}.yaml`;
}
