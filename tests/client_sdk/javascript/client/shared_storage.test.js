/** Several clients of one storage, and what a client left behind that was killed. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { memoryStore, recordingTransport } from "../../../../client_sdk/javascript/src/testing.js";
import { START, openedClient, settled, surveyBytes } from "./clients.js";

const HOUR_MS = 3_600_000;

test("two clients of one store send each report once", async () => {
  const surveys = Array.from({ length: 10 }, (_, number) => surveyBytes(`s-${number}`));
  const storage = memoryStore();
  const one = await openedClient({ surveys, options: { storage } });
  const other = await openedClient({ surveys, options: { storage, clock: one.clock } });
  for (let number = 0; number < 10; number += 1) {
    const { client } = number % 2 ? one : other;
    await client.submit(await client.getSurvey(`s-${number}`), {});
  }
  for (let turn = 0; turn < 100; turn += 1) {
    one.clock.advance(100);
    await settled();
  }
  const states = (await one.client.reports()).map(({ state }) => state);
  assert.deepEqual(states, Array(10).fill("sent"));
  assert.equal(one.transport.sent.length + other.transport.sent.length, 10);
});

test("a lease that was left behind runs out, also if the clock was set back", async () => {
  for (const until of [START + 2_000, START + HOUR_MS]) {
    const storage = memoryStore();
    await storage.add({ key: "lease flush", holder: "one that was killed", until });
    const { client, clock, transport } = await openedClient({ options: { storage } });
    await client.submit(await client.getSurvey("health"), {});
    for (let turn = 0; turn < 40 && transport.sent.length === 0; turn += 1) {
      await settled();
      clock.advance(100);
    }
    assert.equal(transport.sent.length, 1);
  }
});

/**
 * A client with reports that wait, the first one's request under way until it
 * is failed, and a way to open other clients of its storage.
 *
 * @param {number} count of reports.
 */
async function underWay(count) {
  const surveys = Array.from({ length: 120 }, (_, number) => surveyBytes(`s-${number}`));
  let fail = () => {};
  /** @type {Promise<never>} */
  const answer = new Promise((_, reject) => (fail = () => reject(new Error("no network"))));
  const options = { storage: memoryStore(), yearlyCap: null };
  const transport = { ...recordingTransport({ surveys }), send: () => answer };
  const { client, clock } = await openedClient({ options: { ...options, transport } });
  const submit = async (/** @type {typeof client} */ by, /** @type {number} */ number) =>
    by.submit(await by.getSurvey(`s-${number}`), {});
  for (let number = 0; number < count; number += 1) await submit(client, number);
  await settled();
  const other = { surveys, options: { ...options, clock } };
  const pass = async () => {
    for (let turn = 0; turn < 60; turn += 1) {
      await settled();
      clock.advance(100);
    }
  };
  const failed = async () => {
    fail();
    await pass();
  };
  return { client, open: () => openedClient(other), submit, pass, failed };
}

test("what was answered anew after all was wiped is not overwritten by a request of before", async () => {
  const { open, submit, pass, failed } = await underWay(2);
  const { client: wiping } = await open();
  await Promise.all([wiping.optOut(), pass()]);
  const { client, transport } = await open();
  const reports = [await submit(client, 0), await submit(client, 1)];
  await settled();
  await failed();
  const ids = reports.map(({ id }) => id);
  assert.deepEqual((await client.reports()).map(({ report }) => report), ids);
  assert.deepEqual((await client.reports()).map(({ state }) => state), ["sent", "sent"]);
  assert.equal(transport.sent.length, 2);
});

test("a report that was dropped while it was under way stays dropped", async () => {
  const { client, open, submit, failed } = await underWay(1);
  const { client: other } = await open();
  for (let number = 1; number <= 100; number += 1) await submit(other, number);
  const stateOf = async () => (await client.reports())[0]?.state;
  assert.equal(await stateOf(), "dropped");
  await failed();
  assert.equal(await stateOf(), "dropped");
});
