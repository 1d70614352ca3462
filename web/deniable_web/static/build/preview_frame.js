/** The draft as respondents see it, on a phone or a desktop: the real form in a frame. */
import { sendJson, tried } from "../manage/access.js";
import { element } from "./dom.js";

/** @import { Draft } from "./draft.js" */

const PREVIEW = "/manage/definitions/preview";

/** @param {string} id */
function select(id) {
  return /** @type {HTMLSelectElement} */ (element(id));
}

function frame() {
  return /** @type {HTMLIFrameElement} */ (element("preview-frame"));
}

/**
 * Lets the author choose the width of the frame, and whether the preview asks all parts, so that
 * each of them and each path can be seen.
 *
 * @param {Draft} draft
 */
export function listenToPreview(draft) {
  select("preview-width").addEventListener("change", ({ target }) => {
    frame().dataset.width = /** @type {HTMLSelectElement} */ (target).value;
  });
  select("preview-parts").addEventListener("change", async () => {
    const problem = element("preview-problem");
    problem.hidden = true;
    await tried(() => load(draft), (refusal) => {
      problem.textContent = refusal;
      problem.hidden = false;
    });
  });
  element("preview").addEventListener("close", () => frame().removeAttribute("srcdoc"));
}

/** @param {Draft} draft */
export async function showPreview(draft) {
  element("preview-problem").hidden = true;
  await load(draft);
  /** @type {HTMLDialogElement} */ (element("preview")).showModal();
}

/** @param {Draft} draft */
async function load(draft) {
  const asked = select("preview-parts").value === "all" ? { ask: "all" } : {};
  const { page } = await sendJson(PREVIEW, { definition: { ...draft.document, ...asked } });
  frame().srcdoc = page;
}
