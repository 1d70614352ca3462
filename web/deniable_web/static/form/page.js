/** The page's parts by id, its texts, and where it says things. */

/** @param {string} id */
export function element(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no part ${id}`);
  return found;
}

/**
 * One of the interface's texts, as the server rendered them.
 *
 * @param {string} name
 * @param {{ readonly [place: string]: string }} [fillings] what to put where
 *   the text has {place}.
 */
export function text(name, fillings = {}) {
  const found = element("texts").dataset[name] ?? "";
  return found.replace(/\{(\w+)\}/g, (place, key) => fillings[key] ?? place);
}

/** @param {string} message Said politely by screen readers; empty hides it. */
export function setStatus(message) {
  const status = element("status");
  status.textContent = message;
  status.hidden = message === "";
}

/** @param {string} message Said politely by screen readers, and not shown. */
export function announce(message) {
  element("announcement").textContent = message;
}

/** @param {string} message Said at once by screen readers; empty hides it. */
export function fail(message) {
  const problem = element("problem");
  problem.textContent = message;
  problem.hidden = message === "";
}
