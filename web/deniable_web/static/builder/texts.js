/** The interface's texts, as the server rendered them, and numbers in its language. */

export const LANGUAGE = document.documentElement.lang;
// Keep addresses and signed numbers whole in texts written from right to left.
const [ISOLATE, END] = document.documentElement.dir === "rtl" ? ["\u2068", "\u2069"] : ["", ""];
const MOST_DECIMALS = 10;
const ROUNDING = 1e-9;
const EXACT = new Intl.NumberFormat(LANGUAGE, { style: "percent", maximumFractionDigits: MOST_DECIMALS });

export const whole = new Intl.NumberFormat(LANGUAGE).format;
export const decimal = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 4 }).format;
export const percent = new Intl.NumberFormat(LANGUAGE, { style: "percent", maximumFractionDigits: 1 }).format;
/** Three significant digits. */
export const short = new Intl.NumberFormat(LANGUAGE, { maximumSignificantDigits: 3 }).format;

const MOMENT = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeStyle: "short" });
const DAY = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeZone: "UTC" });

/** A text of the page; null if it has none of this name. @param {string} name */
function written(name) {
  // As an attribute: the names in a dataset are others where a digit follows a hyphen.
  return document.getElementById("texts")?.getAttribute(`data-${name.replaceAll("_", "-")}`) ?? null;
}

/** A moment on the author's clock. @param {string} utc as the server writes it. */
export function moment(utc) {
  return MOMENT.format(new Date(utc));
}

/** The day of a moment on the author's clock, without its year. */
export const dayOf = new Intl.DateTimeFormat(LANGUAGE, { day: "numeric", month: "short" }).format;

/** A day in UTC. @param {string} date like 2026-05-01. */
export function day(date) {
  return DAY.format(new Date(date));
}

/**
 * @param {string} name
 * @param {{ readonly [place: string]: string | number }} [fillings] what to put
 *   where the text has {place}.
 */
export function text(name, fillings = {}) {
  const found = written(name) ?? name;
  return found.replace(/\{(\w+)\}/g, (place, filling) =>
    filling in fillings ? `${ISOLATE}${fillings[filling]}${END}` : place,
  );
}

/** Whether the interface has a text of this name. @param {string} name */
export function hasText(name) {
  return written(name) !== null;
}

/** A share as on the form: rounded up, and never to 100 %. @param {number} share */
export function percentAtMost(share) {
  return rounded(share, Math.ceil, -ROUNDING);
}

/** A share as on the form: rounded down, and never to 0 %. @param {number} share */
export function percentAtLeast(share) {
  return rounded(share, Math.floor, ROUNDING);
}

/**
 * Rounds a share with enough decimals for an error below a tenth of the distance to 0 and 100 %.
 *
 * @param {number} share
 * @param {(value: number) => number} round
 * @param {number} slack the possible error of a float.
 */
function rounded(share, round, slack) {
  const exact = 100 * share;
  for (let decimals = 0; ; decimals++) {
    const found = round(exact * 10 ** decimals + slack) / 10 ** decimals;
    if (Math.abs(found - exact) <= 0.1 * Math.min(exact, 100 - exact) || decimals === MOST_DECIMALS) {
      return EXACT.format(found / 100);
    }
  }
}

/** The name of a language in the language of the page. @param {string} code */
export function languageName(code) {
  try {
    return new Intl.DisplayNames([LANGUAGE], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}
