/** When the survey is open, and who may answer it. */
import { focusOn, make } from "./dom.js";
import { checkField, numberField, plainField, ticked } from "./fields.js";
import { groupList } from "./group_list.js";
import { KEYS_COMMAND, changeInvited, groupsWithoutKey, hasSmallGroup } from "./groups.js";
import { momentField } from "./moment_field.js";
import { fieldId } from "./paths.js";
import { stopFields } from "./stop_fields.js";
import { text } from "./texts.js";

/** @import { Draft } from "./draft.js" */

/**
 * @param {Draft} draft
 */
export function fieldworkFields(draft) {
  const moment = (/** @type {string} */ key) =>
    momentField(draft, { path: [key], label: text(key), hint: text(`${key}_hint`) });
  const most = numberField(draft, {
    path: ["at_most_reports"], label: text("at_most_reports"), hint: text("at_most_reports_hint"),
  });
  const ends = [moment("closes"), most, ...stopFields(draft)];
  return [moment("opens"), ...ends, invitedField(draft), ...invitationFields(draft)];
}

/** @param {Draft} draft */
function invitedField(draft) {
  const path = ["invited"];
  const field = { path, label: text("invited"), hint: text("invited_hint") };
  return ticked(field, draft.at(path) !== undefined, (isInvited) => {
    draft.restructure((document) => changeInvited(document, isInvited));
    focusOn(fieldId(path));
  });
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
