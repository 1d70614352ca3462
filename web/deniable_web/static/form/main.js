/**
 * The respondent's page: verify the survey, draw the blocks, show just those,
 * randomize once, show what will leave, send those bytes.
 *
 * No request before sending depends on an answer: the survey is fetched by
 * its digest before the first question is shown, and nothing else is.
 */
import { drawBlocks, openSurvey, randomize } from "../sdk/index.js";
import { element, fail, setStatus, texts } from "./page.js";
import { readAnswers, showQuestions, wipeAnswers } from "./questions.js";
import { showReview } from "./review.js";

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
  setStatus(texts().loading ?? "");
  const form = /** @type {HTMLFormElement} */ (element("survey"));
  const digest = form.dataset.digest ?? "";
  const survey = await openSurvey(await fetchSurvey(digest), { digest });
  const blocks = drawBlocks(survey);
  const asked = survey.blocks
    .filter((block) => blocks.includes(block.id))
    .flatMap((block) => block.questions);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const answers = readAnswers(asked);
    if (answers === undefined) return;
    try {
      const report = randomize(survey, answers, blocks);
      wipeAnswers(form);
      showReview(survey, report);
    } catch (error) {
      refuse(error);
    }
  });
  // A page kept for the back button, or restored by the browser, must not
  // bring an answer back.
  addEventListener("pagehide", () => wipeAnswers(form));

  showQuestions(asked);
  form.hidden = false;
  setStatus("");
}

/** @param {unknown} error Nothing can be filled in or sent; says why. */
function refuse(error) {
  const form = /** @type {HTMLFormElement} */ (element("survey"));
  wipeAnswers(form);
  form.hidden = true;
  setStatus("");
  fail(`${texts().broken}${error instanceof Error ? error.message : ""}`);
}

await start().catch(refuse);
