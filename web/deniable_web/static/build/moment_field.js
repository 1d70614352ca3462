/** The field for a moment, as the clock of the author's time zone shows it. */
import { make } from "./dom.js";
import { labelled, plainField } from "./fields.js";
import { EXAMPLE, offsetAt, onClock, readMoment, writeMoment } from "./moments.js";
import { fieldId } from "./paths.js";
import { text } from "./texts.js";

/** @import { Draft, Field } from "./fields.js" */

// With later years, the field would have room for six digits.
const LATEST = "2099-12-31T23:59";

/**
 * The text in the draft stays as it is until somebody edits the field.
 *
 * @param {Draft} draft
 * @param {Field & { hint: string }} field
 */
export function momentField(draft, { path, label, hint }) {
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
    if (note) note.textContent = `${hint} ${text("moment_zone", { zone: zoneWords(moment()) })}`;
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

/** @param {Date | null} moment */
function zoneWords(moment) {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return moment ? `${zone}, UTC${offsetAt(moment)}` : zone;
}
