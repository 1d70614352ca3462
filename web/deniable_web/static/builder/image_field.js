/** The field for an image: the file becomes a part of the draft, small enough for a survey. */
import { announce, button, focusOn, make } from "./dom.js";
import { textField, worded } from "./fields.js";
import { fieldId, putAt } from "./paths.js";
import { tellDeleted } from "./signs.js";
import { text } from "./texts.js";

/** @import { Draft } from "./draft.js" */
/** @import { Path } from "./paths.js" */

// As in a definition.
const LONGEST = 100_000;
const SIDES = [1200, 900, 600, 400, 200];
// Browsers that cannot write the first one write PNG; drawings stay sharp in the second one.
const TYPES = ["image/webp", "image/png", "image/jpeg"];
const QUALITY = 0.85;

/**
 * @param {Draft} draft
 * @param {Path} path
 * @param {string} label
 */
export function imageField(draft, path, label) {
  const id = fieldId(path);
  const problem = make("p", { class: "failure", role: "alert", hidden: true });
  const file = make("input", {
    type: "file", accept: "image/*", tabindex: "-1", hidden: true, "aria-label": label,
    change: () => take(draft, path, file, problem),
  });
  const data = draft.at([...path, "data"]);
  const choose = button(text(data ? "image_replace" : "image_choose"), () => file.click(), {
    class: "small", id: fieldId([...path, "data"]), "aria-describedby": `${id}-hint`,
  });
  const remove = button(text("image_remove"), () => {
    draft.restructure((document) => putAt(document, path, undefined));
    focusOn(fieldId([...path, "data"]));
    tellDeleted(label);
  }, { class: "small" });
  return make(
    "fieldset", { id, tabindex: "-1", class: "stack" },
    make("legend", {}, label),
    data ? make("img", { src: data, alt: "", class: "thumbnail" }) : null,
    make("div", { class: "tools" }, choose, draft.at(path) === undefined ? null : remove, file),
    make("p", { class: "hint", id: `${id}-hint` }, text("image_hint")),
    problem,
    data ? textField(draft, worded([...path, "text"], { name: "image_text" })) : null,
  );
}

/**
 * Puts a file into the draft, or says why not.
 *
 * @param {Draft} draft
 * @param {Path} path
 * @param {HTMLInputElement} file
 * @param {HTMLElement} problem
 */
async function take(draft, path, file, problem) {
  const [chosen] = file.files ?? [];
  file.value = "";
  if (!chosen) return;
  const [, index] = path;
  const id = typeof index === "number" ? draft.at(["questions", index, "id"]) : undefined;
  const data = await shrunk(chosen).catch(() => null);
  problem.hidden = data !== null;
  problem.textContent = text("image_unreadable", { name: chosen.name });
  if (data === null) return;
  // Somebody may have moved or removed the question meanwhile.
  const now = draft.indexOf(id);
  if (id !== undefined && now < 0) return;
  const place = id === undefined ? path : ["questions", now, "image"];
  const words = draft.at([...place, "text"]) ?? "";
  draft.restructure((document) => putAt(document, place, { data, text: words }));
  announce(text("image_added"));
  focusOn(fieldId([...place, "text"]), fieldId([...place, "data"]));
}

/**
 * An image as a data: address that is short enough. What a camera wrote into the file, such as
 * the place, is not in it.
 *
 * @param {Blob} file
 * @returns {Promise<string>}
 */
async function shrunk(file) {
  const image = await createImageBitmap(file);
  for (const side of SIDES) {
    const scale = Math.min(1, side / Math.max(image.width, image.height));
    const canvas = make("canvas", {
      width: Math.max(1, Math.round(image.width * scale)), height: Math.max(1, Math.round(image.height * scale)),
    });
    const drawing = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
    for (const type of TYPES) {
      if (type === "image/jpeg") {
        // It has no transparency: what is transparent would become black.
        drawing.globalCompositeOperation = "destination-over";
        drawing.fillStyle = "#fff";
        drawing.fillRect(0, 0, canvas.width, canvas.height);
      }
      const data = canvas.toDataURL(type, QUALITY);
      if (data.length <= LONGEST) return data;
    }
  }
  throw new RangeError("the smallest one is too large");
}
