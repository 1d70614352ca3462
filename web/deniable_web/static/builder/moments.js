/** Moments as a definition contains them, and as the author's clock shows them. */

/** A moment as a definition contains it. */
export const EXAMPLE = "2026-12-06T18:00+01:00";

const WRITTEN = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::00)?(Z|[+-]\d\d:\d\d)$/;
const MINUTE_MS = 60_000;

/** The moment in a definition's text, or null if it contains none. @param {unknown} written */
export function readMoment(written) {
  const [, day, time, offset] = WRITTEN.exec(String(written)) ?? [];
  const moment = new Date(`${day}T${time}${offset}`);
  // Some browsers read the 30th of February as the 2nd of March.
  const asWritten = new Date(`${day}T${time}Z`).toJSON();
  return moment.toJSON() && asWritten?.startsWith(`${day}T${time}`) ? moment : null;
}

/**
 * A moment as a definition contains it, with the offset of the author's time zone at this moment.
 *
 * @param {Date} moment
 */
export function writeMoment(moment) {
  return `${onClock(moment)}${offsetAt(moment)}`;
}

/**
 * What the author's clock shows at a moment, such as 2026-12-06T18:00
 *
 * @param {Date} moment
 */
export function onClock(moment) {
  return minuteOf(new Date(moment.getTime() + minutesAhead(moment) * MINUTE_MS));
}

/**
 * How far the author's clock is ahead of UTC at a moment, such as +01:00
 *
 * @param {Date} moment
 */
export function offsetAt(moment) {
  const ahead = minutesAhead(moment);
  const [, clock] = minuteOf(new Date(Math.abs(ahead) * MINUTE_MS)).split("T");
  return `${ahead < 0 ? "-" : "+"}${clock}`;
}

/** @param {Date} moment */
function minutesAhead(moment) {
  return -Math.round(moment.getTimezoneOffset());
}

/** @param {Date} moment */
function minuteOf(moment) {
  return moment.toISOString().slice(0, "2026-12-06T18:00".length);
}
