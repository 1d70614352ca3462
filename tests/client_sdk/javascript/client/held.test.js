/** A device draws once for a survey: what is kept from then on, and until the person decides. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openSurvey } from "../../../../client_sdk/javascript/src/index.js";
import { spent } from "../../../../client_sdk/javascript/src/inspect.js";
import { memoryStore, openTestClient } from "../../../../client_sdk/javascript/src/testing.js";
import { question, surveyDocument } from "../building.js";
import { throwsExactly } from "../throws_exactly.js";
import { openedClient, settled, surveyBytes } from "./clients.js";

const HOLD = /** @type {const} */ ({ hold: true });
const MANY = surveyBytes("many", (document) => {
  const names = Array.from({ length: 40 }, (_, number) => `q${number}`);
  const questions = names.map((name) => question(name, "yes_no", ["yes", "no"]));
  Object.assign(document, surveyDocument(questions), { slug: "many" });
});

/**
 * A client of a store, and the survey that it is asked.
 *
 * @param {ReturnType<typeof memoryStore>} storage
 * @param {{ slug?: string, collector?: string }} [given]
 */
async function visit(storage, { slug = "health", collector } = {}) {
  const surveys = [surveyBytes("health"), MANY];
  const options = { storage, ...(collector && { collector }) };
  // What other clients of the store are at comes to its end first.
  await settled();
  const opened = await openedClient({ surveys, options });
  await settled();
  return { ...opened, survey: await opened.client.getSurvey(slug) };
}

/** @param {ReturnType<typeof memoryStore>} storage */
async function textOf(storage) {
  return JSON.stringify(await storage.all());
}

test("the same blocks are drawn again, by every client of a device", async () => {
  const storage = memoryStore();
  const drawn = new Set();
  for (let count = 0; count < 20; count += 1) {
    const { client, survey } = await visit(storage, { slug: "many" });
    const asked = await client.draw(survey);
    assert.equal(asked.questions.length, 1);
    drawn.add(String(asked.blocks));
  }
  assert.equal(drawn.size, 1);
  const { client, survey } = await visit(storage, { slug: "many" });
  const { values } = await client.submit(survey, {});
  assert.deepEqual(new Set(Object.keys(values)), drawn);
  assert.deepEqual(new Set((await client.draw(survey)).blocks), drawn);
  assert.equal((await spent(client)).surveys.length, 1);
});

test("of two tabs that draw at once, both are given the same blocks", async () => {
  for (let count = 0; count < 20; count += 1) {
    // Nothing keeps them apart but that a key is added once.
    const lock = async (/** @type {string} */ _, /** @type {() => Promise<void>} */ work) => {
      await work();
      return true;
    };
    const storage = { ...memoryStore(), lock };
    const tabs = [await visit(storage, { slug: "many" }), await visit(storage, { slug: "many" })];
    const asked = await Promise.all(tabs.map(({ client, survey }) => client.draw(survey)));
    assert.deepEqual(asked[0]?.blocks, asked[1]?.blocks);
    const given = asked.map(({ blocks }) => blocks);
    const reports = await Promise.all(
      tabs.map(({ client, survey }, tab) =>
        client.submit(survey, {}, given[tab], { again: "first", hold: true }),
      ),
    );
    assert.deepEqual(reports[0]?.toBytes(), reports[1]?.toBytes());
  }
});

test("other blocks than those that were drawn are refused", async () => {
  const { client, survey } = await visit(memoryStore(), { slug: "many" });
  const { blocks } = await client.draw(survey);
  const other = blocks[0] === "q1" ? "q2" : "q1";
  await throwsExactly(
    () => client.submit(survey, {}, [other]),
    "RangeError",
    `got the blocks ${other}; allowed are ${blocks[0]}, as drawn`,
  );
  assert.deepEqual(await client.reports(), []);
});

test("where all blocks are asked, to look at a survey leaves nothing behind", async () => {
  const storage = memoryStore();
  const { client, survey } = await visit(storage);
  await client.draw(survey);
  assert.deepEqual(
    (await storage.all()).filter(({ key }) => !key.startsWith("lease")),
    [],
  );
});

test("a report that is held is kept as it is, and not sent", async () => {
  const storage = memoryStore();
  const first = await visit(storage);
  assert.equal(await first.client.heldReport(first.survey), null);
  const report = await first.client.submit(first.survey, { asthma: true }, undefined, HOLD);
  for (let count = 0; count < 3; count += 1) {
    const { client, survey, transport } = await visit(storage);
    assert.deepEqual((await client.heldReport(survey))?.toBytes(), report.toBytes());
    assert.deepEqual((await client.reports()).map(({ state }) => state), ["held"]);
    assert.deepEqual(await client.flush(), { sent: 0, waiting: 0, refused: 0, dropped: 0 });
    await settled();
    assert.deepEqual(transport.sent, []);
    await assert.rejects(client.submit(survey, { asthma: false }, undefined, HOLD), {
      name: "AlreadyAnswered",
      report: report.id,
    });
    const again = { again: /** @type {const} */ ("first") };
    assert.deepEqual((await client.submit(survey, {}, undefined, again)).toBytes(), report.toBytes());
    assert.equal((await spent(client)).surveys.length, 1);
  }
  const { client, survey, transport, logged } = await visit(storage);
  assert.equal(await client.send(survey), true);
  await settled();
  assert.deepEqual(transport.sent, [report.toBytes()]);
  assert.deepEqual(logged.map((event) => Object(event).event), ["waiting", "sent"]);
  assert.equal(await client.heldReport(survey), null);
  assert.deepEqual([await client.send(survey), await client.decline(survey)], [false, false]);
  assert.equal((await client.reports())[0]?.state, "sent");
});

test("of a report that was declined the mark stays, and it counts as spent", async () => {
  const storage = memoryStore();
  const first = await visit(storage);
  const report = await first.client.submit(first.survey, { asthma: true }, undefined, HOLD);
  const { body } = Object((await storage.all()).find((record) => "report" in record));
  assert.ok((await textOf(storage)).includes(JSON.stringify(body)));
  const before = await spent(first.client);
  assert.equal(await first.client.decline(first.survey), true);
  assert.ok(!(await textOf(storage)).includes(JSON.stringify(body)));
  for (const again of /** @type {const} */ (["first", "edition", undefined])) {
    const { client, survey, transport } = await visit(storage);
    assert.equal(await client.heldReport(survey), null);
    assert.equal(await client.send(survey), false);
    assert.deepEqual((await client.reports()).map(({ state }) => state), ["declined"]);
    const more = again ? { again } : {};
    await assert.rejects(client.submit(survey, { asthma: false }, undefined, more), {
      name: "AlreadyAnswered",
      report: report.id,
    });
    await client.flush();
    assert.deepEqual(transport.sent, []);
    assert.deepEqual(await spent(client), before);
  }
});

test("a device that dies while a report is being kept has none, or all of it", async () => {
  for (const isWritten of [false, true]) {
    const storage = memoryStore();
    const dying = {
      ...storage,
      async add(/** @type {any} */ record) {
        if ("report" in record && !isWritten) throw new Error("killed");
        const isAdded = await storage.add(record);
        if ("report" in record) throw new Error("killed");
        return isAdded;
      },
    };
    const { client, survey } = await visit(dying, { slug: "many" });
    const { blocks } = await client.draw(survey);
    await assert.rejects(client.submit(survey, {}, blocks, HOLD), { name: "StorageUnavailable" });
    const next = await visit(storage, { slug: "many" });
    assert.deepEqual((await next.client.draw(next.survey)).blocks, blocks);
    const held = await next.client.heldReport(next.survey);
    assert.equal(held !== null, isWritten);
    if (isWritten) assert.deepEqual(Object.keys(Object(held).values), blocks);
    assert.equal((await spent(next.client)).surveys.length, Number(isWritten));
  }
});

test("a survey is the same at another address, where its report can be sent", async () => {
  const storage = memoryStore();
  const first = await visit(storage, { collector: "https://one.example" });
  const report = await first.client.submit(first.survey, {}, undefined, HOLD);
  const { client, survey, transport } = await visit(storage, { collector: "https://two.example" });
  await assert.rejects(client.submit(survey, {}), { name: "AlreadyAnswered", report: report.id });
  assert.deepEqual((await client.heldReport(survey))?.toBytes(), report.toBytes());
  await client.send(survey);
  await settled();
  assert.deepEqual(transport.sent, [report.toBytes()]);
  assert.deepEqual((await client.reports()).map(({ state }) => state), ["sent"]);
});

test("only reports to this collector are counted as dropped", async () => {
  const storage = memoryStore();
  const first = await visit(storage, { collector: "https://one.example" });
  await first.client.submit(first.survey, {}, undefined, HOLD);
  // As an earlier version kept it, so that it can be written here.
  const [{ sum: _, ...entry }] = /** @type {any} */ (
    (await storage.all()).filter((record) => "report" in record)
  );
  await storage.replace({ ...entry, state: "dropped", body: null });
  assert.equal((await first.client.flush()).dropped, 1);
  const { client } = await visit(storage, { collector: "https://two.example" });
  assert.equal((await client.flush()).dropped, 0);
});

test("opting out while blocks are being drawn leaves nothing behind", async () => {
  const storage = memoryStore();
  const { client, survey } = await visit(storage, { slug: "many" });
  const drawing = client.draw(survey);
  const optedOut = client.optOut();
  await assert.rejects(drawing, { name: "ConsentRequired" });
  await optedOut;
  await settled();
  assert.deepEqual(await storage.all(), []);
});

test("a survey that was opened elsewhere is drawn like one that was got", async () => {
  const client = await openTestClient({ collector: "https://a.example", consent: true });
  const { blocks } = await client.draw(await openSurvey(MANY));
  assert.equal(blocks.length, 1);
  await assert.rejects(client.draw(/** @type {any} */ ({})), TypeError);
});
