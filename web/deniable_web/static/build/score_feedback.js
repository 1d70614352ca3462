/** The feedback that respondents read on their own device: a text for each band, and links. */
import { button, make } from "./dom.js";
import { ADDRESS, more, plainField, textField } from "./fields.js";
import { fieldId } from "./paths.js";
import { followBands } from "./score_lines.js";
import { signButton } from "./signs.js";
import { text } from "./texts.js";
import { optionIds } from "./types.js";

/** @import { Draft } from "./draft.js" */
/** @import { Path } from "./paths.js" */

/**
 * The fields, and a function to call after the bands have changed.
 *
 * @param {Draft} draft
 * @param {Path} path the path of the score.
 * @returns {{ fields: HTMLElement, follow: () => void }}
 */
export function feedbackFields(draft, path) {
  const place = [...path, "feedback"];
  const texts = make("div", { class: "stack" });
  const bands = () => optionIds(draft.at(path));
  let shown = bands();
  /** @type {{ [band: string]: unknown }} the texts of removed bands, which may come back. */
  let written = {};
  const field = (/** @type {string} */ band) => ({
    path: [...place, "texts", band], label: text("feedback_band", { band }), rows: 2, isOptional: true,
  });
  const show = () => texts.replaceChildren(...shown.map((band) => textField(draft, field(band))));
  const follow = () => {
    const now = bands();
    const present = Object.fromEntries(shown.map((band) => [band, draft.at([...place, "texts", band])]));
    written = followBands({ ...written, ...present }, shown, now);
    shown = now;
    for (const [band, value] of Object.entries(written)) {
      draft.set([...place, "texts", band], shown.includes(band) ? value : undefined);
    }
    show();
  };
  show();
  const hint = make("p", { class: "hint" }, text("feedback_hint"));
  const fields = more(text("feedback"), [hint, texts, linkList(draft, place)]);
  fields.id = fieldId(place);
  return { fields, follow };
}

/** @param {Draft} draft @param {Path} place */
function linkList(draft, place) {
  const path = [...place, "links"];
  const list = make("div", { class: "stack", id: fieldId(path), tabindex: "-1" });
  const links = () => draft.at(path) ?? [];
  const add = button(text("link_add"), () => {
    const count = links().length;
    draft.set(path, [...links(), { text: "", url: "" }]);
    show();
    list.children[count]?.querySelector("input")?.focus();
  }, { class: "small" });
  const remove = (/** @type {number} */ index) => {
    const left = links().filter((/** @type {unknown} */ _, /** @type {number} */ other) => other !== index);
    draft.set(path, left.length > 0 ? left : undefined);
    show();
    add.focus();
  };
  const show = () =>
    list.replaceChildren(
      ...links().map((/** @type {unknown} */ _, /** @type {number} */ index) =>
        linkFields(draft, [...path, index], index + 1, () => remove(index)),
      ),
    );
  show();
  return make("fieldset", {}, make("legend", {}, text("links")), list, add);
}

/**
 * @param {Draft} draft
 * @param {Path} path
 * @param {number} name
 * @param {() => void} remove
 */
function linkFields(draft, path, name, remove) {
  return make(
    "div",
    { class: "side-by-side link", role: "group", "aria-label": text("link", { name }) },
    textField(draft, { path: [...path, "text"], label: text("link_text") }),
    plainField(draft, { path: [...path, "url"], label: text("link_url"), attributes: ADDRESS }),
    signButton("delete", text("link_delete", { name }), remove),
  );
}
