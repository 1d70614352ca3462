/** Surveys that come back: facts that are reported once, and panels of several waves. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client } from "../../../../client_sdk/javascript/src/client/client.js";
import { memoryStore } from "../../../../client_sdk/javascript/src/client/storage/memory.js";
import { spent } from "../../../../client_sdk/javascript/src/inspect.js";
import { question, surveyDocument } from "../building.js";
import { throwsExactly } from "../throws_exactly.js";
import { openedClient, settled, surveyBytes } from "./clients.js";

/** @import { Report } from "../../../../client_sdk/javascript/src/index.js" */

const AGAIN = /** @type {const} */ ({ again: "edition" });
const BORN = question("born", "yes_no", ["yes", "no"], true);
const FEELS = question("feels", "choice", ["good", "bad", "neither"], true);

/**
 * An edition of one series: a fact, and a question that is asked anew.
 *
 * @param {string} title
 * @param {(document: any) => void} [edit]
 */
function edition(title, edit = () => {}) {
  return surveyBytes("health", (document) => {
    Object.assign(document, surveyDocument([BORN, FEELS]), { slug: "health", title });
    document.questions[0] = { ...document.questions[0], fixed: true };
    Object.assign(document.privacy, { epsilon: "2", asked: 2 });
    edit(document);
  });
}

/**
 * A wave of a panel of three.
 *
 * @param {number} wave
 * @param {(privacy: any) => void} [edit]
 * @param {string} [title]
 */
function waveOf(wave, edit = () => {}, title = `${wave}`) {
  return surveyBytes("health", (document) => {
    Object.assign(document, { title });
    Object.assign(document.privacy, { waves: 3, wave });
    edit(document.privacy);
  });
}

/**
 * What a client does with each of these documents, one after the other on one device.
 *
 * @param {readonly Uint8Array<ArrayBuffer>[]} documents
 * @param {Parameters<typeof openedClient>[0] & {}} [given]
 */
async function device(documents, given = {}) {
  const storage = given.options?.storage ?? memoryStore();
  /** @type {Awaited<ReturnType<typeof openedClient>>[]} */
  const opened = [];
  for (const document of documents) {
    opened.push(await openedClient({ surveys: [document], options: { ...given.options, storage } }));
  }
  const clients = opened.map(({ client }) => client);
  return { storage, clients, transports: opened.map(({ transport }) => transport) };
}

/** @param {Client} client */
async function partsSpent(client) {
  return (await spent(client)).surveys.map(({ weights }) => weights.length);
}

test("a fact is reported again in three editions, and spent once", async () => {
  const { clients } = await device([edition("1"), edition("2"), edition("3")]);
  /** @type {Report[]} */
  const reports = [];
  for (const [client, born] of /** @type {[Client, any][]} */ ([
    [clients[0], "yes"],
    [clients[1], "no such answer"],
    [clients[2], undefined],
  ])) {
    const survey = await client.getSurvey("health");
    reports.push(await client.submit(survey, { born, feels: "bad" }, undefined, AGAIN));
  }
  assert.deepEqual(await partsSpent(/** @type {Client} */ (clients[0])), [2, 1, 1]);
  assert.equal(new Set(reports.map(({ values }) => values.born)).size, 1);
  for (const { values } of reports) assert.deepEqual(Object.keys(values).sort(), ["born", "feels"]);
});

/** @type {[string, (document: any) => void][]} */
const CHANGES = [
  ["wording", (document) => (document.questions[0].text = "Elsewhere?")],
  ["mechanism", (document) => (document.privacy.blocks[0].mechanism.weights = [4, 3])],
  ["series", (document) => (document.slug = "other")],
  ["block", (document) => (document.privacy.blocks[0].id = "birth")],
];

for (const [what, edit] of CHANGES) {
  test(`with another ${what} a fact is another, and accounted for`, async () => {
    const { clients } = await device([edition("1"), edition("2", edit)]);
    for (const [place, slug] of ["health", what === "series" ? "other" : "health"].entries()) {
      const client = /** @type {Client} */ (clients[place]);
      const survey = await client.getSurvey(slug);
      await client.submit(survey, { born: "yes", feels: "bad" }, undefined, AGAIN);
    }
    assert.deepEqual(await partsSpent(/** @type {Client} */ (clients[0])), [2, 2]);
  });
}

test("a fact outlives the body of its report", async () => {
  const { clients, storage } = await device([edition("1"), edition("2")]);
  const [one, two] = /** @type {[Client, Client]} */ (clients);
  const answers = { born: "yes", feels: "bad" };
  const first = await one.submit(await one.getSurvey("health"), answers);
  await settled();
  // As an earlier version kept it, so that it can be written here.
  const [{ sum: _, ...entry }] = /** @type {any} */ (
    (await storage.all()).filter((record) => "report" in record)
  );
  await storage.replace({ ...entry, body: null });
  const second = await two.submit(await two.getSurvey("health"), answers, undefined, AGAIN);
  assert.deepEqual(second.values.born, first.values.born);
});

test("a fact alone takes nothing of a cap that is used up", async () => {
  const alone = (/** @type {string} */ title) =>
    surveyBytes("health", (document) => {
      document.title = title;
      document.questions[0].fixed = true;
    });
  const { clients } = await device([alone("1"), alone("2")], { options: { yearlyCap: 1 } });
  const [one, two] = /** @type {[Client, Client]} */ (clients);
  const first = await one.submit(await one.getSurvey("health"), { asthma: "yes" });
  const second = await two.submit(await two.getSurvey("health"), {}, undefined, AGAIN);
  assert.deepEqual(second.values, first.values);
  assert.deepEqual(await partsSpent(one), [1, 0]);
});

test("what is kept is not asked again, unless it leads to others", async () => {
  const led = (/** @type {any} */ document) => {
    document.questions[1].show_if = { question: "born", is: ["yes"] };
    Object.assign(document.privacy.blocks[1].mechanism, { domain_size: 4, size: 1 });
  };
  const documents = [edition("1"), edition("2"), edition("3", led)];
  const { clients } = await device(documents);
  const [one, two, three] = /** @type {[Client, Client, Client]} */ (clients);
  const early = await two.getSurvey("health");
  assert.deepEqual((await two.draw(early)).questions.map(({ id }) => id), ["born", "feels"]);
  const first = await one.submit(await one.getSurvey("health"), { born: "yes", feels: "bad" });
  const later = await two.getSurvey("health");
  const asked = await two.draw(later);
  assert.deepEqual(asked.blocks, ["born", "feels"]);
  assert.deepEqual(asked.questions.map(({ id }) => id), ["feels"]);
  await two.submit(later, { feels: "good" }, asked.blocks, AGAIN);
  const survey = await three.getSurvey("health");
  const shown = await three.draw(survey);
  assert.deepEqual(shown.questions.map(({ id }) => id), ["born", "feels"]);
  const given = { born: "no", feels: "bad" };
  const third = await three.submit(survey, given, shown.blocks, AGAIN);
  assert.deepEqual(third.values.born, first.values.born);
});

test("a storage that cannot be read asks nothing", async () => {
  const storage = memoryStore();
  const { clients } = await device([edition("1")], { options: { storage } });
  const [client] = /** @type {[Client]} */ (clients);
  storage.all = async () => {
    throw new Error("down");
  };
  const survey = await client.getSurvey("health");
  await assert.rejects(client.draw(survey), { name: "StorageUnavailable" });
  await assert.rejects(client.submit(survey, {}), { name: "StorageUnavailable" });
});

test("every wave of a panel is answered once, in any order, within the cap of all", async () => {
  for (const order of [[1, 2, 3], [3, 1, 2]]) {
    const documents = [...order.map((wave) => waveOf(wave)), waveOf(2, undefined, "again")];
    const options = { epsilonCap: 3, yearlyCap: 3 };
    const { clients } = await device(documents, { options });
    for (const client of clients.slice(0, 3)) {
      await client.submit(await client.getSurvey("health"), { asthma: "yes" });
    }
    const last = /** @type {Client} */ (clients[3]);
    const survey = await last.getSurvey("health");
    await assert.rejects(last.submit(survey, {}), (/** @type {Error} */ error) => {
      assert.equal(error.name, "AlreadyAnswered");
      return /^this device has answered wave 2 of health; a second report/.test(error.message);
    });
    assert.deepEqual(await partsSpent(last), [1, 1, 1]);
  }
});

test("a wave that takes more than was promised is refused", async () => {
  const dearer = waveOf(2, (privacy) => {
    privacy.epsilon = "1.1";
    privacy.blocks[0].mechanism.weights = [3, 1];
  });
  const { clients } = await device([waveOf(1), dearer]);
  const [one, two] = /** @type {[Client, Client]} */ (clients);
  await one.submit(await one.getSurvey("health"), {});
  const survey = await two.getSurvey("health");
  await throwsExactly(
    () => two.submit(survey, {}),
    "BudgetExceeded",
    "the panel promised epsilon 1 in each wave at most; this one takes 1.1; do not answer it",
  );
});

test("what is no wave of the same panel must be allowed", async () => {
  const plain = surveyBytes("health");
  const larger = waveOf(2, (privacy) => (privacy.waves = 4));
  for (const documents of [[waveOf(1), plain], [plain, waveOf(1)], [waveOf(1), larger]]) {
    const { clients } = await device(documents);
    const [one, two] = /** @type {[Client, Client]} */ (clients);
    await one.submit(await one.getSurvey("health"), {});
    const survey = await two.getSurvey("health");
    await assert.rejects(two.submit(survey, {}), /has answered another edition of health/);
    await two.submit(survey, {}, undefined, AGAIN);
  }
});

test("the cap of a survey counts all waves", async () => {
  const { clients } = await device([waveOf(1)], { options: { epsilonCap: 2 } });
  await throwsExactly(
    () => /** @type {Client} */ (clients[0]).getSurvey("health"),
    "BudgetExceeded",
    "the survey takes epsilon 1 in each wave; allowed here is 2; raise the cap or do not answer it",
  );
});
