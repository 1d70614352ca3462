/** A mobile app that asks one survey in its web view, a question at a time. */

import { DeniableError, inLanguage, reachedQuestions } from "deniable";
import { openClient } from "deniable/client";
import { inspect } from "deniable/inspect";

import { preferences } from "./preferences.js";
import { preferencesStore } from "./preferences_store.js";
import { showState, tapped } from "./screen.js";

/** @import { Answer, Question } from "deniable" */
/** @import { Client } from "deniable/client" */

const AGREED = { key: "agreed" };
const PROMISE =
  "Your phone changes your answers at random before anything is sent. What is sent does not tell " +
  "what you answered, to anybody; only the shares of all answers together can be estimated.";
const STATES = {
  held: "Your report is kept on this phone, and is not sent.",
  waiting: "Your report is kept on this phone, and goes out as soon as there is a connection.",
  sent: "Your report has arrived. Thank you.",
  refused: "The survey accepts no more reports.",
  dropped: "There was no more room for your report.",
  declined: "Your report was not sent.",
};

const [collector = "", slug = ""] = ["collector", "survey"].map(
  (name) => /** @type {HTMLMetaElement} */ (document.querySelector(`meta[name=${name}]`)).content,
);

/** Agree, answer, read what is sent, forget. */
async function run() {
  if ((await preferences.get(AGREED)).value === null) {
    await tapped("A survey, if you like", [PROMISE], ["I agree, show me the questions"]);
    // From now on a report that waits goes on whenever the app is opened.
    await preferences.set({ ...AGREED, value: "yes" });
  }
  const client = await openClient({
    collector,
    consent: true,
    epsilonCap: 3,
    storage: preferencesStore(preferences),
    // Told when a report waits, is sent or postponed: never an answer.
    log: () => void refresh(client).catch(() => {}),
  });
  const words = (await reportOf(client)) ? [] : await ask(client);
  const forgetting = tapped("This is all that is sent", words, ["Forget everything on this phone"]);
  await refresh(client);
  await forgetting;
  await client.optOut();
  await preferences.remove(AGREED);
  await tapped("Forgotten", ["Nothing about this survey is kept on this phone any more."], []);
}

/**
 * Ask, submit, and give what is sent in words.
 *
 * @param {Client} client
 */
async function ask(client) {
  const survey = await client.getSurvey(slug);
  const { blocks, questions } = await client.draw(survey);
  /** @type {{ [question: string]: Answer }} */
  const answers = {};
  for (const question of questions) {
    if (!reachedQuestions(survey, answers).has(question.id)) continue;
    answers[question.id] = await answerTo(question);
  }
  return inspect(await client.submit(survey, answers, blocks), survey).words;
}

/**
 * The option that was tapped; null is "no answer", and is randomized like one.
 *
 * @param {Question} question
 */
async function answerTo(question) {
  // This app has no screens for lists and numbers: they count as "no answer".
  if (!("options" in question) || question.type === "multiple") return null;
  const names = question.options.map(({ id, text }) => inLanguage(text ?? id, "en"));
  if (!question.required) names.push("Prefer not to say");
  const index = await tapped(inLanguage(question.text, "en"), [], names);
  return question.options[index]?.id ?? null;
}

/** @param {Client} client */
async function reportOf(client) {
  return (await client.reports()).find((report) => report.slug === slug);
}

/** @param {Client} client */
async function refresh(client) {
  const report = await reportOf(client);
  if (report) showState(STATES[report.state]);
}

for (;;) {
  try {
    await run();
    break;
  } catch (error) {
    if (!(error instanceof DeniableError)) throw error;
    await tapped("This did not work", [error.message], ["Try again"]);
  }
}
