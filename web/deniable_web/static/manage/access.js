/**
 * Who runs surveys shows their token with every request.
 *
 * It lives in this tab alone (sessionStorage) and travels in a header only. A
 * link may bring it in its fragment, which browsers send to nobody; it is
 * taken out of the address at once.
 */

const KEY = "deniable-token";
const BROUGHT = /^#token=([\w-]+)$/;

/** Which sentence of the page says a refusal that has nothing to do with what was asked. */
const SENTENCES = new Map([[0, "unreachable"], [401, "refused"], [403, "unconfigured"], [429, "busy"], [503, "busy"]]);

/** An answer that is a refusal, in the page's language where it has a sentence, else as the server says it. */
export class Refusal extends Error {
  /**
   * @param {number} status 0 where nobody answered.
   * @param {string} detail
   * @param {{ readonly [member: string]: unknown }} problem
   */
  constructor(status, detail, problem = {}) {
    super(document.documentElement.dataset[SENTENCES.get(status) ?? ""] ?? detail);
    this.status = status;
    this.problem = problem;
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
 * The answer to a request that carries the token.
 *
 * @param {string} path
 * @param {{ method?: string, body?: BodyInit, type?: string, signal?: AbortSignal }} [request]
 * @returns {Promise<Response>}
 * @throws {Refusal} the server refused, or did not answer.
 */
export async function send(path, { method = "GET", body, type, signal } = {}) {
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
    cache: "no-store",
  }).catch((error) => {
    if (signal?.aborted) throw error;
    throw new Refusal(0, "");
  });
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new Refusal(response.status, String(problem.detail ?? response.status), problem);
}

/**
 * The answer to JSON, as JSON.
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
