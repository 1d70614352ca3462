/** HTTP to a collector: surveys come, randomized reports go, nothing else. */

import { quote } from "../errors.js";
import { CollectorRefused, CollectorUnreachable, InvalidAddress } from "./errors.js";

/**
 * The transport between a client and its collector; pass another one to replace it.
 *
 * @typedef {object} Transport
 * @property {(slug: string, digest: string | null, signal: AbortSignal) =>
 *   Promise<Uint8Array>} getSurvey the published bytes, by digest where it is
 *   known. Throws CollectorUnreachable or CollectorRefused.
 * @property {(body: Uint8Array<ArrayBuffer>, signal: AbortSignal) =>
 *   Promise<Outcome>} send sends one report, as it is. Whatever it throws
 *   means that no answer came.
 */

/**
 * What a collector said of a report.
 *
 * @typedef {object} Outcome
 * @property {number} status
 * @property {string} [report] the id of the report that it says is stored:
 *   without it, 200 and 201 may come from a machine in between.
 * @property {string} [detail] why it was refused.
 * @property {string | null} [retryAfter] the header, as it came.
 */

const TIMEOUT_MS = 30_000;
// Else a browser names the languages that its user reads.
const NO_LANGUAGE = { "Accept-Language": "*" };

// Where a collector is, the dot after its name, and the rest but for slashes at the end.
const ADDRESS = /^(https?:\/\/(?:[\w.-]*\w|\[.*?\]))\.?((?::\d+)?(?:\/.*?)??)\/*$/;
// What no address may hold; of letters beyond ASCII all but those that all systems map alike.
const FOREIGN =
  /[?#@^]|[^\0-\x7f\xe0-\u02af\u03ac-\u03c1\u03c3-\u0481\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fa5\uac00-\ud7a3]/;

/**
 * An address as it is compared and kept: one for each collector.
 *
 * Python reads each in the same way: what the two would read in different ways
 * is refused.
 *
 * @param {unknown} collector
 * @returns {string} without a slash at its end.
 * @throws {InvalidAddress}
 */
export function readAddress(collector) {
  const given = String(collector);
  try {
    const { protocol, host, pathname } = new URL(given);
    const path = pathname.replace(/%../g, (escape) =>
      unescape(escape).replace(/[^\w.~-]/, escape.toUpperCase()),
    );
    const found = ADDRESS.exec(`${protocol}//${host}${path}`);
    if (found && !FOREIGN.test(decodeURIComponent(given))) return `${found[1]}${found[2]}`;
  } catch {
    // Told below, like every other address that is none.
  }
  throw new InvalidAddress(
    `got ${quote(given)}; allowed is an address like https://example.org, other letters as xn--`,
  );
}

/**
 * The transport by fetch: no cookie, no language, no redirect, no referrer, nothing cached.
 *
 * @param {string} collector
 * @returns {Transport}
 */
export function fetchTransport(collector) {
  return {
    async getSurvey(slug, digest, signal) {
      const path = digest === null ? "" : "by-digest/";
      const name = encodeURIComponent(digest ?? slug);
      return accepted(await ask(`${collector}/api/surveys/${path}${name}`, { signal }));
    },
    async send(body, signal) {
      const answer = await post(`${collector}/api/reports`, body, signal);
      const { report, detail } = membersOf(answer.body);
      return { ...answer, report, ...(typeof detail === "string" && { detail }) };
    },
  };
}

/**
 * The answer to JSON, whatever its status.
 *
 * @param {string} url
 * @param {BodyInit} body
 * @param {AbortSignal} [signal]
 */
export function post(url, body, signal) {
  const headers = { ...NO_LANGUAGE, "Content-Type": "application/json" };
  return ask(url, { method: "POST", body, headers, signal });
}

/**
 * The answer to a request, whatever its status.
 *
 * @param {string} url
 * @param {RequestInit} request
 * @throws {CollectorUnreachable} no answer came.
 */
export async function ask(url, request) {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, TIMEOUT_MS);
  const { signal } = request;
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
  try {
    const response = await fetch(url, {
      headers: NO_LANGUAGE,
      ...request,
      signal: ending.signal,
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      cache: "no-store",
    });
    const body = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, retryAfter: response.headers.get("Retry-After"), body };
  } catch (error) {
    const { name } = Object(error);
    throw new CollectorUnreachable(`no answer from ${new URL(url).host} (${name}); try again later`);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/**
 * The body of an answer, if its status is 200.
 *
 * @param {{ status: number, body: Uint8Array }} answer
 * @param {string} [from] whose answer it is.
 * @throws {CollectorRefused} another status, with the reason in the answer.
 */
export function accepted({ status, body }, from = "collector") {
  if (status === 200) return body;
  const { detail } = membersOf(body);
  throw new CollectorRefused(status, `the ${from} answered ${status}: ${detail ?? "no reason"}`);
}

/**
 * The members of an answer; none if it is no JSON.
 *
 * @param {Uint8Array} body
 * @returns {{ [name: string]: any }}
 */
export function membersOf(body) {
  try {
    return Object(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return {};
  }
}
