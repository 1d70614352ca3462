/** The SDK's page is true: its examples run, and it names what there is. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import * as canonical from "../../../../client_sdk/javascript/src/canonical.js";
import * as client from "../../../../client_sdk/javascript/src/client.js";
import { Client } from "../../../../client_sdk/javascript/src/client/client.js";
import * as core from "../../../../client_sdk/javascript/src/index.js";
import { stored } from "../../../../client_sdk/javascript/src/testing.js";
import { question, surveyDocument } from "../building.js";
import { OVER, invitedClient, issuerSaying } from "./invited_clients.js";
import { PROMISES } from "./store_contract.js";

const ROOT = new URL("../../../../", import.meta.url);
const page = readFileSync(new URL("docs/SDK_JAVASCRIPT.md", ROOT), "utf-8");
const examples = Array.from(page.matchAll(/^```js\n(.*?)\n```$/gms), ([, text = ""]) => text);

const folder = mkdtempSync(join(tmpdir(), "deniable-docs-"));
after(() => rmSync(folder, { recursive: true }));

const survey = surveyDocument([
  question("harassed", "yes_no", ["yes", "no"]),
  question("stress", "scale", ["1", "2", "3", "4", "5"]),
]);
const published = canonical.encode({ ...survey, slug: "stress" });

/**
 * What an example exports, its package found in the sources.
 *
 * @param {string} text
 * @returns {Promise<any>}
 */
function run(text) {
  const code = text.replace(/from "deniable(\/\w+)?"/g, (_, entry = "/index") => {
    return `from "${new URL(`client_sdk/javascript/src${entry}.js`, ROOT)}"`;
  });
  const path = join(folder, `example-${examples.indexOf(text)}.mjs`);
  writeFileSync(path, code);
  return import(pathToFileURL(path).href);
}

test("the five minutes send one report", async (context) => {
  /** @type {Uint8Array[]} */
  const sent = [];
  /** @type {(url: string, request: { body: Uint8Array }) => Promise<Response>} */
  const answer = async (url, { body }) => {
    if (url === "https://surveys.example.org/api/surveys/stress") return new Response(published);
    assert.equal(url, "https://surveys.example.org/api/reports");
    sent.push(body);
    return Response.json(stored(body), { status: 201 });
  };
  context.mock.method(globalThis, "fetch", answer);
  await run(examples[0] ?? "");
  assert.equal(sent.length, 1);
});

test("an invited person is shown the number, and only who agrees sends", async (context) => {
  const { submitInvited } = await run(examples[1] ?? "");
  const { issuer } = await issuerSaying(context, 7);
  const { client, clock, survey } = await invitedClient({ issuer });
  clock.set(OVER);
  /** @type {number[]} */
  const shown = [];
  assert.equal(await submitInvited(client, survey, {}, undefined, () => false), null);
  assert.deepEqual(await client.reports(), []);
  const agrees = (/** @type {number} */ count) => shown.push(count) > 0;
  assert.ok(await submitInvited(client, survey, {}, undefined, agrees));
  assert.deepEqual(shown, [7]);
});

test("the store for apps keeps the contract", async () => {
  const { keyValueStore } = await run(examples[2] ?? "");
  for (const [promise, holds] of Object.entries(PROMISES)) {
    /** @type {Map<string, string>} */
    const items = new Map();
    /** @type {{ [call: string]: (key: string, text: string) => Promise<unknown> }} */
    const storage = {
      getItem: async (key) => items.get(key) ?? null,
      setItem: async (key, text) => items.set(key, text),
      removeItem: async (key) => items.delete(key),
      getAllKeys: async () => [...items.keys(), "another app's"],
    };
    await holds(keyValueStore(storage)).catch((/** @type {Error} */ error) => {
      assert.fail(`${promise}: ${error.message}`);
    });
  }
});

test("the example of a test runs, and asserts what it says", async (context) => {
  const asserted = context.mock.method(console, "assert");
  Object.assign(globalThis, { publishedBytes: published });
  await run(examples[3] ?? "");
  assert.deepEqual(asserted.mock.calls.map((call) => call.arguments[0]), [true]);
});

test("the page names every call, every option and every error", () => {
  assert.equal(examples.length, 4);
  const calls = Object.getOwnPropertyNames(Client.prototype);
  assert.ok(calls.length >= 10);
  for (const name of calls.filter((name) => name !== "constructor")) {
    assert.match(page, new RegExp(`\`client\\.${name}[(\`]`), name);
  }
  const errors = [...Object.keys(client), ...Object.keys(core)].filter((name) => {
    const given = Reflect.get({ ...core, ...client }, name);
    return given.prototype instanceof Error && !/^(DeniableError|InvalidReport)$/.test(name);
  });
  assert.ok(errors.length >= 13);
  for (const name of errors) assert.match(page, new RegExp(`^\\| \`${name}\` \\|`, "m"), name);
});
