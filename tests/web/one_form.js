/** Writes each text of an array on standard input as esbuild writes the same program or style. */

import { transformSync } from "esbuild";
import { readFileSync } from "node:fs";

const given = JSON.parse(readFileSync(0, "utf8"));
const written = given.map(([loader, text]) => transformSync(text, { loader, minifyWhitespace: true }).code);
process.stdout.write(JSON.stringify(written));
