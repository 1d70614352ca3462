/** The panels of the form's page; one is shown at a time. */
import { element } from "./page.js";

/**
 * @typedef {"survey" | "review" | "held" | "declined" | "sent" | "closed" | "preview" | "waiting"
 *   | "unkept" | "unreachable" | "refused" | "answered" | "capped" | ""} Panel
 */

/** @type {readonly Panel[]} */
const PANELS = [
  "survey", "review", "held", "declined", "sent", "closed", "preview", "waiting", "unkept",
  "unreachable", "refused", "answered", "capped",
];

/**
 * Show one panel and hide the others.
 *
 * @param {Panel} panel empty to show none.
 * @param {boolean} [takesFocus] whether its title gets the focus.
 */
export function showPanel(panel, takesFocus = true) {
  for (const id of PANELS) {
    const found = document.getElementById(id);
    if (found) found.hidden = id !== panel;
  }
  if (panel === "survey") return;
  element("opening").hidden = true;
  if (panel && takesFocus) element(`${panel}-title`).focus();
}
