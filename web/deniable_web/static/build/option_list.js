/** The options of a question: edit, reorder, add and remove them. */
import { make, signButton, button, announce } from "./dom.js";
import { dropStaleReferences, newOption, renameOption } from "./edits.js";
import { textField } from "./fields.js";
import { fieldId } from "./paths.js";
import { text } from "./texts.js";
import { languagesOf } from "./translations.js";
import { optionId } from "./types.js";

/** @typedef {import("./draft.js").Draft} Draft */

/**
 * @param {Draft} draft
 * @param {number} index the question's index.
 * @param {(id: string) => void} focus moves the focus to a field after it was rendered.
 */
export function optionList(draft, index, focus) {
  const count = draft.at(["questions", index, "options"])?.length ?? 0;
  const list = make("ol", { class: "options", id: fieldId(["questions", index, "options"]), tabindex: "-1" });
  for (let place = 0; place < count; place += 1) list.append(row(draft, index, place, count, focus));
  const add = button(text("add_option"), () => addOption(draft, index, count, focus), { class: "small" });
  return make("fieldset", {}, make("legend", {}, text("options")), list, add);
}

/**
 * @param {Draft} draft
 * @param {number} index
 * @param {number} place
 * @param {number} count
 * @param {(id: string) => void} focus
 */
function row(draft, index, place, count, focus) {
  const path = ["questions", index, "options", place];
  const move = (/** @type {number} */ target) => {
    draft.restructure((document) => {
      const { options } = document.questions[index];
      options.splice(target, 0, ...options.splice(place, 1));
    });
    focus(buttonId(index, target, target > place ? "down" : "up"));
    announce(text("moved", { place: target + 1 }));
  };
  const remove = () => {
    draft.restructure((document) => {
      document.questions[index].options.splice(place, 1);
      dropStaleReferences(document);
    });
    focus(inputId(draft, index, Math.max(0, Math.min(place, count - 2))));
  };
  const name = place + 1;
  return make(
    "li",
    {},
    optionFields(draft, index, place, focus),
    make(
      "div",
      { class: "signs" },
      signButton("up", text("option_up", { name }), () => move(place - 1), {
        disabled: place === 0, id: buttonId(index, place, "up"),
      }),
      signButton("down", text("option_down", { name }), () => move(place + 1), {
        disabled: place === count - 1, id: buttonId(index, place, "down"),
      }),
      signButton("delete", text("option_delete", { name }), remove, { id: `${fieldId(path)}-delete` }),
    ),
  );
}

/**
 * @param {Draft} draft
 * @param {number} index
 * @param {number} place
 * @param {(id: string) => void} focus
 */
function optionFields(draft, index, place, focus) {
  const path = ["questions", index, "options", place];
  const label = text("option", { place: place + 1 });
  const enter = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    addOption(draft, index, place + 1, focus);
  };
  const paste = (/** @type {ClipboardEvent} */ event) => {
    const lines = (event.clipboardData?.getData("text") ?? "").split(/\r?\n/).map((line) => line.trim());
    if (lines.filter(Boolean).length < 2) return;
    event.preventDefault();
    draft.restructure((document) => {
      const { options } = document.questions[index];
      const isBlank = optionId(options[place]).trim() === "";
      options.splice(place + (isBlank ? 0 : 1), isBlank ? 1 : 0, ...lines.filter(Boolean));
    });
  };
  if (typeof draft.at(path) !== "string") return namedOption(draft, path, label, enter);
  const input = make("input", {
    type: "text", dir: "auto", id: fieldId(path), "aria-label": label, autocomplete: "off", maxlength: 200,
  });
  input.value = draft.at(path);
  input.addEventListener("input", () => {
    renameOption(draft.document, index, place, input.value);
    draft.set(path, input.value);
  });
  input.addEventListener("keydown", enter);
  input.addEventListener("paste", paste);
  return input;
}

/**
 * The field for an option whose name in results differs from its text.
 *
 * @param {Draft} draft
 * @param {(string | number)[]} path
 * @param {string} label
 * @param {(event: any) => void} enter
 */
function namedOption(draft, path, label, enter) {
  const made = textField(draft, { path: [...path, "text"], label, isOptional: true });
  made.addEventListener("keydown", enter);
  return made;
}

/**
 * @param {Draft} draft
 * @param {number} index
 * @param {number} place
 * @param {(id: string) => void} focus
 */
function addOption(draft, index, place, focus) {
  draft.restructure((document) => {
    const { options } = document.questions[index];
    options.splice(place, 0, newOption(document, options, ""));
  });
  focus(inputId(draft, index, place));
}

/**
 * @param {Draft} draft
 * @param {number} index
 * @param {number} place
 */
function inputId(draft, index, place) {
  const path = ["questions", index, "options", place];
  if (typeof draft.at(path) === "string") return fieldId(path);
  const [code] = languagesOf(draft.document);
  return fieldId(code ? [...path, "text", code] : [...path, "text"]);
}

/**
 * @param {number} index
 * @param {number} place
 * @param {"up" | "down"} way
 */
function buttonId(index, place, way) {
  return `${fieldId(["questions", index, "options", place])}-${way}`;
}
