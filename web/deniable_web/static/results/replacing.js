/** Replaces parts of a page so that readers keep their place, and fetches those that come later. */
import { all } from "../form/page.js";
import { Refusal, send } from "../manage/access.js";
import { askCollected, fillCollected } from "./collected.js";

const PART = "[data-part]";
/** @type {Map<string, number>} how often each part was asked for. */
const times = new Map();

/** The elements that a server has rendered. @param {string} markup */
export function elementsOf(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return [...template.content.children];
}

/**
 * The elements of a response, each as soon as it has arrived.
 *
 * @param {Response} response
 * @throws {Refusal} if the response breaks off
 */
export async function* arrivingElements({ body }) {
  if (!body) return;
  const markup = document.implementation.createHTMLDocument();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let isWhole = false; !isWhole; ) {
    const { done, value } = await reader.read().catch(() => {
      throw new Refusal(0, "");
    });
    if (done) markup.close();
    else markup.write(value);
    isWhole = done;
    // The last element may be incomplete until then.
    for (const each of [...markup.body.children].slice(0, isWhole ? undefined : -1)) {
      each.remove();
      yield each;
    }
  }
}

/**
 * Replaces the children whose markup has changed. Open details stay open, the focus is
 * kept, and nothing scrolls.
 *
 * @param {HTMLElement} container
 * @param {Element[]} fresh all its new children; an id identifies a child.
 */
export function replaceParts(container, fresh) {
  const focused = container.contains(document.activeElement) ? document.activeElement?.id : "";
  const top = scrollY;
  const parts = fresh.map((part) => {
    const old = part.id ? container.querySelector(`:scope > #${CSS.escape(part.id)}`) : null;
    if (!old) return part;
    keepOpen(old, part);
    return old.isEqualNode(part) ? old : part;
  });
  const { children } = container;
  if (children.length === parts.length && parts.every((part, place) => part === children[place])) return;
  container.replaceChildren(...parts);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  if (scrollY !== top) scrollTo({ top, behavior: "instant" });
}

/** @param {Element} old @param {Element} fresh */
function keepOpen(old, fresh) {
  for (const details of old.querySelectorAll("details[id][open]")) {
    fresh.querySelector(`#${CSS.escape(details.id)}`)?.setAttribute("open", "");
  }
}

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
