/**
 * The parts of a score as lines of text, which people can write and paste.
 *
 * Each part is a list of rows: an item, an answer with its points, or a band with its beginning.
 * The lines of the first language decide how many rows there are, and have the points; the lines
 * of every other language are the words of the same rows.
 */
import { numberOrText } from "./numbers.js";

/** @import { Definition } from "./paths.js" */
/**
 * @typedef {object} Row
 * @property {string[]} words in each language of the survey; one text if it has no languages.
 * @property {string} id the name of an answer or a band; empty for an item.
 * @property {string | number | boolean} value its points or beginning, or whether it is reversed.
 */
/**
 * Reads the rows of a part, and writes them; null if a part has no lines.
 *
 * @typedef {object} Part
 * @property {(question: Definition, codes: readonly string[]) => Row[] | null} read
 * @property {(rows: readonly Row[], codes: readonly string[]) => Definition} write the keys of the question.
 * @property {(row: Row) => string} line of the first language.
 * @property {(line: string) => [string, Row["value"]]} parse
 */

const REVERSED = "(R)";

/** @type {Part} */
const items = {
  read({ items: written = [] }, codes) {
    const isList = Array.isArray(written) && written.every((item) => typeof item === "string" || hasOnly(item, "text", "reversed"));
    return isList
      ? written.map((item) => ({ words: wordsOf(item.text ?? item, codes), id: "", value: item.reversed === true }))
      : null;
  },
  write: (rows, codes) => ({
    items: rows.map(({ words, value }) => {
      const text = textOf(words.map((each) => parseItem(each)[0]), codes);
      return typeof text === "string" && !value ? text : { text, ...(value ? { reversed: true } : {}) };
    }),
  }),
  line: ({ words: [first = ""], value }) => (value && first ? `${first} ${REVERSED}` : first),
  parse: parseItem,
};

/** @type {Part} */
const levels = {
  read({ levels: written = {} }, codes) {
    const list = Array.isArray(written) ? written : pairsOf(written)?.map(([id, points]) => ({ id, points }));
    return list?.every((level) => hasOnly(level, "id", "text", "points") && typeof level.id === "string")
      ? list.map(({ id, text = id, points = "" }) => ({ words: wordsOf(text, codes), id, value: points }))
      : null;
  },
  write: (rows, codes) => ({
    levels: inOrder(rows.map(({ words, id, value }) => {
      const text = textOf(words, codes);
      return { id, points: value, ...(text === id ? {} : { text }) };
    })),
  }),
  line: pairLine,
  parse: parsePair,
};

/** @type {Part} */
const cutoffs = {
  read({ cutoffs: written = {}, labels = {} }, codes) {
    // What has a name twice is kept as lines.
    const pairs = Array.isArray(written) ? written.map((line) => parsePair(String(line))) : pairsOf(written);
    return pairs?.map(([id, value]) => ({ words: wordsOf(labels?.[id] ?? id, codes), id, value })) ?? null;
  },
  write(rows, codes) {
    const begins = Object.fromEntries(rows.map(({ id, value }) => [id, value]));
    const isTwice = Object.keys(begins).length < rows.length;
    const texts = rows.map(({ words, id }) => [id, textOf(words, codes)]).filter(([id, text]) => id !== text);
    return {
      cutoffs: isTwice ? rows.map(pairLine) : begins,
      labels: texts.length > 0 ? Object.fromEntries(texts) : undefined,
    };
  },
  line: pairLine,
  parse: parsePair,
};

/** @type {{ readonly items: Part, readonly levels: Part, readonly cutoffs: Part }} */
export const PARTS = { items, levels, cutoffs };

/**
 * The rows after the lines of the first language have changed: a row whose line was edited keeps
 * its words in the other languages, as do all rows before and after the edited ones.
 *
 * @param {Part} part
 * @param {readonly Row[]} rows
 * @param {readonly string[]} lines
 * @param {number} languages
 * @returns {Row[]}
 */
export function rowsOfLines(part, rows, lines, languages) {
  const before = rows.map(part.line);
  let begin = 0;
  while (begin < Math.min(before.length, lines.length) && before[begin] === lines[begin]) begin += 1;
  let end = 0;
  while (end < Math.min(before.length, lines.length) - begin && before.at(-1 - end) === lines.at(-1 - end)) end += 1;
  const edited = rows.slice(begin, rows.length - end);
  const made = lines.slice(begin, lines.length - end).map((line, place) => {
    const [first, value] = part.parse(line);
    const row = edited[place];
    const words = row ? [first, ...row.words.slice(1)] : [first, ...Array(Math.max(0, languages - 1)).fill("")];
    return { words, value, id: row && row.id !== row.words[0] ? row.id : first };
  });
  return [...rows.slice(0, begin), ...made, ...rows.slice(rows.length - end)];
}

/**
 * The rows after the lines of another language have changed.
 *
 * @param {readonly Row[]} rows
 * @param {readonly string[]} lines
 * @param {number} language its place among the languages.
 * @returns {Row[]}
 */
export function rowsInLanguage(rows, lines, language) {
  const missing = Math.max(0, lines.length - rows.length);
  const words = Array(Math.max(rows[0]?.words.length ?? 0, language + 1)).fill("");
  /** @type {Row[]} */
  const all = [...rows, ...Array(missing).fill({ words, id: "", value: "" })];
  return all.map((row, place) => ({
    ...row, words: row.words.map((each, other) => (other === language ? (lines[place] ?? "") : each)),
  }));
}

/** Rows with words in some language, or with points. @param {readonly Row[]} rows */
export function writtenRows(rows) {
  return rows.filter(({ words, value }) => words.some(Boolean) || typeof value === "number" || value);
}

/**
 * The lines after a paste over items: as many lines as before, without marks, keep the marks.
 *
 * @param {readonly string[]} before
 * @param {readonly string[]} lines
 */
export function pastedItems(before, lines) {
  const isAsBefore = lines.length === before.length && !lines.some((line) => parseItem(line)[1]);
  return isAsBefore ? lines.map((line, place) => (parseItem(before[place] ?? "")[1] ? `${line} ${REVERSED}` : line)) : lines;
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

/**
 * Answers as a map if they are only names with points, in an order that a map keeps: it would put
 * names like 10 first.
 *
 * @param {readonly { id: string, points: unknown, text?: unknown }[]} written
 */
export function inOrder(written) {
  const map = Object.fromEntries(written.map(({ id, points }) => [id, points]));
  const isPlain = written.every((level) => !("text" in level));
  return isPlain && Object.keys(map).join("\n") === written.map(({ id }) => id).join("\n") ? map : written;
}

/** @param {string} line @returns {[string, boolean]} the words, and whether the item is reversed. */
function parseItem(line) {
  return line.endsWith(REVERSED) ? [line.slice(0, -REVERSED.length).trim(), true] : [line, false];
}

/** @param {Row} row */
function pairLine({ words: [first = ""], value }) {
  return first || value !== "" ? `${first} = ${value}` : "";
}

/**
 * @param {string} line
 * @returns {[string, string | number]} anything that is not a number stays as it is written.
 */
function parsePair(line) {
  const cut = line.lastIndexOf("=");
  const [name, end] = cut < 0 ? [line, ""] : [line.slice(0, cut), line.slice(cut + 1)];
  return [name.trim(), numberOrText(end.trim())];
}

/** @param {unknown} map @returns {[string, any][] | undefined} undefined if it is no map. */
function pairsOf(map) {
  return typeof map === "object" && map !== null ? Object.entries(map) : undefined;
}

/** Whether something is a map with some of these keys and no others. @param {unknown} part @param {...string} keys */
function hasOnly(part, ...keys) {
  return pairsOf(part)?.every(([key]) => keys.includes(key)) ?? false;
}

/** @param {any} text @param {readonly string[]} codes */
function wordsOf(text, codes) {
  if (codes.length === 0) return [String(text)];
  return codes.map((code, place) => String((typeof text === "object" ? text?.[code] : place === 0 && text) || ""));
}

/**
 * The text of a definition; what has no letters is the same in all languages.
 *
 * @param {readonly string[]} words
 * @param {readonly string[]} codes
 */
function textOf(words, codes) {
  const [first = "", ...others] = words;
  if (codes.length === 0 || (first && !others.some(Boolean) && !/\p{L}/u.test(first))) return first;
  return Object.fromEntries(codes.map((code, place) => [code, words[place] ?? ""]));
}
