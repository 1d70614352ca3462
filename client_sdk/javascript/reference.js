/**
 * The reference of the package as Markdown, from its docstrings.
 *
 * node reference.js TYPES: prints it, TYPES being the folder that
 * `prepack.js` has written.
 */

import { readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("src/", import.meta.url));
const [TYPES = "types"] = argv.slice(2);
const COMMENT = String.raw`/\*\*(?:(?!\*/)[^])*\*/`;

/**
 * A declaration: what its docstring says, and how it is written.
 *
 * @typedef {object} Declaration
 * @property {string} name
 * @property {string} comment
 * @property {string} code
 */

/** @param {string} path */
function read(path) {
  return readFileSync(path, "utf-8");
}

/**
 * What an entry exports, in its order: the name and the file that declares it.
 *
 * @param {string} path
 * @returns {[string, string][]}
 */
function exportsOf(path) {
  const text = read(path);
  const folder = dirname(path);
  /** @type {[string, string][]} */
  const found = [];
  for (const [, names = "", from] of text.matchAll(/^export \{([^}]*)\}(?: from "(.*)")?;$/gm)) {
    const file = from ?? new RegExp(`import \\{[^}]*\\b${names.trim()}\\b.* from "(.*)"`).exec(text)?.[1];
    for (const name of names.split(",").map((part) => part.trim()).filter(Boolean)) {
      found.push([name, join(folder, file?.replace(".js", ".d.ts") ?? "")]);
    }
  }
  for (const [, name = ""] of text.matchAll(/^export declare (?:class|function) (\w+)/gm)) {
    found.push([name, path]);
  }
  for (const [, name = ""] of text.matchAll(/^export type (\w+) = \{/gm)) {
    found.push([name, path]);
  }
  const aliases = /^export type (\w+) = (?:import\("(.*?)"\)|opened)\.\w+;$/gm;
  for (const [, name = "", file = "./client/client.js"] of text.matchAll(aliases)) {
    found.push([name, join(folder, file.replace(".js", ".d.ts"))]);
  }
  return found;
}

/**
 * @param {string} name
 * @param {string} path
 * @returns {Declaration}
 */
function declarationOf(name, path) {
  const text = read(path);
  const start = new RegExp(`^export (?:declare )?(?:class|function|type) ${name}\\b`, "m").exec(text);
  if (!start) throw new Error(`${path} does not declare ${name}`);
  // Not every docstring of a type gets into the file of types.
  const source = read(join(SOURCE, relative(TYPES, path).replace(".d.ts", ".js")));
  const described = source.match(new RegExp(COMMENT, "g"))?.find((each) => isTypedefOf(each, name));
  const before = new RegExp(`${COMMENT}\\n$`).exec(text.slice(0, start.index));
  const comment = described ?? (before && before.index > 0 ? before[0] : "");
  return { name, comment, code: upToEnd(text.slice(start.index)) };
}

/** @param {string} comment @param {string} name */
function isTypedefOf(comment, name) {
  return new RegExp(`@(?:typedef \\{[^]*\\}|typedef|callback) ${name}\\b`).test(comment);
}

/**
 * The first statement of a text, to the line that closes it.
 *
 * @param {string} text
 */
function upToEnd(text) {
  const [first = "", ...others] = text.split("\n");
  if (/[;}]$/.test(first)) return first;
  const end = others.findIndex((line) => /^\}(.*;)?$/.test(line));
  return [first, ...others.slice(0, end + 1)].join("\n");
}

/**
 * A docstring as Markdown: what it is, then its parameters and errors.
 *
 * @param {string} comment
 */
function prose(comment) {
  const lines = comment.replace(/^\s*\/\*\*\s?|\s*\*\/\s*$/g, "").split("\n");
  const text = lines.map((line) => line.replace(/^\s*\* ?/, "")).join("\n");
  const [description = "", ...tags] = text.split(/^@/m);
  const listed = tags.flatMap((tag) => {
    const [, kind, type = "", rest = ""] = /^(\w+)(?: \{((?:[^{}]|\{[^{}]*\})*)\})?([^]*)$/.exec(tag) ?? [];
    const said = rest.trim().replace(/\s+/g, " ");
    if (kind === "throws") return `- throws \`${type}\`${said ? `: ${said}` : ""}`;
    const [, name = "", meaning = ""] = /^\[?([\w.]+)\]? (.+)$/.exec(said) ?? [];
    return (kind === "param" || kind === "property") && meaning ? `- \`${name}\`: ${meaning}` : [];
  });
  return [description.trim(), listed.join("\n")].filter(Boolean).join("\n\n");
}

/** @param {Declaration} declaration @returns {string} */
function section({ name, comment, code }) {
  const isClass = code.includes("class ");
  const members = isClass ? membersOf(code) : [];
  const shown = isClass ? (code.split("\n")[0] ?? "").replace(/ \{\}?$/, "") : bare(code);
  const parts = [`### \`${name}\``, prose(comment), fenced(shown.replace("declare ", ""))];
  for (const member of members) {
    parts.push(`#### \`${name}.${member.name}\``, prose(member.comment), fenced(bare(member.code)));
  }
  return parts.filter(Boolean).join("\n\n");
}

/**
 * The members whose docstring says something, but for the constructor.
 *
 * @param {string} code
 * @returns {Declaration[]}
 */
function membersOf(code) {
  const pattern = new RegExp(`^    (${COMMENT})\\n    ((?:static |get )*(\\w+)[^]*?;)$(?=\\n    [^ }]|\\n\\})`, "gm");
  return [...code.matchAll(pattern)]
    .map(([, comment = "", text = "", name = ""]) => ({
      name,
      comment: comment.replace(/^    /gm, ""),
      code: text.replace(/^    /gm, ""),
    }))
    .filter(({ name, comment }) => name !== "constructor" && prose(comment) !== "");
}

/**
 * A declaration without the comments inside it.
 *
 * @param {string} code
 */
function bare(code) {
  return code.replace(new RegExp(`^\\s*${COMMENT}\\n`, "gm"), "");
}

/** @param {string} code */
function fenced(code) {
  return `\`\`\`ts\n${code}\n\`\`\``;
}

const entries = JSON.parse(read(join(SOURCE, "../package.json"))).exports;
const chapters = Object.keys(entries).filter((entry) => entries[entry].types).map((entry) => {
  const file = join(TYPES, basename(entries[entry].types));
  const declared = exportsOf(file).map(([each, path]) => declarationOf(each, path));
  const [, about = ""] = /^\/\*\*([^]*?)\*\//.exec(read(file)) ?? [];
  return [`## \`${entry.replace(".", "deniable")}\``, prose(`/**${about}*/`), ...declared.map(section)].join("\n\n");
});
console.log(
  [
    "# Reference of the JavaScript SDK",
    "Made from the docstrings by `npm run reference`; a test compares it with them. The guide is SDK_JAVASCRIPT.md.",
    ...chapters,
  ].join("\n\n"),
);
