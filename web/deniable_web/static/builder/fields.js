/** Fields for the values at paths of the draft, each with a label and a hint. */
import { make, tick } from "./dom.js";
import { numberOrText } from "./numbers.js";
import { fieldId } from "./paths.js";
import { hasText, languageName, text } from "./texts.js";
import { languagesOf } from "./translations.js";

/** @typedef {{ document: Definition } & Pick<import("./draft.js").Draft, "at" | "set">} Draft */
/** @import { Definition, Path } from "./paths.js" */
/**
 * @typedef {{
 *   path: Path,
 *   label: string,
 *   hint?: string,
 *   rows?: number,
 *   isOptional?: boolean,
 *   onChange?: (value: string) => void,
 *   attributes?: import("./dom.js").Attributes,
 * }} Field
 */

/** What a field for an address needs. */
export const ADDRESS = { dir: "ltr", inputmode: "url", spellcheck: "false", placeholder: "https://" };

const FROM_THE_RIGHT = /^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/;

/**
 * A field with the label, and the hint if there is one, that the page has for a name.
 *
 * @param {Path} path
 * @param {Partial<Field> & { name?: string }} [more] the name is the last key of the path if left out.
 * @returns {Field & { hint: string }}
 */
export function worded(path, { name = String(path.at(-1)), ...more } = {}) {
  const hint = hasText(`${name}_hint`) ? text(`${name}_hint`) : "";
  return { path, label: text(name), hint, ...more };
}

/**
 * A label, its control, and a hint.
 *
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function labelled(label, control, hint) {
  return make("div", { class: "field" }, make("label", { for: control.id }, label), control, noteOf(control, hint));
}

/**
 * The field for a text, or one field for each language, side by side.
 *
 * @param {Draft} draft
 * @param {Field} field
 */
export function textField(draft, field) {
  const codes = languagesOf(draft.document);
  if (codes.length === 0) return plainField(draft, field);
  return byLanguage(field, codes.map((code) =>
    labelled(languageName(code), spoken(textInput(draft, field, [...field.path, code]), code)),
  ));
}

/**
 * Fields for the same text in several languages, side by side.
 *
 * @param {Pick<Field, "path" | "label" | "hint">} field
 * @param {readonly HTMLElement[]} inputs
 */
export function byLanguage({ path, label, hint }, inputs) {
  return make(
    "fieldset",
    { class: "by-language", id: fieldId(path), tabindex: "-1" },
    make("legend", {}, label),
    make("div", { class: "side-by-side" }, ...inputs),
    hint ? make("p", { class: "hint" }, hint) : null,
  );
}

/**
 * A field for a text in a language.
 *
 * @template {HTMLElement} Kind
 * @param {Kind} input
 * @param {string} code
 */
export function spoken(input, code) {
  input.lang = code;
  input.dir = FROM_THE_RIGHT.test(code) ? "rtl" : "ltr";
  return input;
}

/**
 * The field for a text that is the same in all languages.
 *
 * @param {Draft} draft
 * @param {Field} field
 */
export function plainField(draft, field) {
  return labelled(field.label, textInput(draft, field, field.path), field.hint);
}

/**
 * @param {Draft} draft
 * @param {Field} field
 * @param {Path} path
 */
function textInput(draft, field, path) {
  const attributes = { id: fieldId(path), autocomplete: "off", ...field.attributes };
  const made = field.rows
    ? make("textarea", { rows: field.rows, dir: "auto", ...attributes })
    : make("input", { type: "text", dir: "auto", ...attributes });
  const value = draft.at(path) ?? (typeof draft.at(field.path) === "string" ? draft.at(field.path) : "");
  made.value = String(value);
  made.addEventListener("input", () => {
    const whole = draft.at(field.path);
    if (path.length > field.path.length && typeof whole !== "object") {
      // A text for all languages becomes a map when somebody writes into one of its fields.
      const codes = languagesOf(draft.document);
      draft.set(field.path, Object.fromEntries(codes.map((code) => [code, whole ?? ""])));
    }
    draft.set(path, made.value === "" && field.isOptional ? undefined : made.value);
    field.onChange?.(made.value);
  });
  return made;
}

/**
 * The field for a number; other input is kept as it was written, and the server reports it.
 *
 * @param {Draft} draft
 * @param {Field} field
 */
export function numberField(draft, field) {
  const input = make("input", {
    type: "text",
    inputmode: "decimal",
    id: fieldId(field.path),
    autocomplete: "off",
    class: "short",
    ...field.attributes,
  });
  input.value = String(draft.at(field.path) ?? "");
  input.addEventListener("input", () => {
    const written = input.value.trim();
    const value = written === "" ? undefined : numberOrText(written);
    draft.set(field.path, value);
    field.onChange?.(String(value ?? ""));
  });
  return labelled(field.label, input, field.hint);
}

/** @param {Draft} draft @param {Field} field true if ticked; otherwise the key is left out. */
export function checkField(draft, field) {
  const isTicked = draft.at(field.path) === true;
  return ticked(field, isTicked, (now) => draft.set(field.path, now ? true : undefined));
}

/**
 * A box with its label and hint.
 *
 * @param {Field} field
 * @param {boolean} isTicked
 * @param {(isTicked: boolean) => void} change
 */
export function ticked({ path, label, hint }, isTicked, change) {
  const box = make("input", {
    type: "checkbox", id: fieldId(path), checked: isTicked, change: () => change(box.checked),
  });
  return make("div", { class: "field" }, tick(box, label), noteOf(box, hint));
}

/**
 * Boxes with their words; any of them may be ticked.
 *
 * @param {string} id
 * @param {string} legend
 * @param {readonly { label: string, isTicked: boolean }[]} offered
 * @param {(areTicked: readonly boolean[], changed: number) => void} change
 */
export function tickFields(id, legend, offered, change) {
  const boxes = offered.map(({ isTicked }, place) => make("input", {
    type: "checkbox", id: `${id}-${place}`, checked: isTicked,
    change: () => change(boxes.map(({ checked }) => checked), place),
  }));
  const ticks = boxes.map((box, place) => tick(box, offered[place]?.label ?? ""));
  return make("fieldset", { id, class: "ticks", tabindex: "-1" }, make("legend", {}, legend), ...ticks);
}

/** The hint of a control. @param {HTMLElement} control @param {string} [hint] */
function noteOf(control, hint) {
  if (!hint) return null;
  const note = make("p", { class: "hint", id: `${control.id}-hint` }, hint);
  control.setAttribute("aria-describedby", note.id);
  return note;
}

/**
 * @param {string} id
 * @param {readonly { value: string, label: string }[]} options
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
export function selectInput(id, options, chosen, choose) {
  const offered = options.map(({ value, label }) => make("option", { value, selected: value === chosen }, label));
  const made = make("select", { id, change: () => choose(made.value) }, ...offered);
  return made;
}

/** A text for lists, with a name for an empty one. @param {unknown} value */
export function shownText(value) {
  const found = typeof value === "object" && value !== null ? Object.values(value).find(Boolean) : value;
  return String(found || text("untitled"));
}

/** The folds that the author opened: they are open when they are rendered again, in other cards too. @type {Set<string>} */
const opened = new Set();

/**
 * @param {string} summary
 * @param {readonly Node[]} parts
 * @param {boolean} [isOpen]
 */
export function more(summary, parts, isOpen = false) {
  const click = () => (fold.open ? opened.delete(summary) : opened.add(summary));
  const fold = make(
    "details",
    { open: isOpen || opened.has(summary) },
    make("summary", { click }, summary),
    make("div", { class: "stack" }, ...parts),
  );
  return fold;
}

/**
 * Gives a part of the survey all of these keys, or none if nothing is written in it.
 *
 * @param {Draft} draft
 * @param {string} name the part's key.
 * @param {readonly string[]} keys
 */
export function completeOrRemove(draft, name, keys) {
  const part = draft.document[name];
  if (!part) return;
  // Each is a text, or one for each language.
  const isWritten = Object.values(part).some((value) =>
    typeof value === "object" ? Object.values(value ?? {}).some(Boolean) : value,
  );
  for (const key of keys) draft.set([name, key], isWritten ? (part[key] ?? "") : undefined);
}
