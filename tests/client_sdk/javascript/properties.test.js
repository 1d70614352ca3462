/** Properties of every value, by generated examples. */

import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import * as canonical from "../../../client_sdk/javascript/src/canonical.js";
import {
  checkReport,
  readReport,
  reportFromDocument,
} from "../../../client_sdk/javascript/src/check.js";
import { InvalidReport, randomize } from "../../../client_sdk/javascript/src/index.js";
import { open, question } from "./building.js";
import { seededBytes } from "./seeded_bytes.js";

fc.configureGlobal({ seed: 1965, numRuns: 500 });

const key = fc.oneof(
  fc.string({ unit: "binary-ascii", maxLength: 5 }),
  fc.constantFrom("__proto__", "constructor", "toString", "1", "10", "2"),
);
const text = fc.string({ unit: "binary", maxLength: 8 });
const json = /** @type {fc.Arbitrary<any>} */ (fc.letrec((/** @type {fc.LetrecLooselyTypedTie} */ tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom(null, true, false),
    fc.maxSafeInteger().map((number) => number + 0),
    text,
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(key, tie("value")), { maxLength: 4 })
      .map((members) => Object.fromEntries(members)),
  ),
})).value);

test("decoding canonical bytes gives the value they were written from", () => {
  fc.assert(
    fc.property(json, (value) => {
      const bytes = canonical.encode(value);
      assert.deepEqual(canonical.decode(bytes), value);
      assert.deepEqual(canonical.encode(canonical.decode(bytes)), bytes);
    }),
  );
});

test("bytes are canonical in one layout only", () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 4 }), (value, indent) => {
      const spread = new TextEncoder().encode(`${JSON.stringify(value, null, indent)} `);
      assert.deepEqual(canonical.parse(spread), value);
      assert.throws(() => canonical.decode(spread), canonical.NotCanonical);
    }),
  );
});

test("any bytes are read or refused, and what is read is written back the same", () => {
  let read = 0;
  let refused = 0;
  const signs = fc.array(fc.constantFrom(...'{}[]:,"a019-'), { maxLength: 5 });
  const nearly = signs.map((each) => new TextEncoder().encode(each.join("")));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 12 }), nearly), (bytes) => {
      let value;
      try {
        value = canonical.decode(bytes);
      } catch (error) {
        assert.ok(error instanceof canonical.NotCanonical);
        refused += 1;
        return;
      }
      assert.deepEqual(canonical.encode(value), bytes);
      read += 1;
    }),
    { numRuns: 3000 },
  );
  assert.ok(read > 30 && refused > 1000, `${read} read, ${refused} refused`);
});

const survey = await open(
  (document) => {
    document.privacy.asked = 2;
    document.privacy.epsilon = "2";
    document.privacy.blocks[1].mechanism.size = 2;
  },
  [
    question("asthma", "yes_no", ["yes", "no"]),
    question("stress", "scale", ["1", "2", "3", "4", "5"]),
  ],
);

test("every report of a device is legal, and is read back to the same bytes", () => {
  const asthma = fc.constantFrom(null, true, false, "yes", "no", "no_answer");
  const stress = fc.constantFrom(null, 1, 5, "3");
  fc.assert(
    fc.property(asthma, stress, fc.nat(), (said, level, seed) => {
      const report = randomize(survey, { asthma: said, stress: level }, null, seededBytes(seed));
      const bytes = report.toBytes();
      checkReport(report, survey);
      checkReport(readReport(bytes), survey);
      assert.deepEqual(readReport(bytes).toBytes(), bytes);
    }),
  );
});

test("every change to a report gives a legal report or is refused as InvalidReport", () => {
  const legal = randomize(survey, {}, null, seededBytes(1)).toBytes();
  let refused = 0;
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.nat(legal.length - 1),
      fc.nat(3),
      fc.uint8Array({ maxLength: 3 }),
      (start, removed, added) => {
        const rest = legal.slice(start + removed);
        const changed = Uint8Array.from([...legal.slice(0, start), ...added, ...rest]);
        try {
          const report = readReport(changed);
          checkReport(report, survey);
          checkReport(readReport(report.toBytes()), survey);
          accepted += 1;
        } catch (error) {
          assert.ok(error instanceof InvalidReport);
          refused += 1;
        }
      },
    ),
    { numRuns: 5000 },
  );
  assert.ok(refused > 1000 && accepted > 0, `${refused} refused, ${accepted} accepted`);
});

test("any value in place of an answer's is legal or refused, and never repeated", () => {
  const bytes = randomize(survey, {}, null, seededBytes(1)).toBytes();
  const report = JSON.parse(new TextDecoder().decode(bytes));
  const legal = fc.constantFrom(0, 1, 2, [0, 1], [2, 4]);
  const seen = { accepted: 0, refused: 0, texts: 0 };
  fc.assert(
    fc.property(fc.oneof(json, legal, text), fc.constantFrom("asthma", "stress"), (value, block) => {
      const values = { ...report.values, [block]: value };
      try {
        checkReport(reportFromDocument({ ...report, values }), survey);
        seen.accepted += 1;
      } catch (error) {
        assert.ok(error instanceof InvalidReport);
        seen.refused += 1;
        if (typeof value === "string" && value.length > 3) {
          assert.ok(!error.message.includes(value));
          seen.texts += 1;
        }
      }
    }),
    { numRuns: 1000 },
  );
  assert.ok(seen.accepted > 50 && seen.refused > 300 && seen.texts > 50, JSON.stringify(seen));
});
