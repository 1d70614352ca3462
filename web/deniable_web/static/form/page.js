/** The page's parts by id, its texts, its status line and its problem box. */

/** @param {string} id */
export function element(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no part ${id}`);
  return found;
}

/** The interface's texts, as the server rendered them. */
export function texts() {
  return element("texts").dataset;
}

/** @param {string} text Said politely by screen readers; empty hides it. */
export function setStatus(text) {
  const status = element("status");
  status.textContent = text;
  status.hidden = text === "";
}

/** @param {string} text Said at once by screen readers; empty hides it. */
export function fail(text) {
  const problem = element("problem");
  problem.textContent = text;
  problem.hidden = text === "";
}
