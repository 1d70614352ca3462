/** What a storage that fails, is full or is held keeps, and what is told of it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { spent } from "../../../../client_sdk/javascript/src/inspect.js";
import { memoryStore } from "../../../../client_sdk/javascript/src/testing.js";
import { throwsExactly } from "../throws_exactly.js";
import { failing, openedClient, settled, submitted } from "./clients.js";

const DOWN = new Error("down");

/**
 * A lock that nobody else asks for.
 *
 * @param {string} _
 * @param {() => Promise<void>} work
 */
async function alone(_, work) {
  await work();
  return true;
}

test("a full storage keeps and sends nothing, and submitting again works", async () => {
  const storage = memoryStore();
  let isFull = true;
  const full = {
    ...storage,
    async add(/** @type {any} */ record) {
      if (isFull && "report" in record) throw new DOMException("zebrafinch", "QuotaExceededError");
      return storage.add(record);
    },
  };
  const { client, transport } = await openedClient({ options: { storage: full } });
  const survey = await client.getSurvey("health");
  await assert.rejects(client.submit(survey, {}), {
    name: "StorageUnavailable",
    message:
      "the device's storage failed (QuotaExceededError); make room, or allow this page to " +
      "store data",
  });
  assert.deepEqual([transport.sent, (await spent(client)).surveys], [[], []]);
  isFull = false;
  await submitted(client);
  assert.equal(transport.sent.length, 1);
});

test("a storage that another process holds for seconds is a typed error", async () => {
  const storage = { ...memoryStore(), lock: async () => false };
  const { client, clock } = await openedClient({ options: { storage } });
  const survey = await client.getSurvey("health");
  const submitting = throwsExactly(
    () => client.submit(survey, {}),
    "StorageUnavailable",
    "another tab or process is at work; try again",
  );
  const flushing = client.flush();
  for (let turn = 0; turn < 160; turn += 1) {
    await settled();
    clock.advance(100);
  }
  await submitting;
  assert.deepEqual(await flushing, { sent: 0, waiting: 0, refused: 0, dropped: 0 });
});

test("a storage that is cleared while a report is being kept is a typed error", async () => {
  const storage = { ...memoryStore(), add: async () => false, lock: alone };
  const { client } = await openedClient({ options: { storage } });
  const survey = await client.getSurvey("health");
  await throwsExactly(
    () => client.submit(survey, {}),
    "StorageUnavailable",
    "another tab or process is at work; try again",
  );
});

test("a storage that fails in the background is logged, and nothing is thrown", async () => {
  const broken = { ...memoryStore(), all: () => Promise.reject(new Error("gone")) };
  const { client, logged } = await openedClient({ options: { storage: broken } });
  await settled();
  assert.deepEqual(logged, [{ event: "failed", error: "StorageUnavailable" }]);
  await assert.rejects(client.flush(), { name: "StorageUnavailable" });
  await client.shutDown();
});

test("when a storage that failed works again, what waits is sent", async () => {
  const storage = memoryStore();
  let isBroken = false;
  const all = () => (isBroken ? Promise.reject(new Error("gone")) : storage.all());
  const answer = failing(1, DOWN);
  const options = { storage: { ...storage, all } };
  const { client, clock } = await openedClient({ answer, options });
  await submitted(client);
  isBroken = true;
  clock.advance(1_000);
  await settled();
  isBroken = false;
  assert.equal(clock.untilNext, 60_000);
  clock.advance(60_000);
  await settled();
  assert.equal((await client.reports())[0]?.state, "sent");
});
