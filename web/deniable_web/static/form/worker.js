/**
 * The form without a network: serves the files of the last visit if the network fails.
 *
 * Only public bytes are stored, which are the same for everyone: pages of forms, static
 * files, and surveys by their digests. This script never sees a report.
 */

/** @typedef {{ request: Request, respondWith: (response: Promise<Response>) => void }} Fetching */

const CACHE = "deniable-form";
const PUBLIC = /^\/(s\/[^/]+|static\/v-.+|api\/surveys\/by-digest\/[0-9a-f]+)$/;
const FOR_EVER = /^\/(static\/v-|api\/surveys\/by-digest\/)/;

addEventListener("fetch", (event) => {
  const { request, respondWith } = /** @type {Fetching} */ (/** @type {unknown} */ (event));
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || search !== "") return;
  if (!PUBLIC.test(pathname)) return;
  respondWith.call(event, FOR_EVER.test(pathname) ? keptFirst(request) : newestFirst(request));
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
