/**
 * Makes types/ and dist/ anew, before npm packs or publishes the package.
 *
 * In a clean checkout it first installs the tools for that, as package-lock.json names them.
 */

import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");

/**
 * @param {string} program
 * @param {string[]} options
 * @param {string} cwd
 */
function run(program, options, cwd) {
  // What is printed goes to standard error: programs read the output of `npm pack --json`.
  execFileSync(program, options, { cwd, stdio: ["ignore", 2, 2] });
}

if (!existsSync(TSC)) run("npm", ["ci", "--no-dry-run"], ROOT);
for (const made of ["types", "dist"]) rmSync(join(PACKAGE, made), { recursive: true, force: true });
run(process.execPath, [TSC, "-p", "tsconfig.types.json"], PACKAGE);
run(process.execPath, ["build.js"], PACKAGE);
