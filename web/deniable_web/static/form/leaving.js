/** Protects the person's input when the page is left. */

/** @param {BeforeUnloadEvent} event */
function ask(event) {
  event.preventDefault();
}

/**
 * Set whether the browser asks before the page is left.
 *
 * @param {boolean} isFilled whether input would be lost.
 */
export function askBeforeLeaving(isFilled) {
  if (isFilled) addEventListener("beforeunload", ask);
  else removeEventListener("beforeunload", ask);
}

// The history entry of the first page, so that links within the page do not count as Back.
const FIRST = "first";
let isGuarded = false;

/**
 * Let the browser's Back go to the previous page of the form.
 *
 * The history gets only one entry, however far a person goes, so it reveals no path.
 */
export function guardBack() {
  if (isGuarded) return;
  history.replaceState(FIRST, "");
  history.pushState(null, "");
  isGuarded = true;
}

/** @param {() => boolean} turnBack goes back; returns whether there was a previous page. */
export function whenBack(turnBack) {
  addEventListener("popstate", ({ state }) => {
    if (state !== FIRST) return;
    isGuarded = false;
    if (turnBack()) guardBack();
    else history.back();
  });
}
