/**
 * Runs before the form in a preview, and removes access to network and storage.
 *
 * The form is the real one and really randomizes. It knows that it is a preview; this
 * script makes sure that nothing is sent or kept, even if the form has an error.
 */
const holder = /** @type {HTMLElement} */ (document.getElementById("preview-document"));
const survey = holder.dataset.document ?? "";

for (const name of ["indexedDB", "caches", "localStorage", "sessionStorage"]) {
  Object.defineProperty(globalThis, name, { value: undefined, configurable: true });
}
Object.defineProperty(navigator, "serviceWorker", { value: undefined, configurable: true });

/**
 * @param {RequestInfo | URL} request
 * @param {RequestInit} [options]
 * @returns {Promise<Response>} the draft, whatever the request.
 */
globalThis.fetch = (request, options) => {
  const method = options?.method ?? (request instanceof Request ? request.method : "GET");
  if (method !== "GET") return Promise.reject(new TypeError("a preview sends nothing"));
  const headers = { "Content-Type": "application/json" };
  return Promise.resolve(new Response(survey, { headers }));
};

if (holder.dataset.begun !== undefined) {
  // Beside the builder: it shows its questions, and never takes the focus from the author.
  HTMLElement.prototype.focus = () => {};
  Element.prototype.scrollIntoView = () => {};
  new MutationObserver((_, seen) => {
    const start = document.getElementById("start");
    if (!(start instanceof HTMLButtonElement) || start.disabled) return;
    seen.disconnect();
    start.click();
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["disabled"] });
}
