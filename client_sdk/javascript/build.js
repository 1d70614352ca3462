/**
 * The build for script tags: everything under the one global name `deniable`.
 *
 * node build.js [FOLDER]: writes deniable.js into the folder, dist/ if none is
 * named, and prints the tag with the hash that browsers check it by.
 */

import { buildSync } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("src/", import.meta.url));
const [folder = fileURLToPath(new URL("dist/", import.meta.url))] = process.argv.slice(2);
const script = join(folder, "deniable.js");

buildSync({
  stdin: {
    contents: 'export * from "./index.js"; export * from "./client.js"; export * from "./scores.js"; export * from "./fieldwork.js"; export * from "./inspect.js";',
    resolveDir: SOURCE,
  },
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "deniable",
  target: "es2022",
  // Names of private members and texts only: one build gives the same bytes everywhere.
  charset: "ascii",
  outfile: script,
});
const hash = createHash("sha384").update(readFileSync(script)).digest("base64");
const check = `integrity="sha384-${hash}" crossorigin="anonymous"`;
console.log(`<script src="deniable.js" ${check}></script>`);
