/**
 * One answered survey on this device: what it spent, and its report's way out.
 *
 * Queue and ledger are one record, so that no store can keep the one and lose
 * the other. It holds randomized bytes only, and no time but the day on which
 * they were drawn, which never leaves the device.
 */

import { Report } from "../report.js";

/** @import { JSONValue } from "../canonical.js" */
/** @import { Clock } from "./options.js" */
/** @import { PublishedSurvey } from "../survey/published.js" */
/** @import { Token } from "../report.js" */
/** @import { Weights } from "../weights.js" */

/**
 * Where a report stands: held is kept and not sent until the person decides;
 * declined is one that they decided not to send; dropped, one there was no more
 * room for.
 *
 * @typedef {"held" | "waiting" | "sent" | "refused" | "dropped" | "declined"} State
 */

/**
 * The blocks that this device is asked of a survey, from the draw on.
 *
 * @typedef {{ key: string, survey: string, blocks: readonly string[], sum?: number }} Drawn
 */

/**
 * What a device keeps until it has its token: the message is in base64url.
 * Whoever has it can match the message and the token. The code is a digest of the
 * survey's and of the one that it is sent with.
 *
 * @typedef {{ group: string, nonce: string, message: string, inverse: string, code?: string }} TokenRequest
 */

/**
 * The token of an invited person, or the request for it.
 *
 * @typedef {{ key: string, survey: string, invitation: Token | TokenRequest, sum?: number }} Invitation
 */

/**
 * Plain JSON, so that any store can keep it.
 *
 * @typedef {object} Entry
 * @property {string} key its survey's digest: a second report to the same
 *   survey finds it taken, whatever the collector's address.
 * @property {number} order 1 for the first, and so on.
 * @property {string} collector
 * @property {string} slug
 * @property {string} survey the digest.
 * @property {readonly string[]} blocks those that were asked.
 * @property {number} day on which it was drawn, in days since 1970.
 * @property {string} report the report's id.
 * @property {readonly Weights[]} weights exactly what it spent: epsilon is the
 *   sum of ln(high / low).
 * @property {string | null} body the report as it is sent, in ASCII; null once
 *   it was declined, or there was no more room for it.
 * @property {State} state
 * @property {number} [status] the HTTP status that settled it, or of the last
 *   try; 0 for no answer.
 * @property {string} [reason] why it was refused.
 * @property {number} tries
 * @property {number} nextTry not before this time, in milliseconds.
 * @property {boolean} isAsked whether the collector asked to wait so long.
 * @property {Panel} panel
 * @property {{ readonly [signature: string]: JSONValue }} fixed what was reported for
 *   fixed blocks, by what each is known by: it stays without the
 *   body, and is reported again where the same is asked again.
 * @property {number} [sum] a check sum of the rest, but for what is about trying again.
 */

/**
 * Which wave of how many was answered, and the epsilon that each claimed.
 *
 * @typedef {{ wave: number, waves: number, epsilon: string }} Panel
 */

const DAY_MS = 86_400_000;
const MOST_BODIES = 100;
const MOST_BYTES = 1_000_000;

/**
 * The entry of this survey, whichever address it was answered at.
 *
 * @param {readonly Entry[]} entries
 * @param {{ readonly digest: string }} survey
 */
export function entryOf(entries, { digest }) {
  return entries.find(({ survey }) => survey === digest);
}

/**
 * The report of an entry; null where its bytes are gone.
 *
 * @param {Entry | undefined} entry
 */
export function reportOf(entry) {
  if (!entry?.body) return null;
  const { survey, report, values, token, group } = JSON.parse(entry.body);
  return new Report(survey, report, values, token, group);
}

/**
 * The day that it is, in days since 1970.
 *
 * @param {Clock} clock
 */
export function dayOf(clock) {
  return Math.floor(clock.now() / DAY_MS);
}

/**
 * What an entry says of a survey, before there is a report.
 *
 * @param {{ collector: string, clock: Clock }} options
 * @param {PublishedSurvey} survey
 */
export function placeOf({ collector, clock }, { slug, digest, wave, waves, epsilon }) {
  return { collector, slug, survey: digest, day: dayOf(clock), panel: { wave, waves, epsilon } };
}

/**
 * The entries that must change for the rest to fit, as they will be.
 *
 * Reports that wait are kept before those that are settled, and new ones
 * before old ones.
 *
 * @param {readonly Entry[]} entries
 * @returns {Entry[]}
 */
export function shed(entries) {
  const held = entries.filter((entry) => entry.body !== null);
  held.sort((one, other) => waits(other) - waits(one) || other.order - one.order);
  let bytes = 0;
  return held.flatMap((entry, index) => {
    bytes += entry.body?.length ?? 0;
    if (index < MOST_BODIES && bytes <= MOST_BYTES) return [];
    return { ...entry, body: null, state: waits(entry) ? "dropped" : entry.state };
  });
}

/** @param {Entry} entry */
function waits(entry) {
  return Number(entry.state === "held" || entry.state === "waiting");
}
