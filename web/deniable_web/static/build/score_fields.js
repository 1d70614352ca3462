/** The fields of a score: its items, the points of its answers and its bands, as lines. */
import { make } from "./dom.js";
import { labelled, numberField, selectInput } from "./fields.js";
import { fieldId } from "./paths.js";
import { text } from "./texts.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./paths.js").Path} Path */

/**
 * A value as the lines of a text, and back; null where it has no such form.
 *
 * @typedef {{ write: (value: any) => string[] | null, read: (lines: string[]) => unknown }} Lines
 */

const COMBINATIONS = ["sum", "mean", "largest", "count", "any", "all"];
const REVERSED = " (R)";

/** @type {Lines} items as texts, with (R) behind those whose points are reversed. */
export const ITEM_LINES = {
  write(items = []) {
    const lines = items.map(itemLine);
    return lines.includes(null) ? null : lines;
  },
  read: (lines) =>
    lines.map((line) =>
      line.endsWith(REVERSED.trim())
        ? { text: line.slice(0, -REVERSED.trim().length).trim(), reversed: true }
        : line,
    ),
};

/** @type {Lines} names with a number each: name = 2. */
export const NUMBER_LINES = {
  write(named = {}) {
    if (typeof named !== "object" || Array.isArray(named)) return null;
    return Object.entries(named).map(([name, number]) => `${name} = ${number}`);
  },
  read(lines) {
    const pairs = lines.map((line) => {
      const cut = line.lastIndexOf("=");
      const [name, written] = cut < 0 ? [line, ""] : [line.slice(0, cut), line.slice(cut + 1)];
      const number = Number(written.trim().replace(",", "."));
      return [name.trim(), written.trim() === "" || Number.isNaN(number) ? written.trim() : number];
    });
    return Object.fromEntries(pairs);
  },
};

/**
 * @param {any} item
 * @returns {string | null} null for an item with keys that a line has no room for.
 */
function itemLine(item) {
  if (typeof item === "string") return item;
  const { text: words, reversed, ...others } = item ?? {};
  if (typeof words !== "string" || Object.keys(others).length > 0) return null;
  return reversed ? words + REVERSED : words;
}

/**
 * @param {Draft} draft
 * @param {Path} path
 */
export function scoreFields(draft, path) {
  const combine = [...path, "combine"];
  const chosen = draft.at(combine) ?? "sum";
  // A quotient is of items that are questions elsewhere, which an import and a file may have.
  const offered = chosen === "quotient" ? [...COMBINATIONS, chosen] : COMBINATIONS;
  const options = offered.map((value) => ({ value, label: text(`combine_${value}`) }));
  const select = selectInput(fieldId(combine), options, chosen, (value) => draft.set(combine, value));
  return [
    linesField(draft, [...path, "items"], "score_items", ITEM_LINES, { rows: 6 }),
    linesField(draft, [...path, "levels"], "score_levels", NUMBER_LINES, {
      rows: 4,
      placeholder: [0, 1, 2, 3].map((points) => `${text(`score_level_${points}`)} = ${points}`).join("\n"),
    }),
    linesField(draft, [...path, "cutoffs"], "score_cutoffs", NUMBER_LINES, {
      rows: 3,
      placeholder: `${text("score_low")} = 0\n${text("score_high")} = 3`,
    }),
    make(
      "div",
      { class: "side-by-side" },
      labelled(text("combine"), select),
      numberField(draft, { path: [...path, "at_least"], label: text("at_least"), hint: text("at_least_hint") }),
    ),
  ];
}

/**
 * A list that is written, and pasted, as lines.
 *
 * @param {Draft} draft
 * @param {Path} path
 * @param {string} name of its label and hint among the texts.
 * @param {Lines} lines
 * @param {import("./dom.js").Attributes} attributes
 */
function linesField(draft, path, name, lines, attributes) {
  const written = lines.write(draft.at(path));
  if (written === null) {
    return make("p", { class: "hint", id: fieldId(path), tabindex: "-1" }, `${text(name)}: ${text("score_in_file")}`);
  }
  const area = make("textarea", { dir: "auto", id: fieldId(path), autocomplete: "off", ...attributes });
  area.value = written.join("\n");
  area.addEventListener("input", () => {
    const given = area.value.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
    draft.set(path, given.length > 0 ? lines.read(given) : undefined);
  });
  return labelled(text(name), area, text(`${name}_hint`));
}
