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

/**
 * A page kept for the back button, or restored by the browser, must not bring
 * an answer back.
 *
 * @param {() => void} wipe
 */
export function wipeWhenLeft(wipe) {
  addEventListener("pagehide", wipe);
}
