/** A record that is not as it was kept is noticed, whichever part of it has changed. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { spent } from "../../../../client_sdk/javascript/src/inspect.js";
import { memoryStore } from "../../../../client_sdk/javascript/src/testing.js";
import { question, surveyDocument } from "../building.js";
import { throwsExactly } from "../throws_exactly.js";
import { openedClient, settled, surveyBytes } from "./clients.js";

const CHANGED = "a kept record has changed; restore it, or opt out";
const TWO = surveyBytes("two", (document) => {
  const questions = ["a", "b"].map((name) => question(name, "yes_no", ["yes", "no"]));
  Object.assign(document, surveyDocument(questions), { slug: "two" });
});
/** What is about trying again may be anything: it is held to its limits when it is read. */
const FREE = ["nextTry", "status", "reason"];

/** A store with a report that is held, and the blocks that were drawn for it. */
async function answeredStore() {
  const storage = memoryStore();
  const { client } = await openedClient({ surveys: [TWO], options: { storage } });
  const survey = await client.getSurvey("two");
  await client.draw(survey);
  await client.submit(survey, {}, undefined, { hold: true });
  await client.shutDown();
  return storage;
}

/**
 * What a store keeps of surveys, without the locks that stand in it.
 *
 * @param {ReturnType<typeof memoryStore>} storage
 * @returns {Promise<any[]>}
 */
async function recordsOf(storage) {
  return (await storage.all()).filter((record) => "survey" in record);
}

/**
 * Each way to change one value within a record by little.
 *
 * @param {any} value
 * @returns {any[]}
 */
function changes(value) {
  if (typeof value === "string") {
    return value.length > 0 ? [`${String.fromCharCode(value.charCodeAt(0) ^ 1)}${value.slice(1)}`] : [];
  }
  if (typeof value === "number") return [value ^ 1];
  if (typeof value === "boolean") return [!value];
  if (value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    changes(member).map((other) =>
      Array.isArray(value) ? Object.assign([...value], { [key]: other }) : { ...value, [key]: other },
    ),
  );
}

test("a change of any kept value is noticed by every call, and opting out wipes it", async () => {
  const records = await recordsOf(await answeredStore());
  assert.equal(records.length, 2);
  let count = 0;
  for (const record of records) {
    for (const changed of changes(record)) {
      const [name] = Object.keys(record).filter(
        (key) => JSON.stringify(record[key]) !== JSON.stringify(changed[key]),
      );
      // Under another key it is another record.
      if (name === undefined || name === "key" || FREE.includes(name)) continue;
      count += 1;
      const storage = await answeredStore();
      await storage.clear();
      for (const each of records) await storage.add(each === record ? changed : each);
      const { client } = await openedClient({ surveys: [TWO], options: { storage } });
      const survey = await client.getSurvey("two");
      const calls = [() => client.draw(survey), () => client.submit(survey, {}), () => client.reports(),
        () => spent(client), () => client.heldReport(survey), () => client.send(survey)];
      for (const call of calls) await throwsExactly(call, "StorageUnavailable", CHANGED);
      await settled();
      await client.optOut();
      assert.deepEqual(await storage.all(), []);
    }
  }
  assert.ok(count > 10);
});

test("a changed report is not sent", async () => {
  const storage = memoryStore();
  const down = await openedClient({ answer: () => ({ status: 0 }), options: { storage } });
  await down.client.submit(await down.client.getSurvey("health"), {});
  await settled();
  await down.client.shutDown();
  const [entry] = (await recordsOf(storage));
  assert.equal(entry.state, "waiting");
  await storage.replace({ ...entry, nextTry: 0, body: entry.body.replace(/\d(?=\D*$)/, (/** @type {string} */ digit) => digit === "0" ? "1" : "0") });
  const { client, transport } = await openedClient({ options: { storage } });
  await throwsExactly(() => client.flush(), "StorageUnavailable", CHANGED);
  await settled();
  assert.deepEqual(transport.sent, []);
});

test("what earlier versions kept is read, and has a check sum once it is written again", async () => {
  const storage = await answeredStore();
  for (const { sum, ...record } of (await recordsOf(storage))) {
    assert.ok(Number.isInteger(sum));
    await storage.replace(record);
  }
  const { client } = await openedClient({ surveys: [TWO], options: { storage } });
  const survey = await client.getSurvey("two");
  assert.ok(await client.heldReport(survey));
  assert.ok(await client.decline(survey));
  const sums = (await recordsOf(storage)).filter((record) => "sum" in record);
  assert.deepEqual(sums.map(({ state }) => state), ["declined"]);
});
