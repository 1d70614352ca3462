/**
 * The public log of a collector: the digests of all surveys that it has
 * published.
 *
 * Each digest is hashed together with all before it, so that no entry can be
 * changed, removed or inserted without changing the head, which is signed. It
 * is a module of its own, so that apps that do not require it do not load it.
 */

import * as canonical from "./canonical.js";
import { accepted, ask, readAddress } from "./client/transport.js";
import { DeniableError, nameErrors, refuseUnknownKeys } from "./errors.js";
import { bytesOf, fromBase64url, tokenKey, verify } from "./tokens.js";

/** @import { JSONValue } from "./canonical.js" */

/** A log is damaged, forged or changed, or its key cannot be used. */
export class InvalidLog extends DeniableError {}

/** A survey is not in the log of its collector; do not answer it. */
export class NotInLog extends DeniableError {}

nameErrors({ InvalidLog, NotInLog });

/**
 * The end of a log, which stands for all of it: how many entries it has, and the
 * last link of the chain, 64 hex digits.
 *
 * @typedef {{ readonly size: number, readonly digest: string }} Head
 */

/**
 * A log whose chain was recomputed.
 *
 * @typedef {object} PublicLog
 * @property {readonly string[]} entries the digests of surveys, in the order of
 *   publishing.
 * @property {Head} head
 * @property {string | null} signature of the head, in base64url; null if nobody
 *   signed it.
 */

const FORMAT = "deniable-log/1";
const HEAD_LABEL = "deniable-log-head/1";
const KEYS = "entries,head,log,signature,size";
const DIGEST = /^[0-9a-f]{64}$/;
// 256 bytes in base64url; a key is odd and has the highest bit.
const SIGNATURE = /^[\w-]{341}[AQgw]$/;
const KEY = /^[g-z\d_-][\w-]{340}[Qw]$/;

/**
 * The log in a collector's response, once all that is asked for was checked.
 *
 * The chain is always recomputed.
 *
 * @param {Uint8Array} document what the collector answered to GET /log.
 * @param {{ survey?: string, key?: string, seen?: Head }} [required] `survey` is the
 *   digest of a survey that must be in it; `key` whose signature the head must
 *   have, a modulus in base64url; `seen` the head of the log at an earlier time,
 *   which it must continue.
 * @returns {Promise<PublicLog>}
 * @throws {InvalidLog} the log is damaged, its signature does not fit, or it does not
 *   continue the one that was seen.
 * @throws {NotInLog} the survey is not in it.
 */
export async function checkLog(document, { survey, key, seen, ...unknown } = {}) {
  refuseUnknownKeys(unknown, "survey, key, seen");
  const { entries, size, head, signature } = readLog(document);
  // The digest of the head before the first entry, and after each.
  const heads = [await canonical.digest(new TextEncoder().encode(FORMAT))];
  for (const entry of entries) {
    heads.push(await canonical.digest(bytesOf(`${heads.at(-1)}${entry}`)));
  }
  if (size !== entries.length || head !== heads.at(-1)) {
    throw new InvalidLog(
      `the head of the log is not that of its ${entries.length} entries: the log was changed`,
    );
  }
  const log = { entries, head: { size, digest: head }, signature };
  if (key !== undefined) await checkSignature(log, key);
  if (seen && heads[seen.size] !== seen.digest) {
    throw new InvalidLog(
      `the log does not continue the one that was seen before, with ${seen.size} entries and the ` +
        `head ${seen.digest}: entries were removed or changed`,
    );
  }
  if (survey !== undefined && !entries.includes(survey)) {
    throw new NotInLog(
      `the survey with the digest ${survey} is not in the public log of its collector, so nobody ` +
        "can notice it there; do not answer it",
    );
  }
  return log;
}

/**
 * Fail unless a survey is in the signed log of its collector.
 *
 * @param {string} collector its address, as for openClient.
 * @param {{ readonly digest: string }} survey
 * @param {string} key of the log, a modulus in base64url.
 * @param {Head} [seen] the head of the log at an earlier time.
 * @returns {Promise<PublicLog>}
 * @throws {CollectorUnreachable} no answer came.
 * @throws {CollectorRefused} there is no log.
 * @throws {InvalidLog} as checkLog does.
 * @throws {NotInLog} the survey is not in it.
 */
export async function requireInLog(collector, { digest }, key, seen) {
  const document = accepted(await ask(`${readAddress(collector)}/log`, {}));
  return checkLog(document, { survey: digest, key, ...(seen && { seen }) });
}

/** @param {Uint8Array} document */
function readLog(document) {
  const value = parsed(document);
  if (!canonical.isObject(value) || Object.keys(value).sort().join() !== KEYS || value.log !== FORMAT) {
    throw new InvalidLog(`a log is an object of the form ${FORMAT}, and this is not one`);
  }
  const { size, head, entries, signature } = /** @type {{ [key: string]: any }} */ (value);
  if (!Array.isArray(entries) || !entries.every((each) => isText(each, DIGEST))) {
    throw new InvalidLog("an entry of the log is not a digest of 64 lower-case hex digits");
  }
  if (signature !== null && !isText(signature, SIGNATURE)) {
    throw new InvalidLog("the signature of the log is not one; allowed are 256 bytes in base64url");
  }
  return { size, head, entries, signature };
}

/** @param {Uint8Array} document @returns {JSONValue} */
function parsed(document) {
  try {
    return canonical.parse(document);
  } catch (error) {
    if (!(error instanceof canonical.NotCanonical)) throw error;
    throw new InvalidLog(`not a log: ${error.message}`);
  }
}

/** @param {unknown} value @param {RegExp} pattern */
function isText(value, pattern) {
  return typeof value === "string" && pattern.test(value);
}

/** @param {PublicLog} log @param {string} key */
async function checkSignature({ head, signature }, key) {
  if (!isText(key, KEY)) {
    throw new InvalidLog(
      "got a text that is not the key of a log; allowed are the 342 characters that `deniable log " +
        "key` printed",
    );
  }
  if (signature === null) {
    throw new InvalidLog("the head of the log is not signed, and a signature is required");
  }
  const text = `${HEAD_LABEL}{"head":"${head.digest}","size":${head.size}}`;
  const signed = canonical.hex(new TextEncoder().encode(text));
  if (!(await verify(await tokenKey(fromBase64url(key)), signed, fromBase64url(signature)))) {
    throw new InvalidLog("the head of the log was not signed with the key that is required");
  }
}
