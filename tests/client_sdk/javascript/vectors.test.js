/** The vectors that Python replays too, replayed in JavaScript. */

import assert from "node:assert/strict";
import { test } from "node:test";

import * as canonical from "../../../client_sdk/javascript/src/canonical.js";
import { checkReport, readReport } from "../../../client_sdk/javascript/src/check.js";
import "../../../client_sdk/javascript/src/fieldwork.js";
import "../../../client_sdk/javascript/src/scores.js";
import { tokenOf } from "../../../client_sdk/javascript/src/invitation.js";
import { looksHealthy } from "../../../client_sdk/javascript/src/health.js";
import { checkLog } from "../../../client_sdk/javascript/src/log.js";
import {
  RandomnessUnavailable,
  drawBlocks,
  openSurvey,
  randomize,
} from "../../../client_sdk/javascript/src/index.js";
import { InvalidParameters } from "../../../client_sdk/javascript/src/mechanisms/base.js";
import { MECHANISMS, mechanismFromDocument } from "../../../client_sdk/javascript/src/mechanisms/index.js";
import { InvalidValue, checkValue } from "../../../client_sdk/javascript/src/mechanisms/values.js";
import { RandomIntegers } from "../../../client_sdk/javascript/src/randomness.js";
import {
  exponentialFloor,
  isWithin,
  readEpsilon,
} from "../../../client_sdk/javascript/src/weights.js";
import { open, question } from "./building.js";
import { errorOf } from "./errors.js";
import { Tape } from "./tape.js";
import { fromHex, read, unspell } from "./vectors.js";

const surveyCases = read("surveys.json");
const reportCases = read("reports.json");
const surveys = new Map();
for (const { name, error, digest, ...spelled } of surveyCases) {
  if (error === undefined) surveys.set(name, await openSurvey(unspell(spelled), { digest }));
}

/** @param {{ tape: string }} spelled */
const tapeOf = ({ tape }) => new Tape(fromHex(tape));

test("every epsilon has the bound, the weight and the verdicts written down", () => {
  for (const { epsilon, exponential_floor, high, blocks } of read("weights.json")) {
    const exact = readEpsilon(epsilon);
    const floor = exponentialFloor(exact);
    assert.equal(`0x${floor.toString(16)}`, exponential_floor);
    assert.equal(Number((floor * 2n ** 32n) >> 256n), high);
    for (const { weights, is_within } of blocks) {
      const pairs = weights.map((/** @type {[number, number]} */ [high, low]) => ({
        high,
        low,
      }));
      assert.equal(isWithin(pairs, exact), is_within);
    }
  }
});

test("every tape gives the integer written down, and is read to its end", () => {
  const cases = read("below.json");
  assert.ok(cases.some(({ value }) => value === null) && cases.some(({ value }) => value !== null));
  for (const { bound, value, ...spelled } of cases) {
    const tape = tapeOf(spelled);
    const draw = () => new RandomIntegers(tape.read).below(bound);
    if (value === null) assert.throws(draw, RandomnessUnavailable);
    else assert.equal(draw(), value);
    tape.assertAllRead();
  }
});

/** @param {() => unknown} action */
function messageOf(action) {
  try {
    action();
  } catch (error) {
    if (error instanceof InvalidParameters || error instanceof InvalidValue) return error.message;
    throw error;
  }
  return null;
}

for (const name of MECHANISMS.keys()) {
  test(`every tape and refusal of ${name} gives what is written down`, async () => {
    const cases = read(`${name}.json`);
    assert.ok(cases.length >= 100);
    for (const { mechanism: document, answer, value, error, message, ...rest } of cases) {
      if (message !== undefined && !("reported" in rest)) {
        assert.equal(messageOf(() => mechanismFromDocument(document)), message);
        continue;
      }
      const mechanism = mechanismFromDocument(document);
      if (message !== undefined) {
        assert.equal(messageOf(() => checkValue(mechanism, rest.reported)), message);
        continue;
      }
      const tape = tapeOf({ tape: rest.tape ?? "" });
      const integers = new RandomIntegers(tape.read, error ? 0 : mechanism.draws);
      const draw = () => mechanism.randomize(answer, integers);
      if (error) {
        assert.equal(await errorOf(draw), error);
      } else {
        assert.deepEqual(draw(), value);
        checkValue(mechanism, value);
      }
      tape.assertAllRead();
    }
  });
}

test("every read of random bytes looks healthy or not, as it is written down", () => {
  for (const { name, drawn, is_healthy } of read("health.json")) {
    assert.equal(looksHealthy(fromHex(drawn)), is_healthy, name);
  }
});

test("every mechanism has as many outputs as written down, or more than 2^48", () => {
  for (const { mechanism: document, outputs: count } of read("outputs.json")) {
    const { outputs } = mechanismFromDocument(document);
    assert.equal(outputs > 2 ** 48 ? null : outputs, count);
  }
});

test("every tape gives the blocks written down, and is read to its end", async () => {
  for (const { block_count, asked, blocks, ...spelled } of read("blocks.json")) {
    const tape = tapeOf(spelled);
    const questions = Array.from({ length: block_count }, (_, place) =>
      question(`q${place}`, "choice", ["o0", "o1"]),
    );
    const survey = await open((document) => {
      document.privacy = { ...document.privacy, epsilon: "10", asked };
      for (const { mechanism } of document.privacy.blocks) mechanism.weights = [3, 2];
    }, questions);
    assert.deepEqual(drawBlocks(survey, tape.read), blocks);
    tape.assertAllRead();
  }
});

test("every text is canonical or refused, as it is written down", () => {
  const cases = read("json_texts.json");
  assert.deepEqual(new Set(cases.map(({ is_canonical }) => is_canonical)), new Set([true, false]));
  assert.ok(cases.some(({ is_readable }) => is_readable === true));
  assert.ok(cases.some(({ is_readable }) => is_readable === false));
  for (const { is_canonical, is_readable, ...spelled } of cases) {
    const bytes = unspell(spelled);
    if (is_readable) canonical.parse(bytes);
    if (is_readable === false) assert.throws(() => canonical.parse(bytes), canonical.NotCanonical);
    if (is_canonical) {
      assert.deepEqual(canonical.encode(canonical.decode(bytes)), bytes);
    } else {
      assert.throws(() => canonical.decode(bytes), canonical.NotCanonical);
    }
  }
});

test("every log has the head, or throws the error, written down", async () => {
  const cases = read("logs.json");
  assert.deepEqual(
    new Set(cases.map(({ error }) => error)),
    new Set([null, "InvalidLog", "NotInLog"]),
  );
  for (const { name, required, error, head, ...spelled } of cases) {
    assert.equal(await errorOf(() => checkLog(unspell(spelled), required)), error, name);
    if (error === null) {
      assert.deepEqual((await checkLog(unspell(spelled), required)).head, head, name);
    }
  }
});

test("every legal survey is accepted at its digest and keeps its bytes", () => {
  assert.ok(surveys.size >= 15);
  for (const { name, digest, ...spelled } of surveyCases) {
    if (!surveys.has(name)) continue;
    assert.equal(surveys.get(name).digest, digest);
    assert.deepEqual(surveys.get(name).document, unspell(spelled));
    const { operator = null } = JSON.parse(new TextDecoder().decode(unspell(spelled)));
    assert.deepEqual(surveys.get(name).operator, operator && { purpose: null, ...operator });
  }
});

test("every illegal survey throws exactly the error written down", async () => {
  const illegal = surveyCases.filter(({ error }) => error !== undefined);
  assert.ok(illegal.length >= 300);
  for (const { name, error, asked_for: digest, epsilon_cap: epsilonCap, ...spelled } of illegal) {
    const found = await errorOf(() => openSurvey(unspell(spelled), { digest, epsilonCap }));
    assert.equal(found, error, name);
  }
});

test("answers, a token and a tape give the report written down", async () => {
  const drawn = reportCases.filter(({ token }) => token);
  assert.ok(drawn.length >= 3);
  for (const { survey: name, answers, token, ...spelled } of drawn) {
    const survey = surveys.get(name);
    const tape = tapeOf(spelled);
    const spent = await tokenOf(survey, token);
    assert.deepEqual(randomize(survey, answers, null, tape.read, spent).toBytes(), unspell(spelled));
    tape.assertAllRead();
  }
});

test("answers and a tape give the report written down, which is legal", () => {
  const drawn = reportCases.filter(({ answers, token, error }) => answers && !token && !error);
  assert.ok(drawn.length >= 20);
  assert.ok(drawn.filter(({ group }) => group).length >= 2);
  for (const { survey: name, answers, group, ...spelled } of drawn) {
    for (const given of [answers, new Map(Object.entries(answers))]) {
      const tape = tapeOf(spelled);
      const report = randomize(surveys.get(name), given, null, tape.read, undefined, group);
      assert.deepEqual(report.toBytes(), unspell(spelled));
      checkReport(report, surveys.get(name));
      tape.assertAllRead();
    }
  }
});

test("every answer that does not fit is refused before anything is drawn", async () => {
  const misfits = reportCases.filter(({ answers, error }) => answers && error);
  assert.ok(misfits.length >= 20);
  for (const { survey: name, answers, error } of misfits) {
    const tape = new Tape(new Uint8Array());
    const found = await errorOf(() => randomize(surveys.get(name), answers, null, tape.read));
    assert.equal(found, error);
  }
});

test("every received report is legal or refused, as it is written down", async () => {
  const received = reportCases.filter(({ answers }) => answers === undefined);
  assert.ok(received.length >= 90);
  for (const { survey: name, error, ...spelled } of received) {
    const bytes = unspell(spelled);
    const found = await errorOf(() => checkReport(readReport(bytes), surveys.get(name)));
    assert.equal(found, error, JSON.stringify(spelled));
  }
});
