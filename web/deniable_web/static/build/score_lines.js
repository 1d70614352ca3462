/** The parts of a score as lines of text, which people can write and paste. */
import { numberOrText } from "./numbers.js";

/**
 * Converts a value to lines of text and back; null if the value has no such form.
 *
 * @typedef {object} Lines
 * @property {(value: any) => string[] | null} write
 * @property {(lines: string[]) => unknown} read
 * @property {(before: string[], lines: string[]) => string[]} [pasted] the lines after a paste.
 */

const REVERSED = " (R)";

/** @type {Lines} items as texts, with (R) after each item with reversed points. */
export const ITEM_LINES = {
  write(items = []) {
    const lines = items.map((/** @type {any} */ item) => {
      if (typeof item === "string") return item;
      const { text: words, reversed, ...others } = item ?? {};
      // A line has no room for other keys.
      if (typeof words !== "string" || Object.keys(others).length > 0) return null;
      return reversed ? words + REVERSED : words;
    });
    return lines.includes(null) ? null : lines;
  },
  read: (lines) =>
    lines.map((line) =>
      isReversed(line)
        ? { text: line.slice(0, -REVERSED.trim().length).trim(), reversed: true }
        : line,
    ),
  pasted(before, lines) {
    const isAsBefore = lines.length === before.length && !lines.some(isReversed);
    return isAsBefore ? lines.map((line, place) => line + (isReversed(before[place]) ? REVERSED : "")) : lines;
  },
};

/** @param {string} [line] */
function isReversed(line = "") {
  return line.endsWith(REVERSED.trim());
}

/** @type {Lines} names, each with a number: name = 2. */
export const NUMBER_LINES = {
  write(named = {}) {
    if (Array.isArray(named)) return named.every((line) => typeof line === "string") ? named : null;
    if (typeof named !== "object") return null;
    return Object.entries(named).map(([name, number]) => `${name} = ${number}`);
  },
  // Where a name is written twice the lines stay a list, which no survey accepts.
  read(lines) {
    const named = Object.fromEntries(lines.map(readPair));
    return Object.keys(named).length < lines.length ? lines : named;
  },
};

/**
 * The same for answers, in the order of the form.
 *
 * An object would put names like 10 first, so this is a list of ids and points.
 *
 * @type {Lines}
 */
export const LEVEL_LINES = {
  write(levels = {}) {
    if (!Array.isArray(levels)) return NUMBER_LINES.write(levels);
    const lines = levels.map((level) => {
      const { id, points = "", ...others } = level ?? {};
      // A line has no room for a text of its own.
      return typeof id !== "string" || Object.keys(others).length > 0 ? null : `${id} = ${points}`;
    }).filter((line) => line !== null);
    return lines.length < levels.length ? null : lines;
  },
  read(lines) {
    const pairs = lines.map(readPair);
    const isOrdered = Object.keys(Object.fromEntries(pairs)).join("\n") === pairs.map(([name]) => name).join("\n");
    return isOrdered ? Object.fromEntries(pairs) : pairs.map(([id, points]) => ({ id, points }));
  },
};

/**
 * @param {string} line
 * @returns {[string, string | number]} anything that is not a number stays as it is written.
 */
function readPair(line) {
  const cut = line.lastIndexOf("=");
  const [name, end] = cut < 0 ? [line, ""] : [line.slice(0, cut), line.slice(cut + 1)];
  return [name.trim(), numberOrText(end.trim())];
}

/**
 * The texts for the present bands; a renamed band keeps its text.
 *
 * @param {{ [band: string]: unknown }} written
 * @param {readonly string[]} before
 * @param {readonly string[]} now
 */
export function followBands(written, before, now) {
  const gone = before.filter((band) => !now.includes(band));
  const come = now.filter((band) => !before.includes(band));
  const [from, to] = [gone[0], come[0]];
  if (gone.length !== 1 || come.length !== 1 || from === undefined || to === undefined) return written;
  return { ...written, [to]: written[from] ?? written[to], [from]: undefined };
}
