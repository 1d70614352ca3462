/** The form as the collector serves it: where the report goes, and how it opens without a network. */

import { SITE, at } from "../root.js";

/** @import { Options } from "../sdk/client.js" */

const CACHE = "deniable-form";
const PAGE = location.origin + location.pathname;
const JSON_TYPE = { "Content-Type": "application/json" };

/**
 * The options of a client that depend on who serves the page.
 *
 * @type {Pick<Options, "collector" | "transport">}
 */
export const HOSTING = {
  collector: SITE,
};

/**
 * Store the files of this page, and delete those of earlier versions.
 *
 * The requests are the same for everyone, and the browser's cache answers nearly all of
 * them. If a browser forbids this storage, the form just needs the network.
 *
 * @param {string} address the address of the published bytes.
 * @param {Uint8Array<ArrayBuffer>} survey the published bytes.
 */
export async function keepForOffline(address, survey) {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register(at("s/worker.js"));
    const cache = await caches.open(CACHE);
    await cache.put(address, new Response(survey, { headers: JSON_TYPE }));
    const wanted = [PAGE, ...staticFiles()];
    await Promise.all(wanted.map((part) => keep(cache, part)));
    await dropOthers(cache, wanted);
  } catch {
    // A private window, a frame without storage, or a full disk: the form still works online.
  }
}

function staticFiles() {
  const parts = document.querySelectorAll("link[href], script[src]");
  return [...parts].map((part) => {
    const address = part.getAttribute("href") ?? part.getAttribute("src") ?? "";
    return new URL(address, location.href).href;
  });
}

/** @param {Cache} cache @param {string} address */
async function keep(cache, address) {
  const isThere = address !== PAGE && (await cache.match(address, { ignoreVary: true }));
  if (isThere) return;
  const headers = { "Accept-Language": "*" };
  await cache.add(new Request(address, { headers, cache: "force-cache", credentials: "omit" }));
}

/** @param {Cache} cache @param {readonly string[]} wanted */
async function dropOthers(cache, wanted) {
  for (const { url } of await cache.keys()) {
    if (url.startsWith(at("static/")) && !wanted.includes(url)) await cache.delete(url);
  }
}
