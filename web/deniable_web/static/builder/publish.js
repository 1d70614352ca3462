/** What is done with a draft: a preview, and publishing after a short summary. */
import { isFor, ownAccount, sendJson, tried } from "../manage/access.js";
import { at } from "../root.js";
import { element, tell } from "./dom.js";
import { forgetDraft } from "./draft.js";
import { shownText } from "./fields.js";
import { askingWords } from "./forecast.js";
import { KEYS_COMMAND, groupsWithoutKey } from "./groups.js";
import { writeMoment } from "./moments.js";
import { decimal, moment, text, whole } from "./texts.js";

/** @import { Draft } from "./draft.js" */

const PUBLISH = "manage/surveys";
export const PREVIEW = "manage/definitions/preview";
/** The page's words for problems of this survey. */
const REFUSALS = new Map([
  ["urn:deniable:problem:survey-conflict", "slug_taken"],
  ["urn:deniable:problem:survey-not-allowed", "slug_not_allowed"],
  ["urn:deniable:problem:survey-closed", "slug_closed"],
  ["urn:deniable:problem:unusable-keys", "keys_used"],
]);

/** With any of these, a definition says how the survey ends. */
const ENDS = ["closes", "at_most_reports", "stop_when", "results"];
const DAYS = 14;

const frame = element("preview-frame", HTMLIFrameElement);
const width = element("preview-width", HTMLSelectElement);
const parts = element("preview-parts", HTMLSelectElement);

element("end-reports").addEventListener("input", () => {
  element("end-number", HTMLInputElement).checked = true;
});

/** @param {Draft} draft @param {import("./outlook.js").Forecast | null | undefined} forecast */
export async function offerPublishing(draft, forecast) {
  const { title, slug, epsilon, questions } = draft.document;
  element("publish-summary").textContent = text("publish_summary", {
    title: shownText(title), count: whole(questions.length), epsilon: decimal(Number(epsilon)),
  });
  element("publish-asking").textContent = askingWords(forecast);
  element("publish-address").textContent = at(`s/${slug}`);
  element("publish-end", HTMLFieldSetElement).hidden = hasEnd(draft);
  element("end-date").textContent = text("end_date", { moment: moment(lastDay().toJSON()) });
  const obstacle = obstacleOf(draft, await ownAccount());
  tell("publish-problem", obstacle);
  element("publish-confirm").hidden = obstacle !== "";
  element("publish-dialog", HTMLDialogElement).showModal();
}

/** @param {Draft} draft */
function hasEnd(draft) {
  return ENDS.some((key) => draft.at([key]) !== undefined);
}

/** The full hour that comes in two weeks. */
function lastDay() {
  const end = new Date();
  end.setDate(end.getDate() + DAYS);
  end.setHours(end.getHours() + 1, 0, 0, 0);
  return end;
}

/** Writes the end that was chosen into a draft without one. @param {Draft} draft */
function chooseEnd(draft) {
  if (hasEnd(draft)) return;
  const chosen = document.querySelector("#publish-end input:checked");
  const key = chosen instanceof HTMLInputElement ? chosen.value : "";
  const reports = Number(element("end-reports", HTMLInputElement).value);
  if (key === "closes") draft.set([key], writeMoment(lastDay()));
  if (key === "at_most_reports") draft.set([key], reports);
  if (key === "results") draft.set([key], "at_end");
}

/**
 * Why this account cannot publish this draft now; empty if it can.
 *
 * @param {Draft} draft
 * @param {import("../manage/access.js").Account} account
 */
function obstacleOf(draft, account) {
  const { slug } = draft.document;
  if (!isFor(account, "owner")) return text("publish_others", { name: account.name });
  if (!isFor(account, "owner", slug)) return text("slug_not_allowed", { slug });
  const unsigned = groupsWithoutKey(draft.document).map(([id, group]) => shownText(group.text ?? id));
  const missing = { groups: unsigned.join(" \u00b7 "), command: keysCommand(slug) };
  return unsigned.length > 0 ? text("keys_missing", missing) : "";
}

/** @param {Draft} draft */
export async function publish(draft) {
  const confirm = element("publish-confirm", HTMLButtonElement);
  confirm.disabled = true;
  chooseEnd(draft);
  await tried(async () => {
    const { slug } = await sendJson(PUBLISH, { definition: draft.document });
    draft.markSaved();
    forgetDraft();
    location.assign(at(`surveys/${slug}/share${location.search}`));
  }, (message, { problem }) => {
    const { slug } = draft.document;
    const words = REFUSALS.get(String(problem.type));
    tell("publish-problem", words ? text(words, { slug, command: keysCommand(slug) }) : message);
    confirm.disabled = false;
  });
}

/** @param {string} slug whose file the builder saves under this name. */
function keysCommand(slug) {
  return `${KEYS_COMMAND} ${slug}.yaml`;
}

/**
 * Lets the author choose the width of the frame, and whether the preview asks all parts, so that
 * each of them and each path can be seen.
 *
 * @param {Draft} draft
 */
export function listenToPreview(draft) {
  width.addEventListener("change", () => {
    frame.dataset.width = width.value;
  });
  parts.addEventListener("change", async () => {
    tell("preview-problem", "");
    await tried(() => load(draft), (refusal) => tell("preview-problem", refusal));
  });
  element("preview").addEventListener("close", () => frame.removeAttribute("srcdoc"));
}

/** @param {Draft} draft */
export async function showPreview(draft) {
  tell("preview-problem", "");
  await load(draft);
  element("preview", HTMLDialogElement).showModal();
}

/** @param {Draft} draft */
async function load(draft) {
  const asked = parts.value === "all" ? { ask: "all" } : {};
  const { page } = await sendJson(PREVIEW, { definition: { ...draft.document, ...asked } });
  frame.srcdoc = page;
}
