/** What lets the form open without a network, put by once the page has loaded. */

const CACHE = "deniable-form";
const JSON_TYPE = { "Content-Type": "application/json" };

/**
 * Keep what this page was made of, and drop what earlier versions were.
 *
 * What is asked for is the same for everyone, and nearly all of it comes from
 * the browser's own cache. Where a browser forbids it, the form only needs the
 * network.
 *
 * @param {string} address of the published bytes.
 * @param {Uint8Array<ArrayBuffer>} survey the published bytes.
 */
export async function keepForOffline(address, survey) {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/s/worker.js", { scope: "/s/" });
    const cache = await caches.open(CACHE);
    await cache.put(address, new Response(survey, { headers: JSON_TYPE }));
    const wanted = [location.pathname, ...staticFiles()];
    await Promise.all(wanted.map((part) => keep(cache, part)));
    await dropOthers(cache, wanted);
  } catch {
    // A private window, a frame without storage, a full disk: nothing is lost but this.
  }
}

function staticFiles() {
  const parts = document.querySelectorAll("link[href], script[src]");
  return [...parts].map((part) => {
    const address = part.getAttribute("href") ?? part.getAttribute("src") ?? "";
    return new URL(address, location.href).pathname;
  });
}

/**
 * @param {Cache} cache
 * @param {string} address
 */
async function keep(cache, address) {
  const isThere = address !== location.pathname && (await cache.match(address, { ignoreVary: true }));
  if (isThere) return;
  const headers = { "Accept-Language": "*" };
  await cache.add(new Request(address, { headers, cache: "force-cache", credentials: "omit" }));
}

/**
 * @param {Cache} cache
 * @param {readonly string[]} wanted
 */
async function dropOthers(cache, wanted) {
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (pathname.startsWith("/static/") && !wanted.includes(pathname)) await cache.delete(url);
  }
}
