/** Reports of invited people: when they are sent, and what the person is told before. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  FewCollected,
  tokenCount,
  readCode,
  requestToken,
} from "../../../../client_sdk/javascript/src/fieldwork.js";
import { openSurvey } from "../../../../client_sdk/javascript/src/index.js";
import { memoryStore } from "../../../../client_sdk/javascript/src/testing.js";
import { START, failing, openedClient, settled, submitted, surveyBytes } from "./clients.js";
import { OVER, invitedBytes, invitedClient, issuerSaying } from "./invited_clients.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

for (const [name, window, first, last] of /** @type {const} */ ([
  ["without a window", undefined, START, START + DAY_MS],
  ["where it opens later", { opens: "2026-01-04T00:00Z" }, START + 3 * DAY_MS, START + 4 * DAY_MS],
  ["where it closes soon", { closes: "2026-01-03T00:00Z" }, START, START + DAY_MS],
  ["where it closes sooner", { closes: "2026-01-02T06:00Z" }, START, START + 15 * HOUR_MS],
])) {
  test(`a report waits at random, ${name}`, async () => {
    for (const [drawn, part] of /** @type {[number[], number][]} */ ([
      [[0, 0, 0, 0], 2 ** -32],
      [[127, 255, 255, 255], 1 / 2],
      [[255, 255, 255, 255], 1],
    ])) {
      const { client, clock, transport, survey } = await invitedClient({ window }, drawn);
      await client.submit(survey, {});
      await settled();
      const due = first + Math.ceil(part * (last - first));
      clock.advance(due - START - 1);
      await client.flush();
      assert.equal(transport.sent.length, 0, String(drawn));
      clock.advance(1);
      await client.flush();
      assert.equal(transport.sent.length, 1, String(drawn));
    }
  });
}

test("no end on the device's clock holds a report up: its owner may have extended the survey", async () => {
  const window = { closes: "2026-01-03T00:00Z" };
  const late = await invitedClient({ window }, [255, 255, 255, 255]);
  late.clock.set(START + 9 * DAY_MS);
  await late.client.submit(late.survey, {});
  await settled();
  assert.equal(late.transport.sent.length, 1);
  const held = await invitedClient({ window }, [255, 255, 255, 255]);
  await held.client.submit(held.survey, {}, undefined, { hold: true });
  held.clock.set(START + 9 * DAY_MS);
  assert.equal(await held.client.send(held.survey), true);
  await settled();
  assert.equal(held.transport.sent.length, 1);
  const surveys = [surveyBytes("wards", (document) => (document.window = window))];
  const offline = await openedClient({ surveys, answer: failing(3, new Error("no network")) });
  await submitted(offline.client, "wards");
  offline.clock.set(START + 9 * DAY_MS);
  while ((await offline.client.flush()).waiting) offline.clock.advance(DAY_MS);
  assert.equal(offline.transport.sent.length, 4);
});

test("the time goes on over a restart, and no later client draws it again", async () => {
  const storage = memoryStore();
  const first = await invitedClient({}, [127, 255, 255, 255], { storage });
  await first.client.submit(first.survey, {});
  await first.client.shutDown();
  const again = { readBytes: () => assert.fail("drawn again"), storage: { ...storage, lock: free } };
  const second = await openedClient({ surveys: [invitedBytes()], options: again });
  second.clock.advance(DAY_MS / 2 - 1);
  assert.equal((await second.client.flush()).waiting, 1);
  second.clock.advance(1);
  assert.equal((await second.client.flush()).sent, 1);
});

test("a report that is held waits from the moment when the person decides", async () => {
  const { client, clock, transport, survey } = await invitedClient({}, [127, 255, 255, 255]);
  await client.submit(survey, {}, undefined, { hold: true });
  clock.advance(5 * HOUR_MS);
  assert.equal(await client.send(survey), true);
  await settled();
  clock.advance(DAY_MS / 2 - 1);
  await client.flush();
  assert.equal(transport.sent.length, 0);
  clock.advance(1);
  await client.flush();
  assert.equal(transport.sent.length, 1);
});

test("a web page sends at once, and so does everybody whose survey has no invitation", async () => {
  const page = await invitedClient({}, [255, 255, 255, 255], { sendsAtOnce: true });
  await page.client.submit(page.survey, {});
  await settled();
  assert.equal(page.transport.sent.length, 1);
  const open = await openedClient();
  await open.client.submit(await open.client.getSurvey("health"), {});
  await settled();
  assert.equal(open.transport.sent.length, 1);
});

test("no timer is set for longer than timers can count", async () => {
  const { client, clock, survey } = await invitedClient({ window: { opens: "2026-01-31T00:00Z" } });
  await client.submit(survey, {});
  await settled();
  assert.equal(clock.untilNext, 2 ** 31 - 1);
  assert.equal((await client.flush()).waiting, 1);
});

test("where few collected, nothing is drawn before the person knows the number", async (context) => {
  const { issuer, asked } = await issuerSaying(context, 7);
  const { client, clock, survey } = await invitedClient({ issuer });
  clock.set(OVER);
  assert.equal(await tokenCount(client, survey), 7);
  for (const shown of [undefined, 8]) {
    await assert.rejects(client.submit(survey, {}, undefined, { collected: shown }), {
      name: "FewCollected",
      count: 7,
      message: "only 7 people of the group have a token; show it, ask again, and pass it as collected",
    });
  }
  assert.deepEqual(await client.reports(), []);
  await client.submit(survey, {}, undefined, { collected: 7 });
  assert.deepEqual((await client.reports()).map(({ state }) => state), ["waiting"]);
  assert.deepEqual(new Set(asked), new Set([`/api/surveys/${survey.digest}`]));
});

test("a report that is held stays so until the person knows the number", async (context) => {
  const { issuer } = await issuerSaying(context, 19);
  const { client, clock, survey } = await invitedClient({ issuer });
  clock.set(OVER);
  await client.submit(survey, {}, undefined, { hold: true });
  await assert.rejects(client.send(survey), FewCollected);
  assert.ok(await client.heldReport(survey));
  assert.equal(await client.send(survey, { collected: 19 }), true);
  assert.equal(await client.heldReport(survey), null);
});

test("what is unknown, or many, holds nothing up", async (context) => {
  for (const count of [20, null]) {
    const { issuer } = await issuerSaying(context, count);
    const { client, clock, survey } = await invitedClient({ issuer });
    clock.set(OVER);
    assert.equal(await tokenCount(client, survey), count);
    await client.submit(survey, {});
  }
  // Nobody is at this port.
  const { client, clock, survey } = await invitedClient({ issuer: "http://127.0.0.1:9" });
  clock.set(OVER);
  assert.equal(await tokenCount(client, survey), null);
  await client.submit(survey, {});
});

test("the issuer is asked only about a report that is about to be sent, after the end", async (context) => {
  const { issuer, asked } = await issuerSaying(context, 7);
  const { client, clock, survey } = await invitedClient({ issuer });
  clock.set(OVER - 1);
  assert.equal(await tokenCount(client, survey), null);
  assert.equal(await client.send(survey), false);
  await client.submit(survey, {}, undefined, { hold: true });
  clock.set(OVER);
  await assert.rejects(client.submit(survey, {}), { name: "AlreadyAnswered" });
  assert.equal(await client.decline(survey), true);
  assert.equal(await client.send(survey), false);
  assert.deepEqual(asked, []);
  const stranger = await openedClient({ surveys: [invitedBytes({ issuer })] });
  stranger.clock.set(OVER);
  assert.equal(await tokenCount(stranger.client, survey), null);
  assert.deepEqual(asked, []);
});

test("a key whose factor can be seen, and faulty random bytes, are refused", async () => {
  // Three divides this modulus.
  const survey = await openSurvey(invitedBytes());
  const bytes = (/** @type {number} */ last) => (/** @type {number} */ count) =>
    count === 256 ? new Uint8Array(256).fill(last, 255) : new Uint8Array(count);
  const failed = { name: "InvalidToken", message: "the issuer's key cannot be used; nothing was sent" };
  await assert.rejects(requestToken(survey, "nurses", bytes(3)), failed);
  await assert.rejects(requestToken(survey, "nurses", (count) => new Uint8Array(count).fill(255)), failed);
  await assert.rejects(requestToken(survey, "doctors"), {
    name: "InvalidToken",
    message: "the survey has no such group; allowed are: nurses",
  });
});

test("moments in the wrong order, and an issuer's wrong address, are refused with their rule", async () => {
  const refused = (/** @type {Parameters<typeof invitedBytes>[0]} */ given, /** @type {string} */ message) =>
    assert.rejects(openSurvey(invitedBytes(given)), { name: "InvalidSurvey", message });
  const [opens, closes] = ["2026-12-06T17:00Z", "2026-12-06T17:00Z"];
  await refused({ window: { opens, closes } }, "window.closes: is not after the survey opens");
  const early = { closes: "2026-01-02T00:00Z" };
  await refused({ window: early }, "invited.collect_until: is not before the survey closes");
  await refused(
    { issuer: "https://example.org/" },
    'invited.issuer: got "https://example.org/"; allowed is an address like https://example.org, ' +
      "in lower case and without a slash at the end",
  );
  for (const moment of ["2026-02-30T17:00Z", "2026-12-06T17:00z", "2026-12-06T17:00:00.000Z", "1999-12-06T17:00Z", "20"]) {
    const rule = "allowed is a moment in UTC, like 2026-12-06T17:00Z";
    await refused({ window: { opens: moment } }, `window.opens: got "${moment}"; ${rule}`);
  }
});

test("a margin that cannot be reached, and questions without shares, are refused", async () => {
  const refused = (/** @type {unknown} */ rule, /** @type {string} */ message) =>
    assert.rejects(openSurvey(invitedBytes({ window: { stop_when: rule } })), { name: "InvalidSurvey", message });
  const questions = ["asthma"];
  for (const margin of [1, "0", "0.5", "0.030", "-0.1"]) {
    const got = JSON.stringify(margin);
    const rule = "allowed is a decimal text above 0 and below 0.5";
    await refused({ margin, questions }, `window.stop_when.margin: got ${got}; ${rule}`);
  }
  const margin = "0.03";
  for (const named of [["asthma", "asthma"], ["stress"], [["asthma"]]]) {
    const rule = "names a question twice, or one without shares of options";
    await refused({ margin, questions: named }, `window.stop_when.questions: ${rule}`);
  }
  await refused(
    { margin, questions, at: 1 },
    "window.stop_when.at: unknown key; allowed are margin, questions",
  );
  await refused(
    { margin },
    'window.stop_when: the key "questions" is missing; it takes a list of 1 to 200 question ids',
  );
  const { window } = await openSurvey(invitedBytes({ window: { stop_when: { margin, questions } } }));
  assert.deepEqual(window, { opens: null, closes: null, at_most_reports: null, stop_when: { margin, questions }, respondents: null, results: null });
});

test("a text that is no code is refused with what a code is", () => {
  assert.throws(() => readCode("7 O"), {
    name: "InvalidCode",
    message:
      "got a text of 2 characters that is no code; allowed are 16 letters from A to Z and digits " +
      "from 2 to 7, as the invitation shows them",
  });
});

/**
 * A lock that is always free.
 *
 * @param {string} _
 * @param {() => Promise<void>} work
 */
async function free(_, work) {
  await work();
  return true;
}
