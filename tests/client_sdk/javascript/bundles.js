/** What an app ships of the package, as a bundler makes it. */

import { buildSync } from "esbuild";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const SOURCE = fileURLToPath(new URL("../../../client_sdk/javascript/src/", import.meta.url));

/** What is counted: its name, its entries, how many bytes it may take. */
export const BUNDLES = [
  { name: "randomizing core", entries: ["index.js"], limitBytes: 10_800 },
  { name: "whole SDK", entries: ["index.js", "client.js"], limitBytes: 17_000 },
  { name: "whole SDK with scores", entries: ["index.js", "client.js", "scores.js"], limitBytes: 18_550 },
  { name: "whole SDK with fieldwork", entries: ["index.js", "client.js", "fieldwork.js"], limitBytes: 20_850 },
];

/**
 * The minified bytes of these entries together, and what they are made of.
 *
 * @param {readonly string[]} entries
 */
export function bundle(entries) {
  const { outputFiles, metafile } = buildSync({
    stdin: {
      contents: entries.map((entry) => `export * from "./${entry}";`).join("\n"),
      resolveDir: SOURCE,
    },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    absWorkingDir: SOURCE,
    metafile: true,
    write: false,
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  return {
    bytes: contents.length,
    compressedBytes: gzipSync(contents, { level: 9 }).length,
    modules: Object.keys(metafile.inputs).filter((path) => path !== "<stdin>"),
    contents,
  };
}
