/** When the survey is open, when it closes by itself, and who may answer it. */
import { focusOn, make } from "./dom.js";
import {
  ADDRESS,
  checkField,
  labelled,
  numberField,
  plainField,
  shownText,
  tickFields,
  ticked,
  worded,
} from "./fields.js";
import { groupList } from "./group_list.js";
import { KEYS_COMMAND, changeInvited, changeLinkGroups, groupsWithoutKey, hasSmallGroup } from "./groups.js";
import { EXAMPLE, offsetAt, onClock, readMoment, writeMoment } from "./moments.js";
import { fieldId } from "./paths.js";
import { changeStopWhen, hasShares, inPoints, offeredQuestions, ruledQuestions } from "./stop_rule.js";
import { text } from "./texts.js";

/** @import { Draft } from "./draft.js" */
/** @import { Field } from "./fields.js" */

const PATH = ["stop_when"];
const QUESTIONS = [...PATH, "questions"];
// With later years, the field would have room for six digits.
const LATEST = "2099-12-31T23:59";

/** @param {Draft} draft */
export function fieldworkFields(draft) {
  return [
    momentField(draft, worded(["opens"])),
    momentField(draft, worded(["closes"])),
    numberField(draft, worded(["at_most_reports"])),
    sealedField(draft),
    ...stopFields(draft),
    invitedField(draft),
    ...invitationFields(draft),
    ...linkFields(draft),
  ];
}

/** @param {Draft} draft @returns {HTMLElement[]} empty if people are invited. */
function linkFields(draft) {
  if (draft.at(["invited"]) !== undefined) return [];
  const path = ["link_groups"];
  const areGiven = draft.at(["groups"]) !== undefined;
  const box = ticked(worded(path), areGiven, (now) => {
    draft.restructure((document) => changeLinkGroups(document, now));
    focusOn(fieldId(path));
  });
  return areGiven ? [box, groupList(draft)] : [box];
}

/** @param {Draft} draft */
function sealedField(draft) {
  const path = ["results"];
  return ticked(worded(path, { name: "sealed" }), draft.at(path) === "at_end", (isSealed) =>
    draft.set(path, isSealed ? "at_end" : undefined));
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

/** @param {Draft} draft @returns {HTMLElement[]} */
function stopFields(draft) {
  const isRuled = draft.at(PATH) !== undefined;
  const box = ticked(worded(PATH), isRuled, (now) => {
    draft.restructure((document) => changeStopWhen(document, now));
    focusOn(fieldId(PATH));
  });
  if (!isRuled) return [box];
  const margin = numberField(inPoints(draft), worded([...PATH, "margin"], { name: "stop_margin" }));
  return [box, margin, questionsField(draft)];
}

/** @param {Draft} draft */
function questionsField(draft) {
  const named = ruledQuestions(draft.document);
  const questions = offeredQuestions(draft.document);
  const offered = questions.map((question) => ({
    label: shownText(question.text),
    isTicked: named ? named.includes(question.id) : hasShares(question),
  }));
  return tickFields(fieldId(QUESTIONS), text("stop_questions"), offered, (areTicked) => {
    const ids = questions.filter((_, place) => areTicked[place]).map(({ id }) => id);
    // All of them are meant also after another question was added.
    const areAll = questions.every((question, place) => hasShares(question) === areTicked[place]);
    draft.set(QUESTIONS, areAll ? undefined : ids);
  });
}

/**
 * The text in the draft stays as it is until somebody edits the field.
 *
 * @param {Draft} draft
 * @param {Field & { hint: string }} field
 */
function momentField(draft, { path, label, hint }) {
  const written = draft.at(path);
  // A field for dates could not show what is wrong with it.
  if (written && !readMoment(written)) {
    return plainField(draft, {
      path, label, hint: text("moment_rule", { example: EXAMPLE }), isOptional: true,
      attributes: { dir: "ltr", spellcheck: "false", class: "short" },
    });
  }
  const input = make("input", { type: "datetime-local", id: fieldId(path), max: LATEST, autocomplete: "off" });
  const moment = () => readMoment(draft.at(path));
  const show = () => {
    const shown = moment();
    const clock = shown ? onClock(shown) : "";
    if (input.value !== clock) input.value = clock;
  };
  const made = labelled(label, input, hint);
  const note = made.querySelector(".hint");
  const say = () => {
    if (!note) return;
    const [zone, shown] = [new Intl.DateTimeFormat().resolvedOptions().timeZone, moment()];
    const words = shown ? `${zone}, UTC${offsetAt(shown)}` : zone;
    note.textContent = `${hint} ${text("moment_zone", { zone: words })}`;
  };
  input.addEventListener("input", () => {
    draft.set(path, input.value === "" ? undefined : writeMoment(new Date(input.value)));
    say();
  });
  input.addEventListener("blur", () => {
    // Only half of a date: an empty text is a problem that names the field.
    const isHalf = input.validity.badInput;
    if (input.value === "" && (draft.at(path) === "") !== isHalf) draft.set(path, isHalf ? "" : undefined);
    // When clocks go forward, an hour is missing; the field then shows the moment in the draft.
    if (!isHalf) show();
  });
  show();
  say();
  return made;
}

