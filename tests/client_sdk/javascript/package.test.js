/** The package as it is published: what is in it, and what a script tag loads. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

import * as client from "../../../client_sdk/javascript/src/client.js";
import * as core from "../../../client_sdk/javascript/src/index.js";
import * as fieldwork from "../../../client_sdk/javascript/src/fieldwork.js";
import * as scores from "../../../client_sdk/javascript/src/scores.js";
import { pack, ROOT, temporaryFolder, TRACKED } from "./packing.js";

const PACKAGE = join(ROOT, "client_sdk", "javascript");

const tarball = pack();
const unpacked = temporaryFolder();
execFileSync("tar", ["-xzf", tarball, "-C", unpacked]);
const folder = join(unpacked, "package");
const description = JSON.parse(readFileSync(join(folder, "package.json"), "utf-8"));
const script = readFileSync(join(folder, "dist", "deniable.js"), "utf-8");

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
  assert.deepEqual(Object.keys(entries), [".", "./client", "./scores", "./fieldwork", "./log", "./check", "./testing"]);
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
  assert.deepEqual([...names].sort(), [core, client, scores, fieldwork].flatMap(Object.keys).sort());
});

test("two builds give the same bytes", () => {
  const again = temporaryFolder();
  execFileSync("node", [join(PACKAGE, "build.js"), again]);
  assert.equal(readFileSync(join(again, "deniable.js"), "utf-8"), script);
});
