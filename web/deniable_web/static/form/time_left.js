/** Moments, and how long it is until them, in words. */
import { numberLocale } from "./page.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** @type {readonly (readonly ["day" | "hour" | "minute", number])[]} */
const UNITS = [["day", 24 * HOUR_MS], ["hour", HOUR_MS], ["minute", MINUTE_MS]];

/**
 * A moment on the clock of whoever reads it, with its day of the week.
 *
 * @param {Date} moment
 * @param {Element} [part] of the page, in whose language it is.
 */
export function fullMoment(moment, part) {
  return moment.toLocaleString(numberLocale(part), { dateStyle: "full", timeStyle: "short" });
}

/**
 * A time in the future, like "in 3 days"; never later than it is.
 *
 * @param {number} leftMs more than 0.
 * @param {string} locale
 */
export function timeLeft(leftMs, locale) {
  const [unit, length] = UNITS.find(([, each]) => leftMs >= 2 * each) ?? ["minute", MINUTE_MS];
  return new Intl.RelativeTimeFormat(locale).format(Math.max(1, Math.floor(leftMs / length)), unit);
}

/**
 * After how long the words should be looked at again.
 *
 * Each minute, because timers stand still while a device sleeps.
 *
 * @param {number} leftMs more than 0.
 */
export function untilNextWords(leftMs) {
  return Math.min(leftMs, (leftMs % MINUTE_MS) + 1);
}
