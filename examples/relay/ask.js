/**
 * A Node app that asks one survey: node ask.js COLLECTOR SLUG FOLDER [forget].
 *
 * The folder is the device's own: it keeps the report until it has arrived,
 * and what was spent. COLLECTOR may be a relay.
 */

import { createInterface } from "node:readline";

import { DeniableError, inLanguage, reachedQuestions } from "deniable";
import { openClient } from "deniable/client";
import { inspect } from "deniable/inspect";

import { fileStore } from "./file_store.js";

/** @import { Answer, Question } from "deniable" */
/** @import { Client } from "deniable/client" */

const STATES = {
  held: "Your report is kept here, and is not sent.",
  waiting: "Your report is kept here; run this again when there is a connection.",
  sent: "Your report has arrived. Thank you.",
  refused: "The survey accepts no more reports.",
  dropped: "There was no more room for your report.",
  declined: "Your report was not sent.",
};

const [collector = "", slug = "", folder = "", command] = process.argv.slice(2);
const prompt = createInterface({ input: process.stdin });
const typed = prompt[Symbol.asyncIterator]();

try {
  await run();
} catch (error) {
  if (!(error instanceof DeniableError)) throw error;
  console.log(error.message);
  process.exitCode = 1;
} finally {
  prompt.close();
}

async function run() {
  console.log("Your answers are changed at random on this machine before anything is sent.");
  if (command !== "forget" && (await choice("Do you agree?", ["yes", "no"])) !== 0) return;
  const client = await openClient({
    collector,
    consent: true,
    epsilonCap: 3,
    // Node has no storage of its own: without one, reports would be in memory only.
    storage: await fileStore(folder),
  });
  if (command === "forget") {
    await client.optOut();
    console.log("Nothing about any survey is kept here any more.");
    return;
  }
  const isAnswered = (await client.reports()).some((report) => report.slug === slug);
  if (!isAnswered) await ask(client);
  await client.flush();
  const report = (await client.reports()).find((one) => one.slug === slug);
  if (report) console.log(STATES[report.state]);
  await client.shutDown();
}

/** @param {Client} client */
async function ask(client) {
  const survey = await client.getSurvey(slug);
  const { blocks, questions } = await client.draw(survey);
  /** @type {{ [question: string]: Answer }} */
  const answers = {};
  for (const question of questions) {
    if (!reachedQuestions(survey, answers).has(question.id)) continue;
    answers[question.id] = await answerTo(question);
  }
  const report = await client.submit(survey, answers, blocks);
  console.log(["This is all that is sent:", ...inspect(report, survey).words].join("\n"));
}

/**
 * The option that was chosen; null is "no answer", and is randomized like one.
 *
 * @param {Question} question
 */
async function answerTo(question) {
  // This app asks what has one answer out of several; lists and numbers count as "no answer".
  if (!("options" in question) || question.type === "multiple") return null;
  const names = question.options.map(({ id, text }) => inLanguage(text ?? id, "en"));
  if (!question.required) names.push("prefer not to say");
  const index = await choice(inLanguage(question.text, "en"), names);
  return question.options[index]?.id ?? null;
}

/**
 * Which of several was chosen, counted from 0; the last one, if nothing is typed any more.
 *
 * @param {string} text
 * @param {readonly string[]} names
 */
async function choice(text, names) {
  for (;;) {
    console.log([text, ...names.map((name, index) => `  ${index + 1} ${name}`)].join("\n"));
    const { value, done } = await typed.next();
    if (done) return names.length - 1;
    const index = Number(value) - 1;
    if (names[index] !== undefined) return index;
  }
}
