/** Moments in the reader's own time, and how long it is until a survey closes. */
import { numberLocale } from "../form/page.js";
import { timeLeft, untilNextWords } from "../form/time_left.js";

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Writes the moments within elements.
 *
 * @param {Iterable<Element>} elements
 */
export function fillMoments(elements) {
  for (const each of elements) {
    for (const place of /** @type {NodeListOf<HTMLTimeElement>} */ (each.querySelectorAll("time[data-moment]"))) {
      const moment = new Date(place.dateTime);
      place.textContent = moment.toLocaleString(numberLocale(), { dateStyle: "full", timeStyle: "short" });
    }
    for (const place of countdowns(each)) write(place);
  }
}

/** Keeps the countdown of the page true, without asking the server. */
export function keepCounting() {
  clearTimeout(timer);
  const places = countdowns(document.body);
  for (const place of places) write(place);
  const left = Math.min(...places.map(leftMs));
  if (left > 0 && left < Infinity) timer = setTimeout(keepCounting, untilNextWords(left));
}

/** @param {Element} element */
function countdowns(element) {
  return /** @type {HTMLElement[]} */ ([...element.querySelectorAll("[data-closes]")]);
}

/** @param {HTMLElement} place */
function leftMs({ dataset }) {
  return Date.parse(dataset.closes ?? "") - Date.now();
}

/** @param {HTMLElement} place */
function write(place) {
  const left = leftMs(place);
  const words = left > 0 ? (place.dataset.left ?? "").replace("{left}", timeLeft(left, numberLocale())) : "";
  if (place.textContent !== words) place.textContent = words;
}
