/**
 * How many people have collected a token, as issuers publish it.
 *
 * The issuer is another server. A hidden frame asks it, so that the page with the token may
 * send requests to no other server.
 */

import { all } from "../form/page.js";
import { at } from "../root.js";

/**
 * By group; null before the issuer publishes it.
 * @typedef {Map<string, number | null>} Counts
 */

const LIMIT_MS = 15_000;
/** @type {Map<string, Counts | null>} by the digest of the survey; null without a response. */
const known = new Map();
/** @type {Set<string>} */
const asked = new Set();

/** Writes the known counts into tables. @param {Iterable<Element>} elements */
export function fillCollected(elements) {
  for (const element of elements) {
    for (const table of tablesIn(element)) {
      const counts = known.get(table.dataset.digest ?? "");
      if (counts !== undefined) write(table, counts);
    }
  }
}

/** Asks the issuer of each table of the page, once for each survey. */
export function askCollected() {
  for (const { dataset } of tablesIn(document.body)) {
    const digest = dataset.digest ?? "";
    if (asked.has(digest)) continue;
    asked.add(digest);
    ask(digest);
  }
}

/** @param {Element} element */
function tablesIn(element) {
  const own = element.matches("[data-ask]") ? [/** @type {HTMLElement} */ (element)] : [];
  return [...own, ...all("[data-ask]", element)];
}

/** @param {string} digest */
function ask(digest) {
  const frame = document.createElement("iframe");
  /** @param {[string, number | null][] | null} groups */
  const settle = (groups) => {
    clearTimeout(timer);
    removeEventListener("message", hear);
    frame.remove();
    known.set(digest, groups && new Map(groups));
    fillCollected([document.body]);
  };
  /** @param {MessageEvent} event */
  const hear = (event) => {
    if (event.source === frame.contentWindow && event.origin === location.origin) settle(event.data);
  };
  const timer = setTimeout(() => settle(null), LIMIT_MS);
  addEventListener("message", hear);
  frame.hidden = true;
  frame.src = at(`collected/${digest}`);
  document.body.append(frame);
}

/** @param {HTMLElement} table @param {Counts | null} counts */
function write(table, counts) {
  const found = [...(counts?.values() ?? [])];
  const isKnown = found.length > 0 && found.every((count) => count !== null);
  const state = counts ? "unpublished" : "unreachable";
  for (const says of all("[data-says]", table)) {
    says.hidden = isKnown || says.dataset.says !== state;
  }
  if (!isKnown) return;
  for (const row of all("tr[data-group]", table)) {
    const { group, invited } = row.dataset;
    // Groups that count as one have one row, and so do all.
    const parts = group ? group.split(" + ").map((id) => counts?.get(id)) : found;
    const count = parts.reduce((/** @type {number} */ sum, part) => sum + Number(part), 0);
    if (Number.isFinite(count)) writeRow(row, count, count / Number(invited));
  }
}

/**
 * @param {Element} row
 * @param {number} count
 * @param {number} part of the invited people.
 */
function writeRow(row, count, part) {
  const language = `${document.documentElement.lang}-u-nu-latn`;
  // In Spanish too, as elsewhere on the page; the type checker knows only true and false.
  const grouping = /** @type {any} */ ("always");
  const written = count.toLocaleString(language, { useGrouping: grouping });
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const percent = part.toLocaleString(language, { style: "percent", ...digits });
  const isMirrored = document.dir === "rtl";
  const cell = row.querySelector("[data-collected]");
  const text = `${written} (${percent})`;
  if (cell) cell.textContent = isMirrored ? `\u2066${text}\u2069` : text;
  const width = 100 * Math.min(1, part);
  const bar = row.querySelector(".collected-bar");
  bar?.setAttribute("width", `${width}%`);
  bar?.setAttribute("x", `${isMirrored ? 100 - width : 0}%`);
}
