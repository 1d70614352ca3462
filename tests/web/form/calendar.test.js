/** The reminder of a survey, as a calendar reads it. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { calendarEntry } from "../../../web/deniable_web/static/form/calendar.js";

test("a title adds no line to the calendar entry", async () => {
  Object.defineProperty(globalThis, "location", {
    value: new URL("https://example.org/s/work"), configurable: true,
  });
  const title = "Work; a, b \\n\r\nEND:VEVENT\rX\nY";
  const text = await calendarEntry(title, new Date("2030-01-02T03:04:00Z")).text();
  const lines = text.replaceAll("\r\n ", "").split("\r\n");
  assert.equal(lines.filter((line) => line === "END:VEVENT").length, 1);
  assert.ok(lines.includes("SUMMARY:Work\\; a\\, b \\\\n\\nEND:VEVENT\\nX\\nY"));
  assert.doesNotMatch(lines.join(""), /[\r\n]/);
});
