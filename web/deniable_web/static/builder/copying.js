/** Copies texts of the page to the clipboard. */
import { copy } from "../manage/clipboard.js";
import { all, announce, element } from "./dom.js";

const SAID_MS = 2500;

/** Lets each button copy the text of the element that it names. */
export function offerCopies() {
  for (const button of all("[data-copies]")) {
    button.addEventListener("click", async () => say(button, await copy(element(button.dataset.copies ?? ""))));
  }
}

/**
 * @param {HTMLElement} button It shows the message for a moment.
 * @param {string} message
 */
function say(button, message) {
  button.dataset.label ??= button.textContent ?? "";
  button.textContent = message;
  announce(message);
  setTimeout(() => {
    button.textContent = button.dataset.label ?? "";
  }, SAID_MS);
}
