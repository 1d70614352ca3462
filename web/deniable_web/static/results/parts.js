/** Parts of a page that are fetched after the rest of it. */
import { all } from "../form/page.js";
import { send } from "../manage/access.js";
import { askCollected, fillCollected } from "./collected.js";
import { elementsOf, replaceParts } from "./replacing.js";

const PART = "[data-part]";
/** @type {Map<string, number>} how often each part was asked for. */
const times = new Map();

/**
 * Puts what the page has in its parts into new elements, which replace it.
 *
 * @param {Element[]} fresh
 */
export function keepParts(fresh) {
  for (const each of fresh) {
    for (const place of all(PART, each)) {
      const old = placeIn(place.closest("[id]")?.id ?? "");
      if (old?.dataset.of === place.dataset.of) {
        place.replaceChildren(...(old?.cloneNode(true).childNodes ?? []));
      }
    }
  }
}

/**
 * Fetches the part within an element, if there is one.
 *
 * @param {string} id of the element.
 * @param {string} path
 */
export async function fetchPart(id, path) {
  const of = placeIn(id)?.dataset.of;
  if (of === undefined) return;
  const mine = (times.get(id) ?? 0) + 1;
  times.set(id, mine);
  const fresh = elementsOf(await (await send(path, { mayKeep: true })).text());
  const place = placeIn(id);
  // A response is dropped if the part was asked for again, or is that of another survey now.
  if (times.get(id) !== mine || place?.dataset.of !== of) return;
  fillCollected(fresh);
  replaceParts(place, fresh);
  askCollected();
}

/** @param {string} id @returns {HTMLElement | null} */
function placeIn(id) {
  return document.querySelector(`#${CSS.escape(id)} ${PART}`);
}
