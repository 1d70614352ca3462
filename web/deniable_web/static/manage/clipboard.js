/** The clipboard. */

/**
 * Copies the text of an element; without permission for the clipboard, selects it for copying by hand.
 *
 * @param {HTMLElement} source
 * @returns {Promise<string>} what was done, in the page's words.
 */
export async function copy(source) {
  const { copied = "", selected = "" } = document.documentElement.dataset;
  try {
    await navigator.clipboard.writeText(source.textContent ?? "");
    return copied;
  } catch {
    getSelection()?.selectAllChildren(source);
    return selected;
  }
}
