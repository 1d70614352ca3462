/** The options of a question: edit, reorder, add and remove them. */
import { all, button, focusOn, make, toast } from "./dom.js";
import { letMove } from "./dragging.js";
import { dropStaleReferences, newOption, renameOption } from "./edits.js";
import { textField } from "./fields.js";
import { fieldId } from "./paths.js";
import { memberSigns, signButton } from "./signs.js";
import { text } from "./texts.js";
import { languagesOf } from "./translations.js";
import { optionId } from "./types.js";

/** @import { Draft } from "./draft.js" */

/** @param {Draft} draft @param {number} index the question's index. */
export function optionList(draft, index) {
  const count = draft.at(["questions", index, "options"])?.length ?? 0;
  const list = make("ol", { class: "options", id: fieldId(["questions", index, "options"]), tabindex: "-1" });
  for (let place = 0; place < count; place += 1) {
    const id = (/** @type {number} */ each) => fieldId(["questions", index, "options", each]);
    const move = (/** @type {number} */ target) => draft.restructure((document) => {
      const { options } = document.questions[index];
      options.splice(target, 0, ...options.splice(place, 1));
    });
    const grip = signButton("grip", text("option_grip", { name: place + 1 }), () => {}, { id: `${id(place)}-grip`, class: "sign grip" });
    letMove(grip, {
      members: () => all("li", list),
      moved: () => [place],
      drop: (before) => {
        const target = before > place ? before - 1 : before;
        move(target);
        focusOn(`${id(target)}-grip`);
        toast(text("moved", { place: target + 1 }));
      },
    });
    const signs = memberSigns({
      kind: "option",
      place,
      count,
      id,
      move,
      remove: () => {
        draft.restructure((document) => {
          document.questions[index].options.splice(place, 1);
          dropStaleReferences(document);
        });
        focusOn(inputId(draft, index, Math.max(0, Math.min(place, count - 2))));
      },
    });
    list.append(make("li", {}, grip, optionFields(draft, index, place), signs));
  }
  const add = button(text("add_option"), () => addOption(draft, index, count), { class: "small" });
  return make("fieldset", {}, make("legend", {}, text("options")), list, add);
}

/**
 * @param {Draft} draft
 * @param {number} index
 * @param {number} place
 */
function optionFields(draft, index, place) {
  const path = ["questions", index, "options", place];
  const label = text("option", { place: place + 1 });
  const enter = (/** @type {any} */ event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    addOption(draft, index, place + 1);
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
  if (typeof draft.at(path) !== "string") {
    // An option whose name in results differs from its text.
    const made = textField(draft, { path: [...path, "text"], label, isOptional: true });
    made.addEventListener("keydown", enter);
    return made;
  }
  const input = make("input", {
    type: "text", dir: "auto", id: fieldId(path), "aria-label": label, placeholder: label, autocomplete: "off", maxlength: 200,
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
 * @param {Draft} draft
 * @param {number} index
 * @param {number} place
 */
function addOption(draft, index, place) {
  draft.restructure((document) => {
    const { options } = document.questions[index];
    options.splice(place, 0, newOption(document, options));
  });
  focusOn(inputId(draft, index, place));
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
