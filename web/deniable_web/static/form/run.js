/**
 * The respondent's page: verifies the survey, draws the blocks, shows only those, shows the
 * answers, randomizes once, shows what will leave the device, and sends exactly those
 * bytes.
 *
 * No request before sending depends on an answer: only the survey is fetched, by its
 * digest, before the first question is shown.
 */
import { offerLanguages, preferredLanguage, showLanguage } from "./language.js";
import { whenBack } from "./leaving.js";
import { element } from "./page.js";
import { keepForOffline } from "./served.js";
import { Session } from "./session.js";

/** @import { Feedback } from "./feedback.js" */
/** @import { Fieldwork } from "./fieldwork.js" */

/**
 * Run the form on this page.
 *
 * @param {Feedback | null} feedback the feedback on the respondent's scores, if the survey
 *   has any.
 * @param {Fieldwork | null} fieldwork the window, the invitation and the groups, if the survey has any.
 */
export async function runForm(feedback, fieldwork) {
  const main = element("main");
  const { slug = "", digest = "", document = "", preview } = main.dataset;
  const place = { slug, digest, document, isPreview: preview !== undefined };
  const session = new Session(place, feedback, fieldwork);

  /** @type {{ readonly [button: string]: (button: HTMLElement) => unknown }} */
  const ACTIONS = {
    "use-code": () => session.useCode(),
    "with-group": () => session.chooseGroup(true),
    "without-group": () => session.chooseGroup(false),
    start: () => session.turn(1),
    next: () => session.turn(1),
    back: () => session.turn(-1),
    "look-over": () => session.lookOver(),
    revise: (button) => session.revise(button.dataset.question ?? ""),
    protect: () => session.protect(),
    look: () => session.look(),
    send: () => session.send(),
    decline: () => session.decline(),
    try: () => session.tryNow(),
  };

  main.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button) ACTIONS[button.dataset.action ?? button.id]?.(button);
  });
  main.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement) session.changed(target);
  });
  main.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement) session.completed(target);
  });
  // Making the report cannot be undone, so Enter in an input must not do it.
  main.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
  });
  main.addEventListener("submit", (event) => event.preventDefault());
  // No answer may reappear when a browser restores the page, or keeps it for the back button.
  addEventListener("pagehide", () => {
    session.wipe();
    feedback?.forget();
  });
  whenBack(() => session.turnBack());
  fieldwork?.whenOver(() => session.end());

  showLanguage(preferredLanguage());
  offerLanguages((code) => session.speak(code));
  await session.start();
  if (session.survey && !place.isPreview) await keepForOffline(document, session.survey.document);
  main.dataset.kept = "";
}
