/** The groups of invited people: edit, reorder, add and remove them. */
import { announce, button, make, signButton } from "./dom.js";
import { labelled, numberField, shownText, textField } from "./fields.js";
import { addGroup, byPlace, groupIds, groupsOf, moveGroup, removeGroup, renamedGroups } from "./groups.js";
import { suggestId } from "./names.js";
import { fieldId } from "./paths.js";
import { text } from "./texts.js";
import { languagesOf } from "./translations.js";

/** @typedef {import("./draft.js").Draft} Draft */

const PATH = ["invited", "groups"];
const ADD = "add-group";
const GIVEN_BY_US = /^group_\d+$/;

/** @param {Draft} draft */
export function groupList(draft) {
  const count = groupIds(draft.document).length;
  const list = make("ol", { class: "groups", id: fieldId(PATH), tabindex: "-1" });
  for (let place = 0; place < count; place += 1) list.append(row(draft, place, count));
  const add = button(text("group_add"), () => {
    draft.restructure(addGroup);
    focus(nameId(draft, count));
  }, { class: "small", id: ADD });
  const hint = make("p", { class: "hint" }, text("groups_hint"));
  return make("fieldset", { class: "stack" }, make("legend", {}, text("groups")), hint, list, make("div", {}, add));
}

/**
 * @param {Draft} draft
 * @param {number} place
 * @param {number} count
 */
function row(draft, place, count) {
  const path = [...PATH, place];
  const groups = byPlace(draft);
  const isNamedById = groups.at([...path, "text"]) === undefined;
  const name = textField(groups, {
    path: [...path, "text"], label: text("group_text"),
    attributes: { placeholder: isNamedById ? groupIds(draft.document)[place] : undefined },
  });
  name.addEventListener("change", () => nameAfterText(draft, place));
  const hasKey = Boolean(groups.at([...path, "modulus"]));
  const fields = make(
    "fieldset",
    { class: "ticks stack" },
    make("legend", {}, text("group", { place: place + 1 })),
    name,
    make(
      "div",
      { class: "side-by-side" },
      numberField(groups, { path: [...path, "invited"], label: text("group_invited") }),
      idField(draft, place),
    ),
    make("p", { class: "hint", id: fieldId([...path, "modulus"]), tabindex: "-1" }, text(hasKey ? "group_key" : "group_no_key")),
    signs(draft, place, count),
  );
  return make("li", {}, fields);
}

/**
 * @param {Draft} draft
 * @param {number} place
 */
function idField(draft, place) {
  const input = make("input", {
    type: "text", id: fieldId([...PATH, place]), autocomplete: "off", spellcheck: "false", dir: "ltr", maxlength: 40,
  });
  const show = () => {
    input.value = groupIds(draft.document)[place] ?? "";
  };
  show();
  input.addEventListener("input", () => rename(draft, place, input.value));
  // The name of another group has a number behind it.
  input.addEventListener("change", show);
  return labelled(text("group_id"), input, `${text("group_id_hint")} ${text("question_id_hint")}`);
}

/**
 * Names a group after its text while it still has a name that the builder made.
 *
 * @param {Draft} draft
 * @param {number} place
 */
function nameAfterText(draft, place) {
  const ids = groupIds(draft.document);
  const words = shownText(groupsOf(draft.document)[ids[place] ?? ""]?.text);
  if (!GIVEN_BY_US.test(ids[place] ?? "") || words === text("untitled")) return;
  const name = suggestId(words, ids.filter((_, other) => other !== place));
  if (name === "question") return;
  rename(draft, place, name);
  const field = document.getElementById(fieldId([...PATH, place]));
  if (field instanceof HTMLInputElement) field.value = name;
}

/**
 * @param {Draft} draft
 * @param {number} place
 * @param {string} id
 */
function rename(draft, place, id) {
  draft.set(PATH, renamedGroups(groupsOf(draft.document), place, id));
}

/**
 * @param {Draft} draft
 * @param {number} place
 * @param {number} count
 */
function signs(draft, place, count) {
  const name = { place: place + 1 };
  const signId = (/** @type {number} */ at, /** @type {string} */ way) => `${fieldId([...PATH, at])}-${way}`;
  const move = (/** @type {number} */ target) => {
    draft.restructure((document) => moveGroup(document, place, target));
    const [way, other] = target > place ? ["down", "up"] : ["up", "down"];
    // At an end of the list, the button that moved it there is disabled.
    focus(signId(target, way));
    if (document.activeElement?.id !== signId(target, way)) focus(signId(target, other));
    announce(text("moved", { place: target + 1 }));
  };
  const remove = () => {
    draft.restructure((document) => removeGroup(document, place));
    focus(count > 1 ? nameId(draft, Math.min(place, count - 2)) : ADD);
  };
  return make(
    "div",
    { class: "signs" },
    signButton("up", text("group_up", name), () => move(place - 1), {
      disabled: place === 0, id: signId(place, "up"),
    }),
    signButton("down", text("group_down", name), () => move(place + 1), {
      disabled: place === count - 1, id: signId(place, "down"),
    }),
    signButton("delete", text("group_delete", name), remove),
  );
}

/**
 * @param {Draft} draft
 * @param {number} place
 */
function nameId(draft, place) {
  const [code] = languagesOf(draft.document);
  return fieldId([...PATH, place, "text", ...(code ? [code] : [])]);
}

/** @param {string} id */
function focus(id) {
  document.getElementById(id)?.focus();
}
