/** The one screen of the app: a heading, some lines, and buttons at the bottom. */

const [heading, lines, state, buttons] = ["heading", "lines", "state", "buttons"].map(
  (id) => /** @type {HTMLElement} */ (document.getElementById(id)),
);

/**
 * Show a screen, and wait for a tap.
 *
 * @param {string} title
 * @param {readonly string[]} texts
 * @param {readonly string[]} choices
 * @returns {Promise<number>} which button was tapped, counted from 0.
 */
export function tapped(title, texts, choices) {
  heading?.replaceChildren(title);
  heading?.focus();
  showState("");
  lines?.replaceChildren(...texts.map((text) => element("p", text)));
  return new Promise((resolve) => {
    const made = choices.map((choice, index) => {
      return Object.assign(element("button", choice), { onclick: () => resolve(index) });
    });
    buttons?.replaceChildren(...made);
  });
}

/** @param {string} text */
export function showState(text) {
  state?.replaceChildren(text);
}

/**
 * @param {string} tag
 * @param {string} text
 */
function element(tag, text) {
  return Object.assign(document.createElement(tag), { textContent: text });
}
