/** How the answers are shown: as charts or tables, in which order; the choice is kept in this tab. */
import { element } from "../form/page.js";

const KEY = "deniable-looks";

/** @type {{ [name: string]: string }} */
const chosen = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");

/**
 * Shows the choice of this tab, and changes what is shown with it.
 *
 * @param {HTMLFormElement} form with a radio button for each look.
 */
export function offerLooks(form) {
  for (const [name, value] of Object.entries(chosen)) {
    const radio = form.querySelector(`input[name="${name}"][value="${value}"]`);
    if (radio instanceof HTMLInputElement) radio.checked = true;
  }
  show();
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement && target.type === "radio")) return;
    chosen[target.name] = target.value;
    sessionStorage.setItem(KEY, JSON.stringify(chosen));
    show();
    sortRows([element("content")]);
  });
}

/**
 * Puts the rows of all answers within elements into the chosen order.
 *
 * @param {Iterable<Element>} elements
 */
export function sortRows(elements) {
  const key = chosen.order === "share" ? "rank" : "place";
  for (const each of elements) {
    for (const body of each.querySelectorAll("[data-sorted]")) {
      const rows = /** @type {HTMLElement[]} */ ([...body.children]);
      const sorted = [...rows].sort((one, other) => Number(one.dataset[key]) - Number(other.dataset[key]));
      if (sorted.some((row, place) => row !== rows[place])) body.append(...sorted);
    }
  }
}

function show() {
  Object.assign(element("content").dataset, { view: "chart", percent: "all", ...chosen });
}
