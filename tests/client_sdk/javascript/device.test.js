/** What a device does: draw, randomize, keep, and nothing else. */

import assert from "node:assert/strict";
import { test } from "node:test";

import * as deniable from "../../../client_sdk/javascript/src/index.js";
import { RandomIntegers, systemBytes } from "../../../client_sdk/javascript/src/randomness.js";
import { YES_NO, open, question } from "./building.js";
import { Tape } from "./tape.js";
import { throwsExactly } from "./throws_exactly.js";
import { fromHex } from "./vectors.js";

const { drawBlocks, inLanguage, openSurvey, randomize } = deniable;

test("the public names are these and no others", () => {
  assert.deepEqual(Object.keys(deniable), [
    "BudgetExceeded",
    "DeniableError",
    "DigestMismatch",
    "InsecureContext",
    "InvalidAnswer",
    "InvalidReport",
    "InvalidSurvey",
    "RandomnessUnavailable",
    "Report",
    "drawBlocks",
    "inLanguage",
    "openSurvey",
    "questionsToShow",
    "randomize",
    "reachedQuestions",
  ]);
});

test("without a reader the bytes come from crypto.getRandomValues", async (context) => {
  const survey = await open();
  const asked = context.mock.method(globalThis.crypto, "getRandomValues");
  const first = randomize(survey, {});
  const second = randomize(survey, {});
  assert.notEqual(first.id, second.id);
  assert.match(first.id, /^[0-9a-f]{32}$/);
  // A report id, two draws and a sample at once for each report, and more if one was rejected.
  const lengths = asked.mock.calls.map((call) => Number(call.arguments[0]?.byteLength));
  assert.deepEqual(lengths.filter((length) => length !== 6 + 768), [28 + 768, 28 + 768]);
});

test("a faulty source stops a report, and ends", async (context) => {
  const survey = await open();
  let fill = (/** @type {Uint8Array} */ bytes) => bytes.fill(0);
  context.mock.method(globalThis.crypto, "getRandomValues", (/** @type {Uint8Array} */ bytes) =>
    fill(bytes),
  );
  const nothing =
    "nothing was randomized; restart the device, and do not answer " +
    "on it if this happens again";
  for (const byte of [0, 85, 255]) {
    fill = (bytes) => bytes.fill(byte);
    await throwsExactly(
      () => randomize(survey, { asthma: "yes" }),
      "RandomnessUnavailable",
      `the random bytes repeat themselves or hardly vary; ${nothing}`,
    );
  }
  const rejected = (/** @type {number} */ count) => new Uint8Array(count).fill(255);
  await throwsExactly(
    () => randomize(survey, { asthma: "yes" }, null, rejected),
    "RandomnessUnavailable",
    `the random bytes were rejected 128 times in a row; ${nothing}`,
  );
});

test("reading ahead changes no draw: rejected ones are drawn again in the same order", () => {
  const bounds = [10, 2 ** 47 + 1, 10, 2 ** 47 + 1];
  const rejected = "f".repeat(12);
  const draws = ["000000000007", rejected, "800000000000", "00000000001c", rejected, "000000000005"];
  for (let ahead = 0; ahead < 7; ahead += 1) {
    const tape = new Tape(fromHex(`0102${draws.join("")}`));
    const integers = new RandomIntegers(tape.read, ahead, 2);
    assert.deepEqual([...integers.lead], [1, 2]);
    assert.deepEqual(bounds.map((bound) => integers.below(bound)), [7, 2 ** 47, 8, 5]);
    tape.assertAllRead();
  }
});

test("more bytes than one call gives are drawn in several", () => {
  const drawn = systemBytes(65536 + 4096);
  assert.equal(drawn.length, 65536 + 4096);
  assert.ok(drawn.subarray(65536).some((byte) => byte > 0));
});

test("the report id is read first, then the blocks in the survey's order", async () => {
  const questions = ["first", "second", "third"].map((id) =>
    question(id, "yes_no", ["yes", "no"], true),
  );
  const survey = await open((document) => {
    document.privacy.asked = 2;
    document.privacy.epsilon = "2";
  }, questions);
  const keep = new Uint8Array(12);
  // The smallest draw that leaves the answer out is the high weight.
  const flip = fromHex("0002b7e15162".padEnd(24, "0"));
  const id = new Uint8Array(16).fill(7);
  const tape = new Tape(Uint8Array.from([...id, ...keep, ...flip]));
  const report = randomize(survey, { first: "yes", third: "yes" }, ["third", "first"], tape.read);
  tape.assertAllRead();
  assert.equal(report.id, "07".repeat(16));
  assert.deepEqual({ ...report.values }, { first: 0, third: 1 });
});

test("where all blocks are asked nothing is drawn", async () => {
  const survey = await open();
  assert.deepEqual(drawBlocks(survey, new Tape(new Uint8Array()).read), ["asthma"]);
});

test("the number of bytes read and sent is the same for every answer", async () => {
  const survey = await open();
  const seen = ["yes", "no", null].map((answer) => {
    let count = 0;
    const readBytes = (/** @type {number} */ wanted) => {
      count += wanted;
      return new Uint8Array(wanted);
    };
    const bytes = randomize(survey, { asthma: answer }, null, readBytes).toBytes();
    return [count, bytes.length];
  });
  assert.deepEqual(seen, [seen[0], seen[0], seen[0]]);
});

test("a survey, its parts and a report cannot be changed", async () => {
  const survey = await open();
  const report = randomize(survey, {});
  const [block] = survey.blocks;
  for (const part of [survey, survey.blocks, block, block?.mechanism, block?.questions[0], report]) {
    assert.ok(Object.isFrozen(part));
  }
  assert.ok(Object.isFrozen(report.values));
  survey.document.fill(0);
  assert.equal(survey.document[0], "{".charCodeAt(0));
});

test("bytes that change while a survey is opened do not reach it", async () => {
  const { document } = await open();
  const changing = document.slice();
  const opening = openSurvey(changing);
  changing.fill(32);
  assert.deepEqual((await opening).document, document);
  assert.deepEqual((await openSurvey(document.buffer)).document, document);
});

test("what a report holds is not written by accident", async () => {
  const report = randomize(await open(), {}, null, (count) => new Uint8Array(count));
  const { inspect } = await import("node:util");
  assert.ok(!inspect(report, { depth: 9 }).includes("values"));
  assert.ok(!JSON.stringify(report).includes("values"));
});

test("questions and options named like an object's members are like any other", async () => {
  const odd = question("constructor", "choice", ["__proto__", "constructor"], true);
  const survey = await open(undefined, [odd]);
  const zeros = (/** @type {number} */ count) => new Uint8Array(count);
  const report = randomize(survey, { constructor: "constructor" }, null, zeros);
  assert.equal(JSON.parse(new TextDecoder().decode(report.toBytes())).values.constructor, 1);
  assert.throws(() => randomize(survey, {}), deniable.InvalidAnswer);
});

test("a text is given in the language asked for, or else in the first", () => {
  const text = { de: "ja", en: "yes" };
  assert.equal(inLanguage("oui", "en"), "oui");
  assert.equal(inLanguage(text, "en"), "yes");
  assert.equal(inLanguage(text, "constructor"), "ja");
});

test("a cap that the survey stays within lets it through, as text or number", async () => {
  for (const epsilonCap of ["1", 1, "1.5", 10, null, undefined]) {
    assert.equal((await open(undefined, [YES_NO], { epsilonCap })).epsilon, "1");
  }
});
