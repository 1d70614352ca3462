/** A web app that asks one survey: agree, answer, read what is sent, forget. */

import { DeniableError, inLanguage, reachedQuestions } from "deniable";
import { openClient } from "deniable/client";
import { inspect, spent } from "deniable/inspect";

import { answersIn, groupFor } from "./questions.js";

/** @import { PublishedSurvey } from "deniable" */
/** @import { DrawnBlocks, Client } from "deniable/client" */

const STATES = {
  held: "Your report is kept here, and is not sent.",
  waiting: "Your report is kept here, and goes out as soon as there is a connection.",
  sent: "Your report has arrived. Thank you.",
  refused: "The survey accepts no more reports.",
  dropped: "There was no more room for your report.",
  declined: "Your report was not sent.",
};
const SECTIONS = ["invitation", "questions", "report", "forgotten"];

const [collector, slug] = ["collector", "survey"].map(
  (name) => /** @type {HTMLMetaElement} */ (document.querySelector(`meta[name=${name}]`)).content,
);
const form = /** @type {HTMLFormElement} */ (part("questions"));

/** @type {Client} */
let client;

/** Open the client, which sends what waits from before, and show what comes next. */
async function begin() {
  client ??= await openClient({
    collector: String(collector),
    consent: true,
    epsilonCap: 3,
    // Told when a report waits, is sent or postponed: never an answer.
    log: () => void attempt(showState),
  });
  if (await showState()) return;
  const survey = await client.getSurvey(String(slug));
  showQuestions(survey, await client.draw(survey));
}

/**
 * @param {PublishedSurvey} survey
 * @param {DrawnBlocks} asked what this person is shown, drawn before any answer.
 */
function showQuestions(survey, { blocks, questions }) {
  part("title").textContent = inLanguage(survey.title, "en");
  const groups = questions.map(groupFor);
  part("fields").replaceChildren(...groups);
  const follow = () => {
    const reached = reachedQuestions(survey, answersIn(questions, form));
    for (const group of groups) group.hidden = !reached.has(group.name);
  };
  follow();
  form.onchange = () => attempt(follow);
  form.onsubmit = (event) => {
    event.preventDefault();
    attempt(async () => {
      const report = await client.submit(survey, answersIn(questions, form), blocks);
      // Nothing needs the answers any more.
      part("fields").replaceChildren();
      const lines = inspect(report, survey).words.map((text) => {
        return Object.assign(document.createElement("li"), { textContent: text });
      });
      part("words").replaceChildren(...lines);
      await showState();
    });
  };
  show("questions");
}

/** Show what became of the report; false if there is none. */
async function showState() {
  const report = (await client.reports()).find((one) => one.slug === slug);
  if (!report) return false;
  part("state").textContent = STATES[report.state];
  part("spent").textContent = (await spent(client)).words;
  if (part("report").hidden) show("report");
  return true;
}

/**
 * Do something, and say so if it cannot be done.
 *
 * @param {() => unknown} work
 */
async function attempt(work) {
  part("problem").textContent = "";
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DeniableError)) throw error;
    part("problem").textContent = error.message;
  }
}

/** @param {string} section the one that is seen from now on. */
function show(section) {
  for (const id of SECTIONS) part(id).hidden = id !== section;
  const heading = part(section).querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus();
}

/** @param {string} id */
function part(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

// Only that the person agreed is remembered, so that a report that waits goes on at the next visit.
part("agree").onclick = () => {
  localStorage.setItem("agreed", "yes");
  attempt(begin);
};
part("forget").onclick = () =>
  attempt(async () => {
    localStorage.removeItem("agreed");
    await client.optOut();
    show("forgotten");
  });

if (localStorage.getItem("agreed")) attempt(begin);
else show("invitation");
