/** The examples in the wire format and in the package's page are true. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";

import { checkReport, readReport } from "../../../client_sdk/javascript/src/check.js";
import * as deniable from "../../../client_sdk/javascript/src/index.js";
import { mechanismFromDocument } from "../../../client_sdk/javascript/src/mechanisms/index.js";
import { RandomIntegers } from "../../../client_sdk/javascript/src/randomness.js";
import { open, question } from "./building.js";
import { Tape } from "./tape.js";
import { fromHex } from "./vectors.js";

const ROOT = new URL("../../../", import.meta.url);

/**
 * The fenced blocks of a page, in order.
 *
 * @param {string} path
 * @param {string} language
 */
function fenced(path, language) {
  const page = readFileSync(new URL(path, ROOT), "utf-8");
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)\\n\`\`\`$`, "gms"));
  return Array.from(blocks, ([, text = ""]) => text);
}

const [surveyText = "", reportText = ""] = fenced("docs/WIRE_FORMAT.md", "json");
const [digest, subsetTape = "", reportTape = ""] = fenced("docs/WIRE_FORMAT.md", "text");
const encode = (/** @type {string} */ text) => new TextEncoder().encode(text);

test("the wire format's survey is legal and has the digest written below it", async () => {
  const survey = await deniable.openSurvey(encode(surveyText), { digest });
  assert.equal(survey.digest, digest);
});

test("the wire format's bytes give the subset and the report written there", async () => {
  const described = { name: "subset", domain_size: 3, size: 1, weights: [12884901888, 2 ** 32] };
  const draws = new Tape(fromHex(subsetTape));
  const subset = mechanismFromDocument(described);
  assert.equal(subset.randomize(1, new RandomIntegers(draws.read)), 1);
  draws.assertAllRead();

  const survey = await deniable.openSurvey(encode(surveyText));
  const tape = new Tape(fromHex(reportTape));
  const report = deniable.randomize(survey, { asthma: true, stress: 3 }, null, tape.read);
  tape.assertAllRead();
  assert.equal(new TextDecoder().decode(report.toBytes()), reportText);
});

test("the arithmetic that the wire format shows is right", () => {
  const page = readFileSync(new URL("docs/WIRE_FORMAT.md", ROOT), "utf-8");
  const [, draw = "", total, rest, limit] =
    /0x([0-9a-f]{12}) mod (\d+) = (\d+) is below (\d+)/.exec(page) ?? [];
  assert.ok(reportTape.includes(draw));
  assert.equal(Number(`0x${draw}`) % Number(total), Number(rest));
  assert.ok(Number(rest) < Number(limit));
});

test("the wire format names every key of its survey and its report", () => {
  const page = readFileSync(new URL("docs/WIRE_FORMAT.md", ROOT), "utf-8");
  JSON.parse(surveyText, (key, value) => {
    if (/[a-z]/.test(key)) assert.match(page, new RegExp(`[\`.]${key}\``), key);
    return value;
  });
  for (const key of Object.keys(JSON.parse(reportText))) assert.ok(page.includes(`\`${key}\``));
});

test("the example on the package's page runs against a real server", async (context) => {
  const survey = await open(undefined, [
    question("asthma", "yes_no", ["yes", "no"]),
    question("stress", "scale", ["1", "2", "3"]),
    question("region", "choice", ["north", "south"]),
  ]);
  const server = createServer((request, response) => {
    const isFound = request.url === `/api/surveys/by-digest/${survey.digest}`;
    response.writeHead(isFound ? 200 : 404).end(survey.document);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  context.after(() => server.close());
  const address = server.address();
  assert.ok(address && typeof address === "object");
  const page = `http://127.0.0.1:${address.port}`;

  const [example = ""] = fenced("client_sdk/javascript/README.md", "js");
  const [statement = "", ...rest] = example.split("\n");
  const names = /^import \{ (.*) \} from "deniable";$/.exec(statement)?.[1]?.split(", ") ?? [];
  const body = `const { ${names.join(", ")} } = deniable;\n${rest.join("\n")}\nreturn body;`;
  const AsyncFunction = (async () => {}).constructor;
  const run = AsyncFunction("deniable", "digest", "fetch", body);
  const bytes = await run(deniable, survey.digest, (/** @type {string} */ path) =>
    fetch(`${page}${path}`),
  );
  checkReport(readReport(bytes), survey);
});
