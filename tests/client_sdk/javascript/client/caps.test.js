/** What one survey may take, and all of a person's surveys in a year. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openSurvey } from "../../../../client_sdk/javascript/src/index.js";
import { openClient } from "../../../../client_sdk/javascript/src/client.js";
import { spent } from "../../../../client_sdk/javascript/src/inspect.js";
import {
  ManualClock,
  memoryStore,
  openTestClient,
  recordingTransport,
} from "../../../../client_sdk/javascript/src/testing.js";
import { read } from "../vectors.js";
import { COLLECTOR, START, openedClient, surveyBytes } from "./clients.js";

const DAY_MS = 86_400_000;

// Weights of about epsilon 4.5, in one block.
const DEAR = surveyBytes("dear", (document) => {
  document.privacy.epsilon = "4.5";
  document.privacy.blocks[0].mechanism.weights = [90, 1];
});

/**
 * A wave of a panel, each of epsilon 1.
 *
 * @param {number} wave
 * @param {number} waves
 */
function waveOf(wave, waves) {
  return surveyBytes("panel", (document) => {
    document.title = `Wave ${wave}`;
    Object.assign(document.privacy, { waves, wave });
  });
}

test("a device answers epsilon 8 of 60 surveys, if nothing else was said", async () => {
  const surveys = Array.from({ length: 60 }, (_, number) => surveyBytes(`s${number}`));
  const transport = recordingTransport({ surveys });
  const client = await openClient({ collector: COLLECTOR, consent: true, transport });
  let answered = 0;
  for (const [number] of surveys.entries()) {
    const survey = await client.getSurvey(`s${number}`);
    const { blocks } = await client.draw(survey).catch((/** @type {Error} */ error) => {
      assert.equal(error.name, "YearlyCapExceeded");
      return { blocks: null };
    });
    if (blocks) {
      await client.submit(survey, {}, blocks);
      answered += 1;
    } else await assert.rejects(client.submit(survey, {}), { name: "YearlyCapExceeded" });
  }
  assert.equal(answered, 8);
  const { epsilonCap, yearlyCap, yearlyEpsilon } = await spent(client);
  assert.deepEqual([epsilonCap, yearlyCap, yearlyEpsilon], [4, 8, "7.99999999962816"]);
  await client.shutDown();
});

test("a survey above 4 is refused, if nothing else was said", async () => {
  const transport = recordingTransport({ surveys: [DEAR] });
  const options = /** @type {const} */ ({ collector: COLLECTOR, consent: true, transport });
  const client = await openClient(options);
  await assert.rejects(client.getSurvey("dear"), { name: "BudgetExceeded" });
  const generous = await openClient({ ...options, epsilonCap: null });
  const survey = await generous.getSurvey("dear");
  await assert.rejects(client.draw(survey), { name: "BudgetExceeded" });
  await generous.submit(survey, {});
});

test("without a cap everything is answered, and test clients have none", async () => {
  const surveys = Array.from({ length: 12 }, (_, number) => surveyBytes(`s${number}`));
  const transport = recordingTransport({ surveys: [...surveys, DEAR] });
  const options = /** @type {const} */ ({ collector: COLLECTOR, consent: true, transport });
  const none = { epsilonCap: null, yearlyCap: null };
  for (const client of [await openClient({ ...options, ...none }), await openTestClient(options)]) {
    for (const slug of ["dear", ...surveys.map((_, number) => `s${number}`)]) {
      await client.submit(await client.getSurvey(slug), {});
    }
    const { epsilonCap, yearlyCap } = await spent(client);
    assert.deepEqual([epsilonCap, yearlyCap], [null, null]);
    await client.shutDown();
  }
});

test("a year later what was spent counts no more, unless the clock was set back", async () => {
  const surveys = ["one", "two"].map((slug) => surveyBytes(slug));
  const storage = memoryStore();
  const open = async (/** @type {number} */ now) => {
    const clock = new ManualClock(now);
    return (await openedClient({ surveys, options: { storage, clock, yearlyCap: 1 } })).client;
  };
  const first = await open(START);
  await first.submit(await first.getSurvey("one"), {});
  for (const days of [0, 364, -1, -10_000]) {
    const client = await open(START + days * DAY_MS);
    await assert.rejects(client.draw(await client.getSurvey("two")), { name: "YearlyCapExceeded" });
  }
  const later = await open(START + 365 * DAY_MS);
  assert.equal((await spent(later)).yearlyEpsilon, "0");
  await later.submit(await later.getSurvey("two"), {});
  assert.deepEqual((await spent(later)).surveys.length, 2);
});

test("what was spent while the clock was set back counts when it is right again", async () => {
  const surveys = ["one", "two", "three"].map((slug) => surveyBytes(slug));
  const storage = memoryStore();
  const open = async (/** @type {number} */ now) => {
    const clock = new ManualClock(now);
    return (await openedClient({ surveys, options: { storage, clock, yearlyCap: 2 } })).client;
  };
  const first = await open(START);
  await first.submit(await first.getSurvey("one"), {});
  const back = await open(START - 10_000 * DAY_MS);
  await back.submit(await back.getSurvey("two"), {});
  const right = await open(START);
  const third = await right.getSurvey("three");
  await assert.rejects(right.draw(third), { name: "YearlyCapExceeded" });
});

test("a day before this program counts as its first", async () => {
  const surveys = ["one", "two"].map((slug) => surveyBytes(slug));
  const storage = memoryStore();
  const open = async (/** @type {number} */ now) => {
    const clock = new ManualClock(now);
    return (await openedClient({ surveys, options: { storage, clock, yearlyCap: 1 } })).client;
  };
  const without = await open(0);
  await without.submit(await without.getSurvey("one"), {});
  const right = await open(START + 46 * DAY_MS);
  const two = await right.getSurvey("two");
  await assert.rejects(right.draw(two), { name: "YearlyCapExceeded" });
});

test("a panel reserves what all its waves claim, at its first one", async () => {
  const waves = [1, 2, 3, 4].map((wave) => waveOf(wave, 4));
  const storage = memoryStore();
  const open = async (/** @type {Uint8Array<ArrayBuffer>} */ document, yearlyCap = "4.5") =>
    (await openedClient({ surveys: [document], options: { storage, yearlyCap } })).client;
  const small = await open(waveOf(1, 4), "3.9");
  await assert.rejects(small.draw(await small.getSurvey("panel")), (/** @type {Error} */ error) => {
    assert.equal(error.name, "YearlyCapExceeded");
    return /takes epsilon 1 in each wave, beside 0 in 365 days; allowed here is 3.9;/.test(error.message);
  });
  for (const wave of waves) {
    const client = await open(wave);
    await client.submit(await client.getSurvey("panel"), {});
    const { yearlyEpsilon } = await spent(client);
    assert.ok(Math.abs(Number(yearlyEpsilon) - 4) < 1e-8, yearlyEpsilon);
    const other = await open(surveyBytes("other"));
    await assert.rejects(other.draw(await other.getSurvey("other")), { name: "YearlyCapExceeded" });
  }
});

test("every ledger of the vectors counts, and refuses, as logarithms of 90 digits say", async () => {
  let refused = 0;
  const cases = read("ledgers.json");
  for (const { today, cap, reports, epsilon, ...given } of cases) {
    const storage = memoryStore();
    for (const [place, { day, panel, weights: pairs, ...report }] of reports.entries()) {
      const [wave, waves, claimed] = panel ?? [1, 1, "1"];
      const entry = {
        ...report,
        key: `${place}`,
        order: place + 1,
        survey: `${place}`,
        report: `${place}`,
        weights: pairs.map((/** @type {number[]} */ [high, low]) => ({ high, low })),
        body: null,
        panel: { wave, waves, epsilon: claimed },
        fixed: {},
        // One without a day counts always.
        day: day ?? today,
      };
      await storage.add(entry);
    }
    const client = await openTestClient({
      collector: "https://one.example",
      consent: true,
      storage,
      transport: recordingTransport({}),
      clock: new ManualClock(today * DAY_MS + 5_000),
      yearlyCap: cap,
    });
    const { yearlyEpsilon } = await spent(client);
    assert.ok(Math.abs(Number(yearlyEpsilon) - epsilon) < 1e-12, `${yearlyEpsilon} ${epsilon}`);
    const drawing = client.draw(await openSurvey(new TextEncoder().encode(given.survey)));
    if (given.is_refused) await assert.rejects(drawing, { name: "YearlyCapExceeded" });
    else await drawing;
    refused += Number(given.is_refused);
    await client.shutDown();
  }
  assert.ok(refused > 100 && refused < cases.length - 100);
});

test("whoever has answered is not refused for want of room", async () => {
  const storage = memoryStore();
  const { client } = await openedClient({ options: { storage, yearlyCap: 1 } });
  const survey = await client.getSurvey("health");
  const report = await client.submit(survey, {});
  assert.deepEqual((await client.draw(survey)).blocks, ["asthma"]);
  const again = await client.submit(survey, {}, undefined, { again: "first" });
  assert.deepEqual(again.toBytes(), report.toBytes());
});
