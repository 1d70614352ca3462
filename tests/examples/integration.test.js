/** The integration page is true: its programs run, and what it links to is there. */

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import * as canonical from "../../client_sdk/javascript/src/canonical.js";
import { stored } from "../../client_sdk/javascript/src/testing.js";
import { question, surveyDocument } from "../client_sdk/javascript/building.js";

const ROOT = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/INTEGRATION.md", ROOT), "utf-8");
const programs = Array.from(page.matchAll(/^```js\n(.*?)\n```$/gms), ([, text = ""]) => text);
const survey = surveyDocument([
  question("harassed", "yes_no", ["yes", "no"]),
  question("stress", "scale", ["1", "2", "3", "4", "5"]),
]);
const published = canonical.encode({ ...survey, slug: "stress" });

const folder = mkdtempSync(join(tmpdir(), "deniable-integration-"));
after(() => rmSync(folder, { recursive: true }));

/** What stands for the modules that a program imports. */
const MODULES = {
  "deniable/client": new URL("client_sdk/javascript/src/client.js", ROOT).href,
  "deniable/inspect": new URL("client_sdk/javascript/src/inspect.js", ROOT).href,
  "./preferences_store.js": new URL("examples/mobile/src/preferences_store.js", ROOT).href,
  "./file_store.js": new URL("examples/relay/file_store.js", ROOT).href,
  "@capacitor/preferences": `data:text/javascript,export const Preferences = {
    keys: async () => ({ keys: [] }),
  };`.replace(/\s+/g, " "),
};

/** @param {string} text */
async function run(text) {
  const code = text
    .replace(/from "(.*?)"/g, (_, name) => `from ${JSON.stringify(Reflect.get(MODULES, name))}`)
    .replace('"survey-reports"', JSON.stringify(join(folder, "reports")));
  const path = join(folder, `program-${programs.indexOf(text)}.mjs`);
  writeFileSync(path, code);
  await import(pathToFileURL(path).href);
}

for (const [place, sent] of [[0, 1], [1, 0], [2, 1]]) {
  test(`program ${place} runs and sends ${sent}`, async (context) => {
    /** @type {Uint8Array[]} */
    const bodies = [];
    /** @type {(url: string, request: { body: Uint8Array }) => Promise<Response>} */
    const answer = async (url, { body }) => {
      if (url.endsWith("/api/surveys/stress")) return new Response(published);
      bodies.push(body);
      return Response.json(stored(body), { status: 201 });
    };
    context.mock.method(globalThis, "fetch", answer);
    /** @type {(words: readonly string[]) => void} */
    const show = (words) => assert.ok(words.length > 0);
    const ask = async () => ({ harassed: true, stress: null });
    Object.assign(globalThis, { ask, show });
    await run(programs[Number(place)] ?? "");
    // Those that do not wait for it are given time.
    while (bodies.length < Number(sent)) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(bodies.length, sent);
  });
}

test("what the page links to is there", () => {
  assert.equal(programs.length, 3);
  const links = Array.from(page.matchAll(/\]\(([^)#]+)/g), ([, link = ""]) => link);
  assert.ok(links.length >= 6);
  for (const link of links) assert.ok(existsSync(new URL(`docs/${link}`, ROOT)), link);
});
