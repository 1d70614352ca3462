/** What a page has to load, and what it must not. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { BUNDLES, bundle } from "./bundles.js";

const SOURCE = new URL("../../../client_sdk/javascript/src/", import.meta.url);

const paths = readdirSync(SOURCE, { recursive: true, encoding: "utf-8" })
  .filter((path) => path.endsWith(".js"))
  .sort();
const texts = paths.map((path) => readFileSync(new URL(path, SOURCE), "utf-8"));

for (const { name, entries, limitBytes } of BUNDLES) {
  test(`the ${name} takes fewer than ${limitBytes} bytes, bundled and compressed`, () => {
    const { compressedBytes, modules } = bundle(entries);
    assert.ok(modules.length >= 10);
    assert.ok(compressedBytes < limitBytes, `got ${compressedBytes} bytes`);
  });
}

test("the page of the SDK tells these sizes, and these limits", () => {
  const page = readFileSync(new URL("../../../docs/SDK_JAVASCRIPT.md", SOURCE), "utf-8");
  const rows = [...page.matchAll(/^\|.* \| ([\d,]+) \| ([\d,]+) \|$/gm)].map(([, ...cells]) =>
    cells.map((cell) => Number(cell.replace(",", ""))),
  );
  assert.equal(rows.length, BUNDLES.length);
  for (const [place, { entries, limitBytes }] of BUNDLES.entries()) {
    const [told = 0, limit] = rows[place] ?? [];
    const { compressedBytes } = bundle(entries);
    // Close enough for whoever chooses an SDK; each change would need a new figure otherwise.
    assert.ok(Math.abs(told - compressedBytes) < 200, `the page says ${told}: ${compressedBytes}`);
    assert.equal(limit, limitBytes);
  }
});

test("what apps ship has no way to what is for tests, or for those who take reports", () => {
  const { modules } = bundle(["index.js", "client.js"]);
  for (const path of ["testing.js", "check.js", "mechanisms/values.js"]) {
    assert.ok(paths.includes(path));
    assert.ok(!modules.includes(path), path);
  }
});

test("every module of the package is reached from one of its entries", () => {
  const { modules } = bundle(["index.js", "client.js", "scores.js", "fieldwork.js", "inspect.js", "log.js", "check.js", "testing.js"]);
  const types = texts.flatMap((text, place) => (/^export \{\};$/m.test(text) ? paths[place] : []));
  assert.deepEqual([...modules, ...types].sort(), paths);
});

test("every import is a relative path, so that pages can load the files as they are", () => {
  const imported = texts.flatMap((text) => [...text.matchAll(/ from "([^"]+)"/g)]);
  assert.ok(imported.length > 20);
  for (const [, path] of imported) assert.match(path ?? "", /^\.\.?\/.*\.js$/);
});

test("nothing asks for what a strict content policy forbids, or for weak randomness", () => {
  for (const text of texts) assert.doesNotMatch(text, /\beval\b|\bFunction\(|Math\.random/);
});
