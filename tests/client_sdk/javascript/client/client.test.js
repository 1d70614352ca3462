/** What an app does with a client, from consent to opting out. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openClient } from "../../../../client_sdk/javascript/src/client.js";
import { readReport } from "../../../../client_sdk/javascript/src/check.js";
import { inspect, spent } from "../../../../client_sdk/javascript/src/inspect.js";
import { memoryStore } from "../../../../client_sdk/javascript/src/testing.js";
import { throwsExactly } from "../throws_exactly.js";
import { COLLECTOR, failing, openedClient, settled, surveyBytes } from "./clients.js";

/** @import { Report } from "../../../../client_sdk/javascript/src/index.js" */

test("a survey is got, drawn, answered and sent, once", async () => {
  const { client, transport } = await openedClient();
  const survey = await client.getSurvey("health");
  const asked = await client.draw(survey);
  assert.deepEqual(asked.blocks, ["asthma"]);
  assert.deepEqual(asked.questions.map(({ id }) => id), ["asthma"]);
  const report = await client.submit(survey, { asthma: true }, asked.blocks);
  await settled();
  assert.deepEqual(transport.sent, [report.toBytes()]);
  const one = { report: report.id, survey: survey.digest, slug: "health", state: "sent" };
  assert.deepEqual(await client.reports(), [one]);
  assert.deepEqual(await client.flush(), { sent: 0, waiting: 0, refused: 0, dropped: 0 });
  assert.equal(transport.sent.length, 1);
});

test("without consent nothing is opened", async () => {
  for (const consent of [false, undefined, null, 1, "true", {}]) {
    await assert.rejects(
      openClient(/** @type {any} */ ({ collector: COLLECTOR, consent })),
      (/** @type {Error} */ error) => {
        assert.equal(error.name, "ConsentRequired");
        assert.match(error.message, /^consent: got .*; allowed is true/);
        return true;
      },
    );
  }
});

test("wrong options are answered with what is allowed", async () => {
  await throwsExactly(
    () => openClient(/** @type {any} */ ({ collector: COLLECTOR, consent: true, cap: 1 })),
    "TypeError",
    'unknown key "cap"; allowed are collector, consent, storage, transport, clock, epsilonCap, ' +
      "yearlyCap, sendsAtOnce, log",
  );
  for (const collector of ["ftp://x", "x", "https://user@h", "https://h?a=1", "https://h#a"]) {
    await throwsExactly(
      () => openClient({ collector, consent: true }),
      "InvalidAddress",
      `got "${collector}"; allowed is an address like https://example.org, other letters as xn--`,
    );
  }
  for (const cap of [{ epsilonCap: "1.0" }, { yearlyCap: 11 }]) {
    await assert.rejects(openClient({ collector: COLLECTOR, consent: true, ...cap }), RangeError);
  }
});

test("where a browser keeps nothing, memory stands in, and the client says so", async () => {
  const client = await openClient({ collector: COLLECTOR, consent: true });
  assert.equal(client.isDurable, false);
  await client.shutDown();
});

test("a survey above the cap is not opened, nor answered if it was opened elsewhere", async () => {
  const generous = await openedClient();
  const survey = await generous.client.getSurvey("health");
  const { client } = await openedClient({ options: { epsilonCap: "0.5" } });
  const message =
    "the survey takes epsilon 1; allowed here is 0.5; raise the cap or do not answer it";
  await throwsExactly(() => client.getSurvey("health"), "BudgetExceeded", message);
  await throwsExactly(() => client.submit(survey, {}), "BudgetExceeded", message);
  assert.deepEqual(await client.reports(), []);
});

test("another document than the pinned one is not opened", async () => {
  const { client } = await openedClient({ surveys: [surveyBytes("health")] });
  const { digest } = await client.getSurvey("health");
  assert.equal((await client.getSurvey("health", { digest })).digest, digest);
  const changed = surveyBytes("health", (document) => (document.title = "Changed"));
  const lying = { getSurvey: async () => changed, send: async () => ({ status: 201 }) };
  const fooled = await openedClient({ options: { transport: lying } });
  await assert.rejects(fooled.client.getSurvey("health", { digest }), { name: "DigestMismatch" });
});

test("another survey than the one asked for is not opened", async () => {
  const send = async () => ({ status: 201 });
  const lying = { getSurvey: async () => surveyBytes("other"), send };
  const { client } = await openedClient({ options: { transport: lying } });
  await throwsExactly(
    () => client.getSurvey("health"),
    "InvalidSurvey",
    'the collector gave "other" instead of "health"; do not answer it',
  );
});

test("a survey that takes more than it claims is not opened", async () => {
  const lying = surveyBytes("health", (document) => (document.privacy.epsilon = "0.9"));
  const { client } = await openedClient({ surveys: [lying] });
  await assert.rejects(client.getSurvey("health"), { name: "BudgetExceeded" });
});

test("a second report is refused, with the first one's id", async () => {
  const { client } = await openedClient();
  const survey = await client.getSurvey("health");
  const first = await client.submit(survey, { asthma: true });
  await assert.rejects(client.submit(survey, { asthma: false }), (/** @type {any} */ error) => {
    assert.equal(error.name, "AlreadyAnswered");
    assert.equal(error.report, first.id);
    assert.match(error.message, /^this device has answered health; a second report would spend/);
    return true;
  });
});

test("a second report is the first one, the same bytes, if the app asks for that", async () => {
  const { client, transport } = await openedClient();
  const survey = await client.getSurvey("health");
  const first = await client.submit(survey, { asthma: true }, undefined, { again: "first" });
  await settled();
  const second = await client.submit(survey, { asthma: false }, undefined, { again: "first" });
  await settled();
  assert.deepEqual(second.toBytes(), first.toBytes());
  assert.deepEqual(transport.sent, [first.toBytes()]);
});

test("another edition is refused unless the app allows it, and then accounted for", async () => {
  const editions = [surveyBytes("health"), surveyBytes("health", (text) => (text.title = "Two"))];
  const storage = memoryStore();
  /** @type {Report[]} */
  const reports = [];
  for (const edition of editions) {
    const { client } = await openedClient({ surveys: [edition], options: { storage } });
    const survey = await client.getSurvey("health");
    if (reports.length > 0) {
      await assert.rejects(client.submit(survey, {}), (/** @type {any} */ error) => {
        assert.equal(error.name, "AlreadyAnswered");
        assert.match(error.message, /^this device has answered another edition of health/);
        return error.report === reports[0]?.id;
      });
    }
    reports.push(await client.submit(survey, {}, undefined, { again: "edition" }));
    await assert.rejects(client.submit(survey, {}, undefined, { again: "edition" }), {
      name: "AlreadyAnswered",
    });
    assert.equal((await spent(client)).surveys.length, reports.length);
  }
});

test("all surveys together stay within the yearly cap, exactly", async () => {
  const surveys = ["one", "two", "three"].map((slug) => surveyBytes(slug));
  const { client } = await openedClient({ surveys, options: { yearlyCap: 2 } });
  for (const slug of ["one", "two"]) await client.submit(await client.getSurvey(slug), {});
  await throwsExactly(
    async () => client.submit(await client.getSurvey("three"), {}),
    "YearlyCapExceeded",
    "the survey takes epsilon 1, beside 1.99999999990704 in 365 days; allowed here is 2; raise " +
      "the cap or do not answer it",
  );
  assert.equal((await client.reports()).length, 2);
});

test("what was spent is told exactly and in plain words", async () => {
  const { client } = await openedClient();
  assert.deepEqual(await spent(client), {
    surveys: [],
    epsilon: "0",
    surest: 0.5,
    words:
      "You have answered 0 surveys on this device. The most anyone can learn from the reports: " +
      "of something about you that seemed as likely as not, they can become 50 % sure, and no " +
      "surer.",
    yearlyEpsilon: "0",
    epsilonCap: null,
    yearlyCap: null,
  });
  const survey = await client.getSurvey("health");
  const report = await client.submit(survey, {});
  const all = await spent(client);
  assert.deepEqual(all.surveys, [
    {
      collector: COLLECTOR,
      slug: "health",
      survey: survey.digest,
      report: report.id,
      weights: [{ high: 11674931554, low: 4294967296 }],
      epsilon: "0.99999999995352",
    },
  ]);
  assert.match(all.words, /^You have answered 1 survey on this device\..* 73\.2 % sure/);
});

test("the inspector says in words and in bytes what is sent", async () => {
  const { client, transport } = await openedClient();
  const survey = await client.getSurvey("health");
  const report = await client.submit(survey, { asthma: true });
  await settled();
  const { bytes, text, words } = inspect(report, survey);
  assert.deepEqual(transport.sent, [bytes]);
  assert.deepEqual(readReport(new TextEncoder().encode(text)).toBytes(), bytes);
  assert.equal(words.length, 1);
  assert.match(words[0] ?? "", /^What about asthma\? Reported: one of: (yes|no|no_answer)$/);
});

test("an answer that does not fit keeps nothing and sends nothing", async () => {
  const { client, transport } = await openedClient();
  const survey = await client.getSurvey("health");
  const submitted = client.submit(survey, { asthma: "zebrafinch" });
  await assert.rejects(submitted, (/** @type {Error} */ error) => {
    assert.equal(error.name, "InvalidAnswer");
    assert.doesNotMatch(error.message, /zebrafinch/);
    return true;
  });
  await settled();
  assert.deepEqual([await client.reports(), transport.sent], [[], []]);
});

test("wrong use of submit is answered with what is allowed", async () => {
  const { client } = await openedClient();
  const survey = await client.getSurvey("health");
  await throwsExactly(
    () => client.submit(survey, {}, undefined, /** @type {any} */ ({ agian: "first" })),
    "TypeError",
    'unknown key "agian"; allowed are again, hold, collected, group',
  );
  await throwsExactly(
    () => client.submit(/** @type {any} */ ({}), {}),
    "TypeError",
    "got an object; allowed is a survey from openSurvey",
  );
});

test("opting out wipes everything, and nothing works until consent is given again", async () => {
  const storage = memoryStore();
  const down = { answer: failing(99, new Error("down")), options: { storage } };
  const { client, transport, clock } = await openedClient(down);
  const survey = await client.getSurvey("health");
  await client.submit(survey, {});
  await settled();
  await client.optOut();
  assert.deepEqual(await storage.all(), []);
  const refusal = "the person has opted out; open another once they agree";
  for (const use of [
    () => client.getSurvey("health"),
    () => client.draw(survey),
    () => client.submit(survey, {}),
    () => client.heldReport(survey),
    () => client.send(survey),
    () => client.decline(survey),
    () => client.flush(),
    () => client.reports(),
    () => spent(client),
  ]) {
    await throwsExactly(use, "ConsentRequired", refusal);
  }
  const tries = transport.sent.length;
  clock.advance(86_400_000);
  await settled();
  assert.equal(transport.sent.length, tries);
  const { client: next } = await openedClient(down);
  assert.deepEqual(await next.reports(), []);
});

test("opting out while a report is being kept leaves nothing behind", async () => {
  const storage = memoryStore();
  const { client, transport } = await openedClient({ options: { storage } });
  const survey = await client.getSurvey("health");
  const submitting = client.submit(survey, {});
  const optedOut = client.optOut();
  await assert.rejects(submitting, { name: "ConsentRequired" });
  await optedOut;
  await settled();
  assert.deepEqual(await storage.all(), []);
  assert.deepEqual(transport.sent, []);
});

test("what waits when a client is shut down is sent by the next one", async () => {
  const storage = memoryStore();
  const down = await openedClient({ answer: failing(99, { status: 503 }), options: { storage } });
  const report = await down.client.submit(await down.client.getSurvey("health"), {});
  await settled();
  await down.client.shutDown();
  await throwsExactly(
    () => down.client.flush(),
    "ClientShutDown",
    "the client was shut down; open another",
  );
  const up = await openedClient({ options: { storage } });
  assert.deepEqual(await up.client.flush(), { sent: 1, waiting: 0, refused: 0, dropped: 0 });
  assert.deepEqual(up.transport.sent, [report.toBytes()]);
});
