/** The package as npm packs it in a clean checkout. */

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PACKAGE = join("client_sdk", "javascript");

/** A folder that is removed after the tests of a file. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "deniable-package-"));
  after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The package's files that git would have in a checkout, by their paths in the package. */
export const TRACKED = tracked(PACKAGE).map((name) => name.slice(PACKAGE.length + 1));

/** @param {string[]} places */
function tracked(...places) {
  const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", ...places];
  const names = execFileSync("git", listed, { cwd: ROOT, encoding: "utf-8" }).split("\0");
  return names.filter((name) => existsSync(join(ROOT, name)) && name);
}

/**
 * The path of the file that would be published: packed in a copy of what git has, or the one in
 * the folder that DENIABLE_BUILT names, as a release has built it.
 */
export function pack() {
  const built = process.env["DENIABLE_BUILT"];
  if (built) return join(built, readdirSync(built).find((name) => name.endsWith(".tgz")) ?? "");
  const folder = temporaryFolder();
  for (const name of tracked(PACKAGE, "package*.json", "tsconfig.json")) {
    cpSync(join(ROOT, name), join(folder, name));
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const output = execFileSync("npm", ["pack", "--json", "--silent"], {
    cwd: join(folder, PACKAGE),
    encoding: "utf-8",
  });
  return join(folder, PACKAGE, JSON.parse(output)[0].filename);
}
