/** Copies texts of the page to the clipboard. */
import { all, announce, element } from "./dom.js";
import { text } from "./texts.js";

const SAID_MS = 2500;

/** Lets each button copy the text of the element that it names. */
export function offerCopies() {
  for (const button of all("[data-copies]")) button.addEventListener("click", () => copy(button));
}

/** @param {HTMLElement} button It copies the text of the element that it names. */
async function copy(button) {
  const source = element(button.dataset.copies ?? "");
  try {
    await navigator.clipboard.writeText(source.textContent ?? "");
    say(button, text("copied_text"));
  } catch {
    // Without permission for the clipboard, the text is selected for copying by hand.
    getSelection()?.selectAllChildren(source);
    say(button, text("selected_text"));
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
