/** The package as it is published: what is in it, and what a script tag loads. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";

import { publint } from "publint";
import { formatMessage } from "publint/utils";

import * as client from "../../../client_sdk/javascript/src/client.js";
import * as core from "../../../client_sdk/javascript/src/index.js";
import * as fieldwork from "../../../client_sdk/javascript/src/fieldwork.js";
import * as scores from "../../../client_sdk/javascript/src/scores.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TSC = join(ROOT, "node_modules", ".bin", "tsc");
const PACKAGE = join(ROOT, "client_sdk", "javascript");

const folder = mkdtempSync(join(tmpdir(), "deniable-package-"));
after(() => rmSync(folder, { recursive: true }));
for (const name of ["src", "package.json", "LICENSE", "README.md"]) {
  cpSync(join(PACKAGE, name), join(folder, name), { recursive: true });
}
const tag = execFileSync("node", [join(PACKAGE, "build.js"), join(folder, "dist")], {
  encoding: "utf-8",
});
execFileSync(TSC, ["-p", join(PACKAGE, "tsconfig.types.json"), "--outDir", join(folder, "types")]);
const description = JSON.parse(readFileSync(join(folder, "package.json"), "utf-8"));
const script = readFileSync(join(folder, "dist", "deniable.js"), "utf-8");

test("publint finds nothing to say about the package", async () => {
  const { messages } = await publint({ pkgDir: folder, pack: false, strict: true });
  assert.deepEqual(messages.map((message) => formatMessage(message, description)), []);
});

test("the package depends on nothing, and a bundler may leave out what is not used", () => {
  assert.equal(description.dependencies, undefined);
  const withEffects = ["./src/fieldwork.js", "./src/scores.js", "./src/survey/fieldwork.js"];
  assert.deepEqual(description.sideEffects, withEffects);
});

test("every entry has types", () => {
  const { "./script": tagged, ...entries } = description.exports;
  // What a script tag loads is for nobody to import.
  assert.equal(tagged, "./dist/deniable.js");
  assert.deepEqual(Object.keys(entries), [".", "./client", "./scores", "./fieldwork", "./log", "./check", "./testing"]);
  for (const { types } of /** @type {any[]} */ (Object.values(entries))) {
    assert.match(readFileSync(join(folder, types), "utf-8"), /^export /m);
  }
});

test("an app in strict TypeScript gets the types of what it uses", () => {
  const app = join(folder, "app");
  mkdirSync(join(app, "node_modules"), { recursive: true });
  symlinkSync(folder, join(app, "node_modules", "deniable"));
  writeFileSync(join(app, "package.json"), '{"type": "module"}');
  const lines = [
    'import { type PublishedSurvey, type Report } from "deniable";',
    'import { type Client, openClient } from "deniable/client";',
    'import { checkReport } from "deniable/check";',
    'import { openTestClient } from "deniable/testing";',
    'const client: Client = await openClient({ collector: "https://h", consent: true });',
    'const survey: PublishedSurvey = await client.getSurvey("health");',
    "const report: Report = await client.submit(survey, { asthma: true });",
    "checkReport(report, survey);",
    "const { waiting }: { waiting: number } = await client.flush();",
    "// @ts-expect-error  consent is literally true",
    'await openTestClient({ collector: "https://h", consent: waiting > 0 });',
  ];
  writeFileSync(join(app, "app.ts"), lines.join("\n"));
  const options = "--ignoreConfig --strict --noEmit --target es2022 --module nodenext --types";
  const check = () =>
    execFileSync(TSC, [...options.split(" "), "", join(app, "app.ts")], { encoding: "utf-8" });
  assert.equal(check(), "");
  writeFileSync(join(app, "app.ts"), [...lines, "export const slug: number = survey.slug;"].join("\n"));
  assert.throws(check, /Command failed/);
});

test("the reference says what the docstrings say", () => {
  const command = [join(PACKAGE, "reference.js"), join(folder, "types")];
  const made = execFileSync("node", command, { encoding: "utf-8" });
  const kept = readFileSync(join(ROOT, "docs", "SDK_JAVASCRIPT_REFERENCE.md"), "utf-8");
  assert.equal(made, kept, "it is made anew by `npm run reference` in client_sdk/javascript");
  for (const name of [...Object.keys(core), ...Object.keys(client)]) {
    assert.match(made, new RegExp(`^### \`${name}\`$`, "m"));
  }
});

test("a script tag gives everything under one name, and its hash is that of the file", () => {
  const hash = createHash("sha384").update(script).digest("base64");
  assert.equal(
    tag,
    `<script src="deniable.js" integrity="sha384-${hash}" crossorigin="anonymous"></script>\n`,
  );
  const page = { TextEncoder, TextDecoder, crypto };
  const names = runInNewContext(`${script}; Object.keys(deniable)`, page);
  assert.deepEqual([...names].sort(), [core, client, scores, fieldwork].flatMap(Object.keys).sort());
});

test("two builds give the same bytes", () => {
  execFileSync("node", [join(PACKAGE, "build.js"), join(folder, "again")]);
  assert.equal(readFileSync(join(folder, "again", "deniable.js"), "utf-8"), script);
});
