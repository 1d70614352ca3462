/** What happens to what was filled in when the page is left. */

/** @param {BeforeUnloadEvent} event */
function ask(event) {
  event.preventDefault();
}

/**
 * Let the browser ask before the page is left, or not.
 *
 * @param {boolean} isFilled whether something would be lost.
 */
export function askBeforeLeaving(isFilled) {
  if (isFilled) addEventListener("beforeunload", ask);
  else removeEventListener("beforeunload", ask);
}

// The entry of the first page, so that links within the page are not taken for Back.
const FIRST = "first";
let isGuarded = false;

/**
 * Let the browser's Back turn to the page before.
 *
 * The history gets one entry, however far a person came: it shows no path.
 */
export function guardBack() {
  if (isGuarded) return;
  history.replaceState(FIRST, "");
  history.pushState(null, "");
  isGuarded = true;
}

/** @param {() => boolean} turnBack whether there was a page before. */
export function whenBack(turnBack) {
  addEventListener("popstate", ({ state }) => {
    if (state !== FIRST) return;
    isGuarded = false;
    if (turnBack()) guardBack();
    else history.back();
  });
}

/**
 * A page kept for the back button, or restored by the browser, must not bring
 * an answer back.
 *
 * @param {() => void} wipe
 */
export function wipeWhenLeft(wipe) {
  addEventListener("pagehide", wipe);
}
