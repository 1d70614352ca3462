/**
 * People who run surveys send their token with every request.
 *
 * A personal token is stored in this tab only (sessionStorage), and sent in a header only. A
 * browser that stays signed in has a session instead: a cookie that no script reads, for which
 * the server returns short-lived tokens, which this page keeps in memory only. A link to sign in
 * (link.js) is exchanged for a personal token once.
 */

import { at } from "../root.js";

const KEY = "deniable-token";
const SESSION = "manage/session";
const ACCOUNT = "manage/account";
/** @type {RequestInit} */
const ALWAYS = { redirect: "error", referrerPolicy: "no-referrer", cache: "no-store" };

/** The page's sentences for refusals that do not depend on the request's content, by status. */
const SENTENCES = new Map([[0, "unreachable"], [401, "refused"], [429, "busy"], [503, "busy"]]);
/** The same for problems whose status has other reasons, too. */
const OF_PROBLEMS = new Map([["urn:deniable:problem:token-not-configured", "unconfigured"]]);

/**
 * With `mayKeep` the browser keeps the response if the server allows it, and asks each time whether it is
 * still the same.
 *
 * @typedef {{ method?: string, body?: BodyInit, type?: string, signal?: AbortSignal, mayKeep?: boolean }} Asked
 */

/** A refusal, in the page's words if it has a sentence for it, otherwise in the server's. */
export class Refusal extends Error {
  /**
   * @param {number} status 0 if there was no response.
   * @param {string} detail
   * @param {{ readonly [member: string]: unknown }} problem
   * @param {string} [sentence] the name of the page's sentence.
   * @param {string} [name] the account that the sentence names.
   */
  constructor(status, detail, problem = {}, sentence = OF_PROBLEMS.get(String(problem.type)) ?? SENTENCES.get(status), name = "") {
    super((document.documentElement.dataset[sentence ?? ""] ?? detail).replace("{name}", name));
    this.status = status;
    this.problem = problem;
  }
}

/**
 * Does something that sends requests, and passes on the message of a refusal; false if it was refused.
 *
 * @param {() => Promise<unknown>} act
 * @param {(message: string, refusal: Refusal) => unknown} say
 */
export async function tried(act, say) {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await say(error.message, error);
    return false;
  }
}

/**
 * The session of this browser, once it was asked for; null without one.
 *
 * @type {Promise<{ token: string, name: string } | null> | undefined}
 */
let session;
/** What the token of this page opens, once it was asked for. @type {Promise<Account> | null} */
let rights = null;
/** Whose session this page uses; it never changes to somebody else's. */
let account = "";

/** The personal token of this tab, or null. */
function tabToken() {
  return sessionStorage.getItem(KEY);
}

/** The token to send, or null. */
async function token() {
  const own = tabToken();
  if (own !== null || !("sessions" in document.documentElement.dataset)) return own;
  session ??= renew();
  return (await session)?.token ?? null;
}

export async function isSignedIn() {
  return (await token()) !== null;
}

/** Whether this page uses a session of the browser. */
export function hasSession() {
  return account !== "" && tabToken() === null;
}

/**
 * A new token for the session of this browser, unless it is another person's by now.
 *
 * @throws {Refusal} the browser has two sessions.
 */
async function renew() {
  const response = await ask(`${SESSION}/token`, "POST").catch(() => null);
  if (response?.status === 400) throw new Refusal(400, "", {}, "twoSessions");
  if (response?.status !== 200) return null;
  const found = await response.json();
  if (account && found.name !== account) return null;
  account = found.name;
  return found;
}

/**
 * The response to a request about sessions, which has the cookie.
 *
 * @param {string} path
 * @param {string} method
 * @param {string} [bearer]
 */
function ask(path, method, bearer) {
  const headers = { "Deniable-Page": "1", ...(bearer ? { Authorization: `Bearer ${bearer}` } : {}) };
  return fetch(at(path), { ...ALWAYS, method, headers, credentials: "same-origin" });
}

/**
 * @param {string} given a personal token.
 * @param {boolean} stays whether this browser stays signed in.
 */
export async function signIn(given, stays) {
  rights = null;
  const own = given.trim();
  const response = stays ? await ask(SESSION, "POST", own).catch(() => null) : null;
  if (response?.status !== 200) {
    sessionStorage.setItem(KEY, own);
    return;
  }
  sessionStorage.removeItem(KEY);
  const found = await response.json();
  account = found.name;
  session = Promise.resolve(found);
}

/** Forgets the token of this tab, or ends the session of this browser if the tab has none. */
export async function signOut() {
  const endsSession = hasSession();
  forget();
  if (endsSession) await ask(SESSION, "DELETE").catch(() => null);
}

/** Ends all sessions of the account; false if that failed. */
export async function signOutEverywhere() {
  const response = await ask("manage/sessions", "DELETE", (await token()) ?? "").catch(() => null);
  forget();
  return response?.ok ?? false;
}

/** Forgets the token of this tab. */
export function forget() {
  sessionStorage.removeItem(KEY);
  session = undefined;
  rights = null;
}

/**
 * The response to a request with the token.
 *
 * @param {string} path
 * @param {Asked} [request]
 * @throws {Refusal} the server refused, or did not answer.
 */
export async function send(path, request = {}) {
  const response = await sendOnce(path, request);
  if (response.status !== 401) return checked(response);
  let last = response;
  if (tabToken() === null && session) {
    // The short-lived token is over; the session may not be.
    session = undefined;
    last = await sendOnce(path, request);
    if (last.status === 401 && (await session) === null) throw new Refusal(401, "", {}, "signedOut");
  }
  // A token that the server knows is right, and its role is not.
  const known = last.status === 401 && path !== ACCOUNT ? await presentAccount() : null;
  if (known) throw new Refusal(403, "", {}, "otherRole", known.name);
  return checked(last);
}

/**
 * A new personal token for the secret of a link, which is used up then.
 *
 * @param {string} secret
 * @returns {Promise<string>}
 * @throws {Refusal} the server refused, or did not answer.
 */
export async function exchangeLink(secret) {
  const response = await sendWith(secret, "manage/link", { method: "POST" });
  if (response.status === 410) throw new Refusal(410, "", {}, "linkOver");
  return (await (await checked(response)).json()).token;
}

/** @param {string} path @param {Asked} request */
async function sendOnce(path, request) {
  return sendWith((await token()) ?? "", path, request);
}

/** @param {string} secret @param {string} path @param {Asked} request */
function sendWith(secret, path, { method = "GET", body, type, signal, mayKeep = false }) {
  return fetch(at(path), {
    ...ALWAYS,
    method,
    body,
    signal,
    headers: { Authorization: `Bearer ${secret}`, ...(type ? { "Content-Type": type } : {}) },
    credentials: "omit",
    ...(mayKeep ? { cache: "no-cache" } : {}),
  }).catch((error) => {
    if (signal?.aborted) throw error;
    throw new Refusal(0, "");
  });
}

/** @param {Response} response */
async function checked(response) {
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new Refusal(response.status, String(problem.detail ?? response.status), problem);
}

/**
 * What the token of this page opens.
 *
 * @typedef {{ name: string, role: string, surveys: string[] | null }} Account
 * @returns {Promise<Account>}
 * @throws {Refusal} as send does.
 */
export async function ownAccount() {
  const asked = (rights ??= getJson(ACCOUNT));
  asked.catch(() => {
    // It is asked for again.
    if (rights === asked) rights = null;
  });
  return asked;
}

/** What the token of this page opens; null if it has none that the server accepts. */
export async function presentAccount() {
  const isIn = await isSignedIn().catch(() => false);
  return isIn ? ownAccount().catch(() => null) : null;
}

/**
 * Where the accounts of a provider sign in, or why that is not possible now.
 *
 * @param {string} page to which people come back.
 * @returns {Promise<{ address?: string, reason?: string }>}
 */
export async function signInAtProvider(page) {
  const response = await ask(`manage/sign-in?to=${encodeURIComponent(page)}`, "POST").catch(() => null);
  return response?.ok ? response.json() : { reason: "unreachable" };
}

/**
 * Whether a page is for somebody.
 *
 * @param {Account} account
 * @param {string | undefined} whom "owner" or "owner-of-all": of all surveys.
 * @param {string} [slug] of the survey that it is about.
 */
export function isFor({ role, surveys }, whom, slug = "") {
  return role === "owner" && (surveys === null || (whom === "owner" && (!slug || surveys.includes(slug))));
}

/** The JSON at an address. @param {string} path @throws {Refusal} as send does. */
export async function getJson(path) {
  return (await send(path)).json();
}

/**
 * Sends JSON; returns the response's JSON.
 *
 * @param {string} path
 * @param {unknown} document
 * @param {AbortSignal} [signal]
 * @param {string} [method]
 */
export async function sendJson(path, document, signal, method = "POST") {
  const body = JSON.stringify(document);
  return (await send(path, { method, body, type: "application/json", signal })).json();
}
