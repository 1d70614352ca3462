/**
 * People who run surveys send their token with every request.
 *
 * The token is stored in this tab only (sessionStorage), and sent in a header only. A link
 * may contain it in its fragment, which browsers never send; it is removed from the address
 * at once.
 */

const KEY = "deniable-token";
const BROUGHT = /^#token=([\w-]+)$/;

/** The page's sentences for refusals that do not depend on the request's content, by status. */
const SENTENCES = new Map([[0, "unreachable"], [401, "refused"], [403, "unconfigured"], [429, "busy"], [503, "busy"]]);

/** A refusal, in the page's words if it has a sentence for it, otherwise in the server's. */
export class Refusal extends Error {
  /**
   * @param {number} status 0 if there was no response.
   * @param {string} detail
   * @param {{ readonly [member: string]: unknown }} problem
   */
  constructor(status, detail, problem = {}) {
    super(document.documentElement.dataset[SENTENCES.get(status) ?? ""] ?? detail);
    this.status = status;
    this.problem = problem;
  }
}

/**
 * Does something that sends requests, and passes on the message of a refusal; false if it was refused.
 *
 * @param {() => Promise<unknown>} act
 * @param {(refusal: string) => void} say
 */
export async function tried(act, say) {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(error.message);
    return false;
  }
}

/** The token of this tab, or null. */
export function token() {
  const brought = BROUGHT.exec(location.hash)?.[1];
  if (brought) {
    sessionStorage.setItem(KEY, brought);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(KEY);
}

/** @param {string} given */
export function signIn(given) {
  sessionStorage.setItem(KEY, given.trim());
}

export function signOut() {
  sessionStorage.removeItem(KEY);
}

/**
 * The response to a request with the token.
 *
 * @param {string} path
 * @param {{ method?: string, body?: BodyInit, type?: string, signal?: AbortSignal, mayKeep?: boolean }} [request]
 *   with `mayKeep` the browser keeps the response if the server allows it, and asks each time whether it is
 *   still the same.
 * @throws {Refusal} the server refused, or did not answer.
 */
export async function send(path, { method = "GET", body, type, signal, mayKeep = false } = {}) {
  const response = await fetch(path, {
    method,
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
    headers: {
      Authorization: `Bearer ${token() ?? ""}`,
      ...(type ? { "Content-Type": type } : {}),
    },
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
    cache: mayKeep ? "no-cache" : "no-store",
  }).catch((error) => {
    if (signal?.aborted) throw error;
    throw new Refusal(0, "");
  });
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new Refusal(response.status, String(problem.detail ?? response.status), problem);
}

/**
 * Sends JSON; returns the response's JSON.
 *
 * @param {string} path
 * @param {unknown} document
 * @param {AbortSignal} [signal]
 */
export async function sendJson(path, document, signal) {
  const body = JSON.stringify(document);
  const request = { method: "POST", body, type: "application/json" };
  return (await send(path, signal ? { ...request, signal } : request)).json();
}
