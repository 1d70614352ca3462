/** Reports of one person can hardly be matched by what a device repeats of facts. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client } from "../../../../client_sdk/javascript/src/client/client.js";
import { spent } from "../../../../client_sdk/javascript/src/inspect.js";
import { memoryStore } from "../../../../client_sdk/javascript/src/client/storage/memory.js";
import { question, surveyDocument } from "../building.js";
import { openedClient, surveyBytes } from "./clients.js";

const AGAIN = /** @type {const} */ ({ again: "edition" });
const FACTS = Array.from({ length: 8 }, (_, place) => factOf(`fact${place}`, 2));
const WIDE = factOf("region", 5);

/**
 * A fact of so many values.
 *
 * @param {string} id
 * @param {number} values
 */
function factOf(id, values) {
  const options = Array.from({ length: values }, (_, place) => `o${place}`);
  const { asked, block } = question(id, "choice", options, true);
  return { asked: { ...asked, fixed: true }, block };
}

/**
 * In how many parts each edition of these facts spends on one device, and how
 * many different values all that is kept could have had.
 *
 * @param {readonly (typeof WIDE)[][]} series
 */
async function submitted(series) {
  const storage = memoryStore();
  /** @type {Client | undefined} */
  let client;
  for (const [place, facts] of series.entries()) {
    const document = surveyBytes("health", (published) => {
      Object.assign(published, surveyDocument(facts), { slug: "health", title: `${place}` });
      Object.assign(published.privacy, { epsilon: "4", asked: facts.length });
    });
    ({ client } = await openedClient({ surveys: [document], options: { storage } }));
    const survey = await client.getSurvey("health");
    const answers = Object.fromEntries(facts.map(({ asked }) => [asked.id, "o0"]));
    await client.submit(survey, answers, undefined, AGAIN);
  }
  const all = client && (await spent(client));
  const records = /** @type {any[]} */ (await storage.all());
  const signatures = new Set(records.flatMap(({ fixed = {} }) => Object.keys(fixed)));
  const outputs = [...signatures].map((signature) => Number(signature.split(" ")[0]));
  return {
    parts: all?.surveys.map(({ weights }) => weights.length),
    kept: outputs.reduce((all, count) => all * count, 1),
  };
}

test("editions that add facts are not repeated beyond the bound", async () => {
  const [first, second] = [FACTS.slice(0, 4), FACTS.slice(4)];
  const mixed = [...second.slice(0, 2), ...first.slice(0, 2)];
  assert.deepEqual(await submitted([first, second, first, second, mixed]), {
    parts: [4, 4, 0, 4, 2],
    kept: 16,
  });
});

test("facts that fit are kept as they come, larger ones are drawn anew", async () => {
  const [one, two, three, four] = /** @type {[any, any, any, any]} */ (FACTS.slice(0, 4));
  const series = [[one], [one, two], [one, WIDE], [two, three, four], [WIDE], [one, two, three, four]];
  // The fact of 5 values would make 20 with the two that were there before.
  assert.deepEqual(await submitted(series), { parts: [1, 1, 1, 2, 1, 0], kept: 16 });
});
