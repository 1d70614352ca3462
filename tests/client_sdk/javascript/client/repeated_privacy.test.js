/** What two reports of one device tell together: every draw enumerated, every ratio exact. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client } from "../../../../client_sdk/javascript/src/client/client.js";
import { readOptions } from "../../../../client_sdk/javascript/src/client/options.js";
import { Records } from "../../../../client_sdk/javascript/src/client/records.js";
import { memoryStore } from "../../../../client_sdk/javascript/src/client/storage/memory.js";
import { recordingTransport } from "../../../../client_sdk/javascript/src/testing.js";
import { Tape } from "../tape.js";
import { COLLECTOR, surveyBytes } from "./clients.js";

const AGAIN = /** @type {const} */ ({ again: "edition" });

/**
 * What reports to these surveys say, from these bytes and no others.
 *
 * @param {readonly Uint8Array<ArrayBuffer>[]} documents
 * @param {readonly string[]} answers
 * @param {number[]} bytes
 */
async function told(documents, answers, bytes) {
  const tape = new Tape(Uint8Array.from(bytes));
  const storage = memoryStore();
  /** @type {unknown[]} */
  const values = [];
  for (const [place, document] of documents.entries()) {
    const transport = recordingTransport({ surveys: [document] });
    const options = readOptions({ collector: COLLECTOR, consent: true, storage, transport });
    const records = new Records(storage, options.clock, (count) => new Uint8Array(count));
    const client = new Client(options, records, (count) => tape.read(count));
    const survey = await client.getSurvey("health");
    const given = { asthma: answers[place] };
    const report = await client.submit(survey, given, undefined, AGAIN);
    values.push(report.values.asthma);
    await client.shutDown();
  }
  tape.assertAllRead();
  return JSON.stringify(values);
}

test("two editions tell of a fact what one tells, and two waves the product", async () => {
  const warner = (/** @type {string} */ title, /** @type {object} */ panel, fixed = false) =>
    surveyBytes("health", (document) => {
      document.title = title;
      Object.assign(document.questions[0], { required: true, ...(fixed && { fixed }) });
      Object.assign(document.privacy, { epsilon: "1.1", ...panel });
      document.privacy.blocks[0].mechanism = {
        name: "subset",
        domain_size: 2,
        size: 1,
        weights: [3, 1],
      };
    });
  const id = Array(16).fill(0);
  const place = Array(6).fill(0);
  const draws = [0, 1, 2, 3].map((draw) => [0, 0, 0, 0, 0, draw]);
  const facts = [warner("1", {}, true), warner("2", {}, true)];
  const waves = [1, 2].map((wave) => warner(`${wave}`, { waves: 2, wave }));
  const once = draws.map((draw) => [...id, ...draw, ...place, ...id]);
  const twice = draws.flatMap((first) =>
    draws.map((second) => [...id, ...first, ...place, ...id, ...second, ...place]),
  );
  const pairs = ["yes", "no"].flatMap((one) => ["yes", "no"].map((other) => [one, other]));
  for (const [documents, tapes, ratio] of /** @type {const} */ ([
    [facts, once, 3],
    [waves, twice, 9],
  ])) {
    /** @type {Map<string, number>[]} */
    const laws = [];
    for (const answers of pairs) {
      /** @type {Map<string, number>} */
      const law = new Map();
      for (const bytes of tapes) {
        const outcome = await told(documents, answers, bytes);
        law.set(outcome, (law.get(outcome) ?? 0) + 1);
      }
      laws.push(law);
    }
    const outcomes = [...new Set(laws.flatMap((law) => [...law.keys()]))];
    const worst = outcomes.map((outcome) => {
      const counts = laws.map((law) => law.get(outcome) ?? 0);
      return Math.max(...counts) / Math.min(...counts);
    });
    assert.equal(Math.max(...worst), ratio);
  }
});
