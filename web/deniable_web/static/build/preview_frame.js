/** The draft as respondents see it on a phone: the real form in a frame. */
import { sendJson } from "../manage/access.js";
import { element } from "./dom.js";

/** @import { Draft } from "./draft.js" */

const PREVIEW = "/manage/definitions/preview";

/** @param {Draft} draft */
export async function showPreview(draft) {
  const frame = /** @type {HTMLIFrameElement} */ (element("preview-frame"));
  const { page } = await sendJson(PREVIEW, { definition: draft.document });
  frame.srcdoc = page;
  const dialog = /** @type {HTMLDialogElement} */ (element("preview"));
  dialog.addEventListener("close", () => frame.removeAttribute("srcdoc"), { once: true });
  dialog.showModal();
}

