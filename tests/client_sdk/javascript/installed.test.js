/** The package as an app has it: installed from the file that is published. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { pack, ROOT, temporaryFolder } from "./packing.js";

const app = temporaryFolder();
writeFileSync(join(app, "package.json"), '{"name": "app", "private": true, "type": "module"}');
execFileSync("npm", ["install", "--silent", "--offline", pack()], { cwd: app });

// The newest compiler, and the oldest that reads the types. It knows the modes of older apps, too.
const NEWEST = join(ROOT, "node_modules", "typescript", "bin", "tsc");
const OLDEST = join(ROOT, "node_modules", "oldest-typescript", "bin", "tsc");

const LINES = [
  'import { type PublishedSurvey, type Report } from "deniable";',
  'import { type Client, openClient } from "deniable/client";',
  'import { checkReport } from "deniable/check";',
  'import { openTestClient } from "deniable/testing";',
  'import { computeScores } from "deniable/scores";',
  'import { checkLog } from "deniable/log";',
  'import "deniable/fieldwork";',
  "export async function ask(): Promise<void> {",
  '  const client: Client = await openClient({ collector: "https://h", consent: true });',
  '  const survey: PublishedSurvey = await client.getSurvey("health");',
  "  const report: Report = await client.submit(survey, { asthma: true });",
  "  checkReport(report, survey);",
  "  const { waiting }: { waiting: number } = await client.flush();",
  "  // @ts-expect-error  consent is literally true",
  '  await openTestClient({ collector: "https://h", consent: waiting > 0 });',
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
