/** The settings of the whole survey: its texts, slug, appearance, languages and epsilon. */
import { at } from "../root.js";
import { button, element, focusOn, make } from "./dom.js";
import { ADDRESS, completeOrRemove, labelled, numberField, plainField, selectInput, textField, worded } from "./fields.js";
import { fieldworkFields } from "./fieldwork_fields.js";
import { stops } from "./forecast.js";
import { imageField } from "./image_field.js";
import { suggestSlug } from "./names.js";
import { fieldId } from "./paths.js";
import { tellDeleted } from "./signs.js";
import { languageName, text } from "./texts.js";
import { addLanguage, languagesOf, removeLanguage } from "./translations.js";

/** @import { Draft } from "./draft.js" */

const OFFERED = [
  "ar", "bn", "cs", "da", "de", "el", "en", "es", "fa", "fi", "fr", "he", "hi", "hu", "id", "it", "ja", "ko", "ms",
  "nl", "no", "pl", "pt", "ro", "ru", "sv", "sw", "th", "tr", "uk", "ur", "vi", "zh",
];
// The form's own colour.
const OWN = "#0f5f63";

export class Settings {
  #draft;
  #suggested = "";

  /** @param {Draft} draft */
  constructor(draft) {
    this.#draft = draft;
    draft.addEventListener("restructured", () => this.show());
  }

  show() {
    const draft = this.#draft;
    const title = textField(draft, worded(["title"], { onChange: () => this.#suggest(), attributes: { placeholder: text("title") } }));
    const slug = plainField(draft, worded(["slug"], {
      hint: text("slug_hint", { address: at("s/") }),
      attributes: { dir: "ltr", spellcheck: "false", maxlength: 64 },
    }));
    element("headline").replaceChildren(title);
    element("address").replaceChildren(slug);
    element("survey-texts").replaceChildren(
      textField(draft, worded(["introduction"], { rows: 3, isOptional: true })),
      textField(draft, worded(["thanks"], { rows: 2, isOptional: true })),
      thanksLinkFields(draft),
    );
    element("appearance").replaceChildren(imageField(draft, ["logo"], text("logo")), accentField(draft));
    element("operator").replaceChildren(...this.#operatorFields());
    element("fieldwork").replaceChildren(...fieldworkFields(draft));
    element("languages").replaceChildren(...this.#languageFields());
    element("asking").replaceChildren(
      this.#askField(),
      numberField(draft, worded(["waves"])),
      numberField(draft, worded(["wave"])),
    );
    this.#showEpsilon();
  }

  #operatorFields() {
    const onChange = () => completeOrRemove(this.#draft, "operator", ["name", "contact"]);
    const field = (/** @type {string} */ key) =>
      worded(["operator", key], { name: `operator_${key}`, isOptional: true, onChange });
    const contact = { ...field("contact"), hint: text("operator_contact_rule"), attributes: { dir: "ltr", maxlength: 200 } };
    return [
      plainField(this.#draft, { ...field("name"), attributes: { maxlength: 200 } }),
      plainField(this.#draft, contact),
      textField(this.#draft, { ...field("purpose"), rows: 2 }),
    ];
  }

  /** The slug follows the title until somebody writes another one. */
  #suggest() {
    const { title, slug } = this.#draft.document;
    const words = typeof title === "string" ? title : (title?.en ?? Object.values(title ?? {}).find(Boolean) ?? "");
    if (slug && slug !== this.#suggested) return;
    this.#suggested = words ? suggestSlug(words) : "";
    this.#draft.set(["slug"], this.#suggested, true);
    element(fieldId(["slug"]), HTMLInputElement).value = this.#suggested;
  }

  #languageFields() {
    const codes = languagesOf(this.#draft.document);
    const named = (/** @type {string[]} */ list) => list.map((value) => ({ value, label: languageName(value) }));
    const present = selectInput("language-present", named(OFFERED), document.documentElement.lang, () => {});
    const left = OFFERED.filter((code) => !codes.includes(code));
    const added = selectInput("language-added", named(left), left[0] ?? "", () => {});
    const add = button(text("language_add"), () => {
      if (added.value === present.value && codes.length === 0) return;
      this.#draft.restructure((document) => addLanguage(document, present.value, added.value));
      element("language-added").focus();
    }, { class: "small" });
    const list = codes.map((code) =>
      make("li", {}, languageName(code), button(text("language_remove", { language: languageName(code) }), () => {
        this.#draft.restructure((document) => removeLanguage(document, code));
        element("language-added").focus();
        tellDeleted(languageName(code));
      }, { class: "small" })),
    );
    return [
      codes.length > 0 ? make("ul", { class: "spoken" }, ...list) : labelled(text("language_present"), present),
      make("div", { class: "beside" }, labelled(text("language_new"), added), add),
    ];
  }

  #askField() {
    const path = ["ask"];
    const count = this.#draft.document.questions.length;
    const numbers = Array.from({ length: count }, (_, place) => String(place + 1));
    const options = [
      { value: "auto", label: text("ask_auto") },
      { value: "all", label: text("ask_all") },
      ...numbers.map((value) => ({ value, label: text("ask_some", { count: value }) })),
    ];
    const chosen = String(this.#draft.at(path) ?? "auto");
    const select = selectInput(fieldId(path), options, chosen, (value) => {
      this.#draft.set(path, value === "auto" ? undefined : value === "all" ? value : Number(value));
    });
    return labelled(text("ask"), select, text("ask_hint"));
  }

  #showEpsilon() {
    const path = ["epsilon"];
    const check = () => {
      for (const stop of stops()) stop.checked = Number(stop.value) === this.#draft.at(path);
    };
    const field = { path, label: text("epsilon_exact"), hint: text("epsilon_hint"), onChange: check };
    const exact = numberField(this.#draft, field);
    check();
    element("epsilon-exact").replaceChildren(exact);
    for (const stop of stops()) {
      stop.onchange = () => {
        this.#draft.set(path, Number(stop.value));
        /** @type {HTMLInputElement} */ (element(fieldId(path))).value = stop.value;
      };
    }
  }
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
function thanksLinkFields(draft) {
  const onChange = () => completeOrRemove(draft, "thanks_link", ["text", "url"]);
  const field = { isOptional: true, onChange };
  return make(
    "div",
    { class: "side-by-side", role: "group", "aria-label": text("thanks_link") },
    textField(draft, { ...field, path: ["thanks_link", "text"], label: text("thanks_link_text") }),
    plainField(draft, { ...field, path: ["thanks_link", "url"], label: text("link_url"), attributes: ADDRESS }),
  );
}
