/** The groups of invited people: edit, reorder, add and remove them. */
import { button, focusOn, make } from "./dom.js";
import { numberField, textField } from "./fields.js";
import { addGroup, byPlace, groupIds, groupsOf, moveGroup, removeGroup, renamedGroups } from "./groups.js";
import { nameAfterText, nameField } from "./name_field.js";
import { fieldId } from "./paths.js";
import { memberSigns } from "./signs.js";
import { text } from "./texts.js";
import { languagesOf } from "./translations.js";

/** @import { Draft } from "./draft.js" */

const PATH = ["invited", "groups"];
const ADD = "add-group";

/** @param {Draft} draft */
export function groupList(draft) {
  const count = groupIds(draft.document).length;
  const list = make("ol", { class: "groups", id: fieldId(PATH), tabindex: "-1" });
  for (let place = 0; place < count; place += 1) list.append(row(draft, place, count));
  const add = button(text("group_add"), () => {
    draft.restructure(addGroup);
    focusOn(nameId(draft, count));
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
  const named = {
    kind: /** @type {const} */ ("group"),
    id: fieldId(path),
    read: () => groupIds(draft.document)[place] ?? "",
    rename: (/** @type {string} */ id) => draft.set(PATH, renamedGroups(groupsOf(draft.document), place, id)),
  };
  name.addEventListener("change", () => {
    const others = groupIds(draft.document).filter((_, other) => other !== place);
    nameAfterText(named, groups.at([...path, "text"]), others);
  });
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
      nameField(named, `${text("group_id_hint")} ${text("question_id_hint")}`),
    ),
    make("p", { class: "hint", id: fieldId([...path, "modulus"]), tabindex: "-1" }, text(hasKey ? "group_key" : "group_no_key")),
    memberSigns({
      kind: "group",
      place,
      count,
      id: (each) => fieldId([...PATH, each]),
      move: (target) => draft.restructure((document) => moveGroup(document, place, target)),
      remove: () => {
        draft.restructure((document) => removeGroup(document, place));
        focusOn(count > 1 ? nameId(draft, Math.min(place, count - 2)) : ADD);
      },
    }),
  );
  return make("li", {}, fields);
}

/** @param {Draft} draft @param {number} place */
function nameId(draft, place) {
  const [code] = languagesOf(draft.document);
  return fieldId([...PATH, place, "text", ...(code ? [code] : [])]);
}
