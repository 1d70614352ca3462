/** What the form looks like: its logo, its colour, and a link below the thanks. */
import { button, focusOn, make } from "./dom.js";
import { ADDRESS, completeOrRemove, labelled, plainField, textField } from "./fields.js";
import { imageField } from "./image_field.js";
import { fieldId } from "./paths.js";
import { text } from "./texts.js";

/** @import { Draft } from "./draft.js" */

// The form's own colour.
const OWN = "#0f5f63";

/** @param {Draft} draft */
export function appearanceFields(draft) {
  return [imageField(draft, ["logo"], text("logo")), accentField(draft)];
}

/** @param {Draft} draft */
function accentField(draft) {
  const path = ["accent"];
  const chosen = draft.at(path);
  const choose = (/** @type {string | undefined} */ colour) => {
    draft.restructure(() => draft.set(path, colour));
    focusOn(fieldId(path));
  };
  const input = make("input", {
    type: "color", id: fieldId(path), value: String(chosen ?? OWN), change: () => choose(input.value),
  });
  const reset = button(text("accent_own"), () => choose(undefined), { class: "small" });
  const field = labelled(text("accent"), input, text("accent_hint"));
  if (chosen) field.append(reset);
  return field;
}

/**
 * The link below the thanks. It has a text and an address, or neither if nothing is written.
 *
 * @param {Draft} draft
 */
export function thanksLinkFields(draft) {
  const onChange = () => completeOrRemove(draft, "thanks_link", ["text", "url"]);
  const field = { isOptional: true, onChange };
  return make(
    "div",
    { class: "side-by-side", role: "group", "aria-label": text("thanks_link") },
    textField(draft, { ...field, path: ["thanks_link", "text"], label: text("thanks_link_text") }),
    plainField(draft, { ...field, path: ["thanks_link", "url"], label: text("link_url"), attributes: ADDRESS }),
  );
}
