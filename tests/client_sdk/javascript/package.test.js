/** The package as it is published: what is in it, what a script tag loads, and what an app installs. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

import * as client from "../../../client_sdk/javascript/src/client.js";
import * as core from "../../../client_sdk/javascript/src/index.js";
import * as fieldwork from "../../../client_sdk/javascript/src/fieldwork.js";
import * as inspect from "../../../client_sdk/javascript/src/inspect.js";
import * as scores from "../../../client_sdk/javascript/src/scores.js";
import { pack, ROOT, temporaryFolder, TRACKED } from "./packing.js";

const PACKAGE = join(ROOT, "client_sdk", "javascript");

const tarball = pack();
const unpacked = temporaryFolder();
execFileSync("tar", ["-xzf", tarball, "-C", unpacked]);
const folder = join(unpacked, "package");
const description = JSON.parse(readFileSync(join(folder, "package.json"), "utf-8"));
const script = readFileSync(join(folder, "dist", "deniable.js"), "utf-8");

const app = temporaryFolder();
writeFileSync(join(app, "package.json"), '{"name": "app", "private": true, "type": "module"}');
execFileSync("npm", ["install", "--silent", "--offline", tarball], { cwd: app });

// The newest compiler, and the oldest that reads the types. It knows the modes of older apps, too.
const NEWEST = join(ROOT, "node_modules", "typescript", "bin", "tsc");
const OLDEST = join(ROOT, "node_modules", "oldest-typescript", "bin", "tsc");

const LINES = [
  'import { type PublishedSurvey, type Report } from "deniable";',
  'import { type Client, openClient } from "deniable/client";',
  'import { checkReport } from "deniable/check";',
  'import { openTestClient } from "deniable/testing";',
  'import { computeScores } from "deniable/scores";',
  'import { inspect } from "deniable/inspect";',
  'import { checkLog } from "deniable/log";',
  'import "deniable/fieldwork";',
  "export async function ask(): Promise<void> {",
  '  const client: Client = await openClient({ collector: "https://h", consent: true });',
  '  const survey: PublishedSurvey = await client.getSurvey("health");',
  "  const report: Report = await client.submit(survey, { asthma: true });",
  "  checkReport(report, survey);",
  "  const words: readonly string[] = inspect(report, survey).words;",
  "  const { waiting }: { waiting: number } = await client.flush();",
  "  // @ts-expect-error  consent is literally true",
  '  await openTestClient({ collector: "https://h", consent: waiting > words.length });',
  "}",
  "export { checkLog, computeScores };",
];

/** @param {string[]} options  what Node is started with */
function run(...options) {
  return execFileSync(process.execPath, options, { cwd: app, encoding: "utf-8" });
}

/**
 * What the compiler says about lines of an app, "" if nothing.
 *
 * @param {string} tsc
 * @param {string} options
 * @param {string[]} lines
 * @param {string} file
 */
function compile(tsc, options, lines, file = "app.ts") {
  writeFileSync(join(app, file), lines.join("\n"));
  const common = ["--strict", "--noEmit", "--skipDefaultLibCheck", "--target", "es2022"];
  try {
    return run(tsc, ...common, ...options.split(" "), file);
  } catch (error) {
    return /** @type {{ stdout: string }} */ (error).stdout;
  }
}

test("the package has its modules, their types and one script, and nothing else", () => {
  const modules = TRACKED.filter((path) => path.startsWith("src/"));
  assert.ok(modules.length > 50);
  const types = modules.map((path) => path.replace(/^src/, "types").replace(/js$/, "d.ts"));
  const others = ["LICENSE", "README.md", "dist/deniable.js", "package.json"];
  const paths = execFileSync("tar", ["-tzf", tarball], { encoding: "utf-8" }).trim().split("\n");
  const packed = paths.map((path) => path.slice("package/".length));
  assert.deepEqual(packed.sort(), [...others, ...modules, ...types].sort());
});

test("every link of its README leads to a file of this version", () => {
  const text = readFileSync(join(folder, "README.md"), "utf-8");
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map((link) => link[1] ?? "");
  const start = `${description.homepage}/blob/v${description.version}/`;
  assert.ok(links.length > 4);
  for (const link of links) {
    assert.ok(link.startsWith(start), link);
    assert.ok(existsSync(join(ROOT, link.slice(start.length))), link);
  }
});

test("publint finds nothing to say about the package", async () => {
  const { messages } = await publint({ pkgDir: folder, pack: false, strict: true });
  assert.deepEqual(messages.map((message) => formatMessage(message, description)), []);
});

test("types are found in every mode of resolving modules", async () => {
  const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  assert.ok(checked.types);
  const { problems, entrypoints } = /** @type {import("@arethetypeswrong/core").Analysis} */ (checked);
  const modes = Object.keys(entrypoints["."]?.resolutions ?? {});
  assert.deepEqual(modes, ["node10", "node16-cjs", "node16-esm", "bundler"]);
  // What a script tag loads has no types. CommonJS gets ES modules: there is one copy of each.
  const wrong = problems.filter(
    (problem) => problem.kind !== "CJSResolvesToESM" && !("entrypoint" in problem && problem.entrypoint === "./script"),
  );
  assert.deepEqual(wrong, []);
});

test("the package depends on nothing, and a bundler may leave out what is not used", () => {
  assert.equal(description.dependencies, undefined);
  const withEffects = ["./src/fieldwork.js", "./src/scores.js", "./src/survey/fieldwork.js"];
  assert.deepEqual(description.sideEffects, withEffects);
});

test("every entry has types", () => {
  const { "./script": tagged, "./package.json": itself, ...entries } = description.exports;
  // What a script tag loads is for nobody to import.
  assert.equal(tagged, "./dist/deniable.js");
  assert.equal(itself, "./package.json");
  assert.deepEqual(Object.keys(entries), [".", "./client", "./scores", "./fieldwork", "./inspect", "./log", "./check", "./testing"]);
  for (const { types } of /** @type {any[]} */ (Object.values(entries))) {
    assert.match(readFileSync(join(folder, types), "utf-8"), /^export /m);
  }
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
    execFileSync("node", [join(PACKAGE, "build.js"), temporaryFolder()], { encoding: "utf-8" }),
    `<script src="deniable.js" integrity="sha384-${hash}" crossorigin="anonymous"></script>\n`,
  );
  const page = { TextEncoder, TextDecoder, crypto };
  const names = runInNewContext(`${script}; Object.keys(deniable)`, page);
  assert.deepEqual([...names].sort(), [core, client, scores, fieldwork, inspect].flatMap(Object.keys).sort());
});

test("two builds give the same bytes", () => {
  const again = temporaryFolder();
  execFileSync("node", [join(PACKAGE, "build.js"), again]);
  assert.equal(readFileSync(join(again, "deniable.js"), "utf-8"), script);
});

test("the app has one package, with nothing beside it", () => {
  assert.deepEqual(readdirSync(join(app, "node_modules")).filter((name) => !name.startsWith(".")), ["deniable"]);
});

for (const [type, load] of [
  ["module", "await import"],
  ["commonjs", "require"],
]) {
  test(`a program of type ${type} loads it`, () => {
    const program = [
      `const { randomize } = ${load}("deniable");`,
      `const { openClient } = ${load}("deniable/client");`,
      "console.log(typeof randomize, typeof openClient);",
    ];
    assert.equal(run(`--input-type=${type}`, "-e", program.join("\n")), "function function\n");
  });
}

test("a client without network says so, in the words of the package", () => {
  const program = [
    'import { openClient } from "deniable/client";',
    'const client = await openClient({ collector: "http://127.0.0.1:1", consent: true });',
    'await client.getSurvey("stress").catch((error) => console.log(error.name));',
    "await client.shutDown();",
  ];
  assert.equal(run("--input-type=module", "-e", program.join("\n")), "CollectorUnreachable\n");
});

for (const [tsc, options] of /** @type {const} */ ([
  [NEWEST, "--module nodenext --ignoreConfig"],
  [NEWEST, "--module esnext --moduleResolution bundler --ignoreConfig"],
  [OLDEST, "--module node16"],
  [OLDEST, "--module esnext --moduleResolution bundler"],
  [OLDEST, "--module commonjs --moduleResolution node10"],
])) {
  const compiler = tsc === NEWEST ? "newest" : "oldest";
  test(`an app in strict TypeScript has the types of what it uses: ${compiler} compiler, ${options}`, () => {
    const wrong = 'export const slug: Promise<number> = openClient({ collector: "", consent: true });';
    const said = compile(tsc, options, [...LINES, wrong]).split("\n");
    const [first = ""] = said.splice(0, 1);
    assert.match(first, new RegExp(`^app.ts\\(${LINES.length + 1},14\\): error TS2322: Type 'Promise<Client>' is not`));
    // What follows explains this one error.
    assert.deepEqual(said.filter((line) => /^\S/.test(line)), []);
  });
}

test("a CommonJS file in TypeScript has the types, too", () => {
  mkdirSync(join(app, "common"));
  const lines = ['import deniable = require("deniable/client");', "export const open: number = deniable.openClient;"];
  const said = compile(NEWEST, "--module nodenext --ignoreConfig", lines, join("common", "app.cts"));
  assert.match(said, /^common.app\.cts\(2,14\): error TS2322: Type '\(options: .+\) => Promise<Client>' is not/);
});
