/** When the survey is open, and who may answer it. */
import { focusOn, make } from "./dom.js";
import { ADDRESS, checkField, numberField, plainField, ticked, worded } from "./fields.js";
import { groupList } from "./group_list.js";
import { KEYS_COMMAND, changeInvited, groupsWithoutKey, hasSmallGroup } from "./groups.js";
import { momentField } from "./moment_field.js";
import { fieldId } from "./paths.js";
import { stopFields } from "./stop_fields.js";
import { text } from "./texts.js";

/** @import { Draft } from "./draft.js" */

/** @param {Draft} draft */
export function fieldworkFields(draft) {
  return [
    momentField(draft, worded(["opens"])),
    momentField(draft, worded(["closes"])),
    numberField(draft, worded(["at_most_reports"])),
    ...stopFields(draft),
    invitedField(draft),
    ...invitationFields(draft),
  ];
}

/** @param {Draft} draft */
function invitedField(draft) {
  const path = ["invited"];
  return ticked(worded(path), draft.at(path) !== undefined, (isInvited) => {
    draft.restructure((document) => changeInvited(document, isInvited));
    focusOn(fieldId(path));
  });
}

/** @param {Draft} draft @returns {HTMLElement[]} empty if everybody may answer. */
function invitationFields(draft) {
  if (draft.at(["invited"]) === undefined) return [];
  const groups = groupList(draft);
  const small = checkField(draft, worded(["invited", "small_groups"]));
  const showSmall = () => {
    small.hidden = !hasSmallGroup(draft.document) && draft.at(["invited", "small_groups"]) !== true;
  };
  groups.addEventListener("change", showSmall);
  showSmall();
  const lacksKeys = groupsWithoutKey(draft.document).length > 0;
  return [
    plainField(draft, worded(["invited", "issuer"], {
      hint: `${text("issuer_hint")} ${text("issuer_rule")}`, attributes: ADDRESS,
    })),
    momentField(draft, worded(["invited", "collect_until"])),
    groups,
    small,
    ...(lacksKeys ? [make("p", { class: "hint" }, text("keys_next", { command: `${KEYS_COMMAND} FILE` }))] : []),
  ];
}
