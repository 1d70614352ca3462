/**
 * The respondent's page: verify the survey, draw the blocks, show just those,
 * randomize once, show what will leave, send those bytes.
 *
 * No request before sending depends on an answer: the survey is fetched by
 * its digest before the first question is shown, and nothing else is.
 */
import { drawBlocks, openSurvey, randomize } from "../sdk/index.js";
import { element, fail, setStatus, text } from "./page.js";
import { Questions } from "./questions.js";
import { showReview } from "./review.js";

const form = /** @type {HTMLFormElement} */ (element("survey"));

/** @param {string} digest */
async function fetchSurvey(digest) {
  const response = await fetch(`/api/surveys/by-digest/${digest}`, {
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
  });
  if (!response.ok) throw new Error(`${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function start() {
  element("no-script").hidden = true;
  setStatus(text("loading"));
  const digest = form.dataset.digest ?? "";
  const survey = await openSurvey(await fetchSurvey(digest), { digest });
  const blocks = drawBlocks(survey);
  const questions = new Questions(survey, blocks);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      const answers = questions.read();
      if (answers === undefined) return;
      const report = randomize(survey, answers, blocks);
      form.reset();
      showReview(survey, report);
    } catch (error) {
      refuse(error);
    }
  });
  follow(questions);
  form.hidden = false;
  setStatus("");
}

/** @param {Questions} questions They follow what is done in the form. */
function follow(questions) {
  form.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement) questions.changed(target);
  });
  form.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement) questions.completed(target);
  });
  // There is no way back from the report, so Enter in an input does not make it.
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
  });
  // A page kept for the back button, or restored by the browser, must not
  // bring an answer back.
  addEventListener("pagehide", () => {
    form.reset();
    questions.follow();
  });
}

/** @param {unknown} error Nothing can be filled in or sent; says why. */
function refuse(error) {
  form.reset();
  form.hidden = true;
  setStatus("");
  fail(`${text("broken")}${error instanceof Error ? error.message : ""}`);
}

await start().catch(refuse);
