/** The draft as respondents see it, on a phone or a desktop: the real form in a frame. */
import { sendJson, tried } from "../manage/access.js";
import { element, tell } from "./dom.js";

/** @import { Draft } from "./draft.js" */

const PREVIEW = "/manage/definitions/preview";

const frame = element("preview-frame", HTMLIFrameElement);
const width = element("preview-width", HTMLSelectElement);
const parts = element("preview-parts", HTMLSelectElement);

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
