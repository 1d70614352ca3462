/** What becomes of a report that is not taken at once. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { spent } from "../../../../client_sdk/javascript/src/inspect.js";
import { memoryStore, stored, tape } from "../../../../client_sdk/javascript/src/testing.js";
import { START, failing, openedClient, settled, submitted, surveyBytes } from "./clients.js";

/** @import { Outcome } from "../../../../client_sdk/javascript/src/client/transport.js" */

const HOUR_MS = 3_600_000;
const DOWN = new Error("down");

const PASSING = [408, 425, 429, 500, 502, 503, 504].map((status) => ({ status }));
for (const failure of [DOWN, ...PASSING]) {
  const name = failure instanceof Error ? "no answer" : String(failure.status);
  test(`after ${name} the same bytes are sent again, later and later, up to an hour`, async () => {
    const { client, clock, transport } = await openedClient({ answer: failing(20, failure) });
    const report = await submitted(client);
    const [one] = await client.reports();
    assert.deepEqual([one?.state, one?.status], ["waiting", Object(failure).status ?? 0]);
    let longest = 0;
    for (let count = 1; count <= 20; count += 1) {
      assert.equal(transport.sent.length, count);
      const wait = clock.untilNext ?? 0;
      // The next try is drawn from a range that doubles; a second is the least.
      assert.ok(wait >= 1_000 && wait <= Math.min(1_000 * 2 ** (count - 1), HOUR_MS));
      longest = Math.max(longest, wait);
      clock.advance(wait);
      await settled();
    }
    assert.ok(longest > 60_000);
    assert.deepEqual(transport.sent, Array(21).fill(report.toBytes()));
    assert.equal((await client.reports())[0]?.state, "sent");
    assert.equal(clock.untilNext, null);
  });
}

/** @type {[number, string | undefined, string][]} */
const REFUSALS = [
  [410, "The survey accepts no more reports.", "The survey accepts no more reports."],
  [400, undefined, "the collector answered 400"],
  [409, undefined, "the collector answered 409"],
  [422, "x".repeat(1000), "x".repeat(300)],
];
for (const [status, detail, reason] of REFUSALS) {
  test(`after ${status} a report is refused, and says why`, async () => {
    const answer = () => ({ status, ...(detail && { detail }) });
    const { client, clock, transport } = await openedClient({ answer });
    await submitted(client);
    const [one] = await client.reports();
    assert.deepEqual([one?.state, one?.status, one?.reason], ["refused", status, reason]);
    assert.deepEqual(await client.flush(), { sent: 0, waiting: 0, refused: 0, dropped: 0 });
    assert.deepEqual([transport.sent.length, clock.untilNext], [1, null]);
  });
}

test("whoever stands between and says yes to all does not make a report vanish", async () => {
  /** @type {Outcome[]} */
  const portals = [{ status: 200 }, { status: 201, report: "0".repeat(32) }, { status: 302 }];
  for (const portal of portals) {
    const { client } = await openedClient({ answer: failing(1, portal) });
    await submitted(client);
    assert.equal((await client.reports())[0]?.state, "waiting");
    assert.deepEqual(await client.flush(), { sent: 1, waiting: 0, refused: 0, dropped: 0 });
  }
});

for (const retryAfter of ["120", new Date(START + 120_000).toUTCString()]) {
  test(`the collector's wish is honoured: Retry-After: ${retryAfter}`, async () => {
    const answer = failing(1, { status: 429, retryAfter });
    const { client, clock, transport } = await openedClient({ answer });
    await submitted(client);
    assert.ok((clock.untilNext ?? 0) >= 120_000 && (clock.untilNext ?? 0) <= 240_000);
    assert.equal((await client.flush()).waiting, 1);
    clock.advance(119_999);
    assert.equal((await client.flush()).waiting, 1);
    assert.equal(transport.sent.length, 1);
    clock.advance(120_001);
    await settled();
    assert.equal((await client.reports())[0]?.state, "sent");
  });
}

test("no wish of a collector holds a report up for more than a day", async () => {
  for (const retryAfter of ["99999999999", "a while"]) {
    const answer = failing(1, { status: 503, retryAfter });
    const { client, clock } = await openedClient({ answer });
    await submitted(client);
    assert.ok((clock.untilNext ?? Infinity) <= 24 * HOUR_MS);
  }
});

test("a clock that is set back ten years holds nothing up", async () => {
  for (const failure of [DOWN, { status: 429, retryAfter: "3600" }]) {
    const storage = memoryStore();
    const first = await openedClient({ answer: failing(99, failure), options: { storage } });
    await submitted(first.client);
    await first.client.shutDown();
    const tenYearsAgo = await openedClient({ options: { storage } });
    tenYearsAgo.clock.set(START - 10 * 365 * 24 * HOUR_MS);
    await tenYearsAgo.client.flush();
    assert.equal((await tenYearsAgo.client.reports())[0]?.state, "sent");
  }
});

test("when the next try is due outlives the process", async () => {
  const storage = memoryStore();
  const answer = failing(99, { status: 429, retryAfter: "600" });
  const first = await openedClient({ answer, options: { storage } });
  await submitted(first.client);
  await first.client.shutDown();
  const { clock, transport } = await openedClient({ options: { storage } });
  await settled();
  assert.equal(transport.sent.length, 0);
  assert.ok((clock.untilNext ?? 0) >= 600_000);
  clock.advance(1_200_000);
  await settled();
  assert.equal(transport.sent.length, 1);
});

test("where nothing gets through, the others are not tried in vain", async () => {
  const surveys = ["one", "two", "three"].map((slug) => surveyBytes(slug));
  const answer = failing(3, DOWN);
  const { client, clock, transport } = await openedClient({ surveys, answer });
  for (const slug of ["one", "two", "three"]) await submitted(client, slug);
  assert.equal(transport.sent.length, 3);
  const before = transport.sent.length;
  assert.deepEqual(await client.flush(), { sent: 3, waiting: 0, refused: 0, dropped: 0 });
  assert.deepEqual([transport.sent.length - before, clock.untilNext], [3, null]);
});

test("one report that fails at the collector does not hold up the others", async () => {
  const surveys = ["one", "two"].map((slug) => surveyBytes(slug));
  /** @type {string} */
  let poison = "";
  const { client } = await openedClient({
    surveys,
    answer(body) {
      const { report } = JSON.parse(new TextDecoder().decode(body));
      poison ||= report;
      return report === poison ? { status: 500 } : stored(body);
    },
  });
  for (const slug of ["one", "two"]) await submitted(client, slug);
  assert.deepEqual(await client.flush(), { sent: 0, waiting: 1, refused: 0, dropped: 0 });
  assert.deepEqual((await client.reports()).map(({ state }) => state), ["waiting", "sent"]);
});

test("of more than 100 reports that wait, the oldest are dropped, counted and told", async () => {
  const slugs = Array.from({ length: 103 }, (_, number) => `s-${number}`);
  const surveys = slugs.map((slug) => surveyBytes(slug));
  const { client, logged } = await openedClient({ surveys, answer: failing(1e6, DOWN) });
  for (const slug of slugs) await client.submit(await client.getSurvey(slug), {});
  await settled();
  const pending = await client.reports();
  assert.deepEqual(pending.slice(0, 4).map(({ state }) => state), [
    "dropped",
    "dropped",
    "dropped",
    "waiting",
  ]);
  const { waiting, dropped } = await client.flush();
  assert.deepEqual([waiting, dropped], [100, 3]);
  const told = logged.filter((event) => "event" in event && event.event === "dropped");
  assert.equal(told.length, 3);
  // What was dropped may have been seen all the same, so it counts as spent.
  assert.equal((await spent(client)).surveys.length, 103);
});

test("where there is no room, what was sent goes before what waits", async () => {
  const slugs = Array.from({ length: 101 }, (_, number) => `s-${number}`);
  const surveys = slugs.map((slug) => surveyBytes(slug));
  const storage = memoryStore();
  const answer = (/** @type {Uint8Array} */ body, /** @type {number} */ count) =>
    count > 1 ? stored(body) : { status: 500 };
  const { client } = await openedClient({ surveys, answer, options: { storage } });
  for (const slug of slugs) await client.submit(await client.getSurvey(slug), {});
  await settled();
  const records = await storage.all();
  assert.equal(records.filter((record) => "body" in record && record.body).length, 100);
  assert.ok((await client.reports()).every(({ state }) => state !== "dropped"));
});

test("what a log is told is what happened, to which report, and nothing else", async () => {
  const { client, logged, clock } = await openedClient({ answer: failing(1, { status: 503 }) });
  const report = await client.submit(await client.getSurvey("health"), { asthma: true });
  await settled();
  clock.advance(clock.untilNext ?? 0);
  await settled();
  assert.deepEqual(logged, [
    { event: "waiting", report: report.id },
    { event: "postponed", report: report.id, status: 503 },
    { event: "sent", report: report.id, status: 201 },
  ]);
});

test("a log that throws, and a transport that throws at once, harm nothing", async () => {
  let tries = 0;
  const { client } = await openedClient({
    options: {
      log() {
        throw new Error("the log is full");
      },
      transport: {
        getSurvey: async () => surveyBytes("health"),
        send() {
          tries += 1;
          throw new TypeError("broken");
        },
      },
    },
  });
  await submitted(client);
  assert.equal(tries, 1);
  assert.equal((await client.reports())[0]?.state, "waiting");
});

test("when the network is back, what waits is sent", async (context) => {
  const listeners = new Map();
  const target = /** @type {any} */ (globalThis);
  target.addEventListener = (
    /** @type {string} */ name,
    /** @type {any} */ listener,
    /** @type {{ signal: AbortSignal }} */ { signal },
  ) => {
    listeners.set(name, listener);
    signal.addEventListener("abort", () => listeners.delete(name));
  };
  context.after(() => delete target.addEventListener);
  const { client, transport } = await openedClient({ answer: failing(1, DOWN) });
  await submitted(client);
  listeners.get("online")();
  await settled();
  assert.equal(transport.sent.length, 2);
  await client.shutDown();
  assert.equal(listeners.size, 0);
});

test("an ordinary try draws what the tape says, and tells the same again", async () => {
  const bytes = Uint8Array.from({ length: 200 }, (_, place) => (place * 37) % 256);
  const sent = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const readBytes = tape(bytes);
    const { client, transport } = await openedClient({
      options: /** @type {any} */ ({ readBytes }),
    });
    await submitted(client);
    sent.push(...transport.sent);
    assert.throws(() => readBytes(200), /^RangeError: asked for 200 bytes at position \d+; /);
  }
  assert.deepEqual(sent[0], sent[1]);
});
