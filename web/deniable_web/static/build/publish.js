/** Publishing: a short summary before the draft becomes permanent. */
import { Refusal, sendJson } from "../manage/access.js";
import { element } from "./dom.js";
import { forgetDraft } from "./draft.js";
import { shownText } from "./fields.js";
import { KEYS_COMMAND, groupsWithoutKey } from "./groups.js";
import { decimal, text, whole } from "./texts.js";

/** @typedef {import("./draft.js").Draft} Draft */

const PUBLISH = "/manage/surveys";
const CONFLICT = "urn:deniable:problem:survey-conflict";
const NOT_ALLOWED = "urn:deniable:problem:survey-not-allowed";
const CLOSED = "urn:deniable:problem:survey-closed";
const UNUSABLE_KEYS = "urn:deniable:problem:unusable-keys";

/** @param {Draft} draft */
export function offerPublishing(draft) {
  const { title, slug, epsilon, questions } = draft.document;
  element("publish-summary").textContent = text("publish_summary", {
    title: shownText(title), count: whole(questions.length), epsilon: decimal(Number(epsilon)),
  });
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
    const problem = element("publish-problem");
    problem.replaceChildren(refusal(error, String(draft.document.slug)));
    problem.hidden = false;
    confirm.disabled = false;
  }
}

/**
 * @param {Refusal} error
 * @param {string} slug
 */
function refusal(error, slug) {
  if (error.problem.type === CONFLICT) return text("slug_taken", { slug });
  if (error.problem.type === NOT_ALLOWED) return text("slug_not_allowed", { slug });
  if (error.problem.type === CLOSED) return text("slug_closed", { slug });
  if (error.problem.type === UNUSABLE_KEYS) return text("keys_used", { command: keysCommand(slug) });
  return error.message;
}

/** @param {string} slug whose file the builder saves under this name. */
function keysCommand(slug) {
  return `${KEYS_COMMAND} ${slug}.yaml`;
}
