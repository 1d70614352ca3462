/**
 * Stands in front of the form in a preview: answers in the server's place.
 *
 * The form is the real one and randomizes for real. Nothing it does leaves this
 * frame: there is no network for it, and no storage that outlives it.
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
 * @returns {Promise<Response>}
 */
globalThis.fetch = (request, options) => {
  const method = options?.method ?? (request instanceof Request ? request.method : "GET");
  if (method === "GET") {
    return Promise.resolve(new Response(survey, { headers: { "Content-Type": "application/json" } }));
  }
  showEnd();
  // What comes after a report was taken is a page of the server, which has no such survey.
  return new Promise(() => {});
};

/** The report goes nowhere, and the page says so. */
function showEnd() {
  const main = document.querySelector("main");
  const end = document.createElement("section");
  end.className = "card message";
  const title = document.createElement("h1");
  title.textContent = holder.dataset.endTitle ?? "";
  title.tabIndex = -1;
  const words = document.createElement("p");
  words.textContent = holder.dataset.endText ?? "";
  end.append(title, words);
  main?.replaceChildren(end);
  title.focus();
}
