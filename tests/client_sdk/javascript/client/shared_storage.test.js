/** Several clients of one storage, and what a client left behind that was killed. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { memoryStore } from "../../../../client_sdk/javascript/src/testing.js";
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
  const states = (await one.client.pending()).map(({ state }) => state);
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
