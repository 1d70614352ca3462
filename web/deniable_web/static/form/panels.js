/** The panels of the form's page; one is shown at a time. */
import { all, element } from "./page.js";

/**
 * @typedef {"survey" | "review" | "held" | "declined" | "sent" | "closed" | "preview" | "waiting"
 *   | "unkept" | "unreachable" | "refused" | "answered" | "capped" | "invitation" | "group" | "early" | ""} Panel
 */

/**
 * Show one panel and hide the others.
 *
 * @param {Panel} panel empty to show none.
 * @param {boolean} [takesFocus] whether its title gets the focus.
 */
export function showPanel(panel, takesFocus = true) {
  for (const found of all("section, #survey")) found.hidden = found.id !== panel;
  if (panel === "survey") return;
  // Some panels are part of what is shown before the first question.
  element("opening").hidden = !document.querySelector(`#opening > #${panel || "survey"}`);
  if (panel && takesFocus) element(`${panel}-title`).focus();
}
