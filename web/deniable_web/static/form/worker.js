/**
 * The form without a network: serves the files of the last visit if the network fails.
 *
 * Only public bytes are stored, which are the same for everyone: pages of forms, static
 * files, and surveys by their digests. This script never sees a report.
 */

/** @typedef {{ request: Request, respondWith: (response: Promise<Response>) => void }} Fetching */

const CACHE = "deniable-form";
const PUBLIC = /^(s\/[^/]+|static\/v-.+|api\/surveys\/by-digest\/[0-9a-f]+)$/;
const FOR_EVER = /^(static\/v-|api\/surveys\/by-digest\/)/;
// This script is at s/worker.js below it.
const SITE = new URL("../", location.href).href;

addEventListener("fetch", (event) => {
  const { request, respondWith } = /** @type {Fetching} */ (/** @type {unknown} */ (event));
  const { origin, pathname, search } = new URL(request.url);
  const address = origin + pathname;
  if (request.method !== "GET" || search !== "" || !address.startsWith(SITE)) return;
  const path = address.slice(SITE.length);
  if (!PUBLIC.test(path)) return;
  respondWith.call(event, FOR_EVER.test(path) ? keptFirst(request) : newestFirst(request));
});

/** @param {Request} request Its bytes never change. */
async function keptFirst(request) {
  return (await kept(request)) ?? fetch(request);
}

/** @param {Request} request */
async function newestFirst(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await kept(request);
    if (found) return found;
    throw error;
  }
}

/** @param {Request} request */
function kept(request) {
  return caches.match(request.url, { cacheName: CACHE, ignoreVary: true });
}
