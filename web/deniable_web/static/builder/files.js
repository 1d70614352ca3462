/** Files: importing surveys from other programs, and saving the draft as YAML. */
import { Refusal, send, tried } from "../manage/access.js";
import { keepFile } from "../manage/saving.js";
import { element, make, tell, toast } from "./dom.js";
import { text } from "./texts.js";

/** @import { Draft } from "./draft.js" */
/** @typedef {{ name: string, reason: string, details: string[] }} Note */

const IMPORT = "manage/definitions/import";
const EXPORT = "manage/definitions/export";
const MOST_BYTES = 1 << 20;
/** How every workbook begins, because it is an archive. */
const ARCHIVE = [0x50, 0x4b];

/** @param {Draft} draft */
export async function exportDraft(draft) {
  const body = JSON.stringify({ definition: draft.document });
  const response = await send(EXPORT, { method: "POST", body, type: "application/json" });
  keepFile(await response.blob(), `${draft.document.slug || "survey"}.yaml`);
  draft.markSaved();
}

/** @param {Draft} draft @param {File} file */
export async function importFile(draft, file) {
  await tried(async () => {
    if (file.size > MOST_BYTES) throw new Refusal(413, text("file_too_large"));
    const body = await file.arrayBuffer();
    const first = new Uint8Array(body);
    const kind = ARCHIVE.every((byte, place) => first[place] === byte) ? "xlsform" : "text";
    const request = { method: "POST", body, type: "application/octet-stream" };
    const found = await (await send(`${IMPORT}/${kind}`, request)).json();
    draft.replace(found.definition);
    report(found.left_out, found.changed, "");
    toast(text("imported", { name: file.name }));
  }, (refusal) => report([], [], refusal));
}

/**
 * @param {Note[]} leftOut
 * @param {Note[]} changed
 * @param {string} failure
 */
function report(leftOut, changed, failure) {
  element("import-report").hidden = false;
  tell("import-failure", failure);
  element("import-readable").hidden = failure === "";
  element("import-clean").hidden = failure !== "" || leftOut.length + changed.length > 0;
  list("left-out", leftOut, "left_out");
  list("changed", changed, "changed");
  element("import-title").focus();
}

/**
 * @param {string} id
 * @param {Note[]} notes
 * @param {string} kind
 */
function list(id, notes, kind) {
  element(`${id}-part`).hidden = notes.length === 0;
  element(id).replaceChildren(
    ...notes.map(({ name, reason, details }) => {
      const words = text(`${kind}_${reason}`);
      const line = make("li", {}, make("bdi", {}, name || text("whole_survey")), ": ", words);
      for (const [place, detail] of details.entries()) line.append(place ? " \u00b7 " : " \u2013 ", make("bdi", {}, detail));
      return line;
    }),
  );
}
