/** When the survey is open, and who may answer it. */
import { element, make } from "./dom.js";
import { checkField, numberField, plainField } from "./fields.js";
import { groupList } from "./group_list.js";
import { KEYS_COMMAND, changeInvited, groupsWithoutKey, hasSmallGroup } from "./groups.js";
import { momentField } from "./moment_field.js";
import { fieldId } from "./paths.js";
import { text } from "./texts.js";

/** @typedef {import("./draft.js").Draft} Draft */

/**
 * @param {Draft} draft
 * @returns {HTMLElement[]}
 */
export function fieldworkFields(draft) {
  const moment = (/** @type {string} */ key) =>
    momentField(draft, { path: [key], label: text(key), hint: text(`${key}_hint`) });
  const most = numberField(draft, {
    path: ["at_most_reports"], label: text("at_most_reports"), hint: text("at_most_reports_hint"),
  });
  return [moment("opens"), moment("closes"), most, invitedField(draft), ...invitationFields(draft)];
}

/** @param {Draft} draft */
function invitedField(draft) {
  const id = fieldId(["invited"]);
  const box = make("input", { type: "checkbox", id, "aria-describedby": `${id}-hint` });
  box.checked = draft.at(["invited"]) !== undefined;
  box.addEventListener("change", () => {
    draft.restructure((document) => changeInvited(document, box.checked));
    element(id).focus();
  });
  return make(
    "div",
    { class: "field" },
    make("label", { class: "tick", for: id }, box, make("span", {}, text("invited"))),
    make("p", { class: "hint", id: `${id}-hint` }, text("invited_hint")),
  );
}

/**
 * @param {Draft} draft
 * @returns {HTMLElement[]} empty if everybody may answer.
 */
function invitationFields(draft) {
  if (draft.at(["invited"]) === undefined) return [];
  const groups = groupList(draft);
  const small = checkField(draft, {
    path: ["invited", "small_groups"], label: text("small_groups"), hint: text("small_groups_hint"),
  });
  const showSmall = () => {
    small.hidden = !hasSmallGroup(draft.document) && draft.at(["invited", "small_groups"]) !== true;
  };
  groups.addEventListener("change", showSmall);
  showSmall();
  const lacksKeys = groupsWithoutKey(draft.document).length > 0;
  return [
    plainField(draft, {
      path: ["invited", "issuer"], label: text("issuer"), hint: `${text("issuer_hint")} ${text("issuer_rule")}`,
      attributes: { dir: "ltr", inputmode: "url", spellcheck: "false", placeholder: "https://" },
    }),
    momentField(draft, {
      path: ["invited", "collect_until"], label: text("collect_until"), hint: text("collect_until_hint"),
    }),
    groups,
    small,
    ...(lacksKeys ? [make("p", { class: "hint" }, text("keys_next", { command: `${KEYS_COMMAND} FILE` }))] : []),
  ];
}
