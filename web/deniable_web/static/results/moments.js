/** Moments in the reader's own time, and how long it is until a survey closes. */
import { all, numberLocale } from "../form/page.js";
import { fullMoment, timeLeft, untilNextWords } from "../form/time_left.js";

const COUNTDOWN = "[data-closes]";

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Writes the moments within elements. @param {Iterable<Element>} elements */
export function fillMoments(elements) {
  for (const each of elements) {
    for (const place of /** @type {HTMLTimeElement[]} */ (all("time[data-moment]", each))) {
      place.textContent = fullMoment(new Date(place.dateTime));
    }
    for (const place of all(COUNTDOWN, each)) write(place);
  }
}

/** Keeps the countdown of the page true, without asking the server. */
export function keepCounting() {
  clearTimeout(timer);
  const places = all(COUNTDOWN);
  for (const place of places) write(place);
  const left = Math.min(...places.map(leftMs));
  if (left > 0 && left < Infinity) timer = setTimeout(keepCounting, untilNextWords(left));
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
