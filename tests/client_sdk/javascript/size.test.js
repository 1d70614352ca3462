/** What a page has to load. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const SOURCE = new URL("../../../client_sdk/javascript/src/", import.meta.url);
const LIMIT_BYTES = 15_000;

const paths = readdirSync(SOURCE, { recursive: true, encoding: "utf-8" })
  .filter((path) => path.endsWith(".js"))
  .sort();
const texts = paths.map((path) => readFileSync(new URL(path, SOURCE), "utf-8"));

test("all modules together are under 15 kB when compressed, without their comments", () => {
  // As a bundler leaves them out; nothing else is made smaller here.
  const code = texts.join("").replace(/^ *(\/\*\*.*?\*\/|\/\/[^\n]*)\n/gms, "");
  const bytes = gzipSync(code, { level: 9 }).length;
  assert.ok(paths.length >= 10);
  assert.ok(bytes < LIMIT_BYTES, `got ${bytes} bytes; allowed are fewer than ${LIMIT_BYTES}`);
});

test("every import is a relative path, so that pages can load the files as they are", () => {
  const imported = texts.flatMap((text) => [...text.matchAll(/ from "([^"]+)"/g)]);
  assert.ok(imported.length > 20);
  for (const [, path] of imported) assert.match(path ?? "", /^\.\.?\/.*\.js$/);
});

test("nothing asks for what a strict content policy forbids, or for weak randomness", () => {
  for (const text of texts) assert.doesNotMatch(text, /\beval\b|\bFunction\(|Math\.random/);
});
