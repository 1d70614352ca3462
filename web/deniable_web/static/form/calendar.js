/** A reminder for the respondent's own calendar (RFC 5545). */

const LINE_BYTES = 75;

/**
 * The calendar entry at which a survey opens, with the address of this page unless it is a file.
 *
 * @param {string} title of the survey.
 * @param {Date} opens
 */
export function calendarEntry(title, opens) {
  // Of a file only its name: the rest of its address says whose computer it is on.
  const isFile = location.protocol === "file:";
  const path = isFile ? location.pathname.replace(/.*\//, "") : location.pathname;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//deniable//form//EN",
    "BEGIN:VEVENT",
    `UID:${opens.getTime()}-${encodeURIComponent(path)}`,
    `DTSTAMP:${utc(opens)}`,
    `DTSTART:${utc(opens)}`,
    `SUMMARY:${title.replace(/[\\;,]/g, "\\$&").replace(/\r\n?|\n/g, "\\n")}`,
    ...(isFile ? [] : [`URL:${location.origin}${path}`]),
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  const text = lines.map((line) => `${folded(line)}\r\n`).join("");
  return new Blob([text], { type: "text/calendar;charset=utf-8" });
}

/** @param {Date} moment */
function utc(moment) {
  return moment.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** @param {string} line In parts of at most 75 bytes, as calendars require. */
function folded(line) {
  const parts = [""];
  for (const character of line) {
    const last = parts.at(-1) ?? "";
    const room = LINE_BYTES - Number(parts.length > 1);
    if (new TextEncoder().encode(last + character).length > room) parts.push(character);
    else parts[parts.length - 1] = last + character;
  }
  return parts.join("\r\n ");
}
