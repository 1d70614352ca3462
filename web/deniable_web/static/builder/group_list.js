/** The groups of a survey: edit, reorder, add and remove them. */
import { button, focusOn, make } from "./dom.js";
import { numberField, textField } from "./fields.js";
import {
  addGroup, byPlace, groupIds, groupsOf, groupsPath, moveGroup, peopleKey, removeGroup, renamedGroups,
} from "./groups.js";
import { nameAfterText, nameField } from "./name_field.js";
import { fieldId } from "./paths.js";
import { memberSigns } from "./signs.js";
import { text } from "./texts.js";
import { languagesOf } from "./translations.js";

/** @import { Draft } from "./draft.js" */

const ADD = "add-group";

/** @param {Draft} draft */
export function groupList(draft) {
  const count = groupIds(draft.document).length;
  const list = make("ol", { class: "groups", id: fieldId(groupsPath(draft.document)), tabindex: "-1" });
  for (let place = 0; place < count; place += 1) list.append(row(draft, place, count));
  const add = button(text("group_add"), () => {
    draft.restructure(addGroup);
    focusOn(nameId(draft, count));
  }, { class: "small", id: ADD });
  const hint = make("p", { class: "hint" }, text("groups_hint"));
  return make("fieldset", { class: "stack" }, make("legend", {}, text(areInvited(draft) ? "groups" : "link_groups")), hint, list, make("div", {}, add));
}

/**
 * @param {Draft} draft
 * @param {number} place
 * @param {number} count
 */
function row(draft, place, count) {
  const base = groupsPath(draft.document);
  const path = [...base, place];
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
    rename: (/** @type {string} */ id, /** @type {boolean} */ isFollowing) =>
      draft.set(base, renamedGroups(groupsOf(draft.document), place, id), isFollowing),
  };
  name.addEventListener("change", () => {
    const others = groupIds(draft.document).filter((_, other) => other !== place);
    nameAfterText(named, groups.at([...path, "text"]), others);
  });
  const people = peopleKey(draft.document);
  const fields = make(
    "fieldset",
    { class: "ticks stack" },
    make("legend", {}, text("group", { place: place + 1 })),
    name,
    make(
      "div",
      { class: "side-by-side" },
      numberField(groups, { path: [...path, people], label: text(`group_${people}`) }),
      nameField(named, `${areInvited(draft) ? text("group_id_hint") : ""} ${text("question_id_hint")}`.trim()),
    ),
    ...(areInvited(draft) ? [keyHint(path, Boolean(groups.at([...path, "modulus"])))] : []),
    memberSigns({
      kind: "group",
      place,
      count,
      id: (each) => fieldId([...base, each]),
      move: (target) => draft.restructure((document) => moveGroup(document, place, target)),
      remove: () => {
        draft.restructure((document) => removeGroup(document, place));
        focusOn(count > 1 ? nameId(draft, Math.min(place, count - 2)) : ADD);
      },
    }),
  );
  return make("li", {}, fields);
}

/** @param {import("./paths.js").Path} path @param {boolean} hasKey */
function keyHint(path, hasKey) {
  const about = { class: "hint", id: fieldId([...path, "modulus"]), tabindex: "-1" };
  return make("p", about, text(hasKey ? "group_key" : "group_no_key"));
}

/** Whether its groups are of invited people; others are given by links. @param {Draft} draft */
function areInvited(draft) {
  return draft.at(["invited"]) !== undefined;
}

/** @param {Draft} draft @param {number} place */
function nameId(draft, place) {
  const [code] = languagesOf(draft.document);
  return fieldId([...groupsPath(draft.document), place, "text", ...(code ? [code] : [])]);
}
