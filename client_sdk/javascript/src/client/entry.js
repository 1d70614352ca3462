/**
 * One answered survey on this device: what it spent, and its report's way out.
 *
 * Queue and ledger are one record, so that no store can keep the one and lose
 * the other. It holds randomized bytes only, and no time at which anything
 * was answered.
 */

/** @import { JSONValue } from "../canonical.js" */
/** @import { Report } from "../report.js" */
/** @import { PublishedSurvey } from "../survey/published.js" */

/** @typedef {"queued" | "sent" | "refused" | "dropped"} State */

/**
 * Plain JSON, so that any store can keep it.
 *
 * @typedef {object} Entry
 * @property {string} key its collector and its survey: a second report to the
 *   same survey finds it taken.
 * @property {number} order 1 for the first, and so on.
 * @property {string} collector
 * @property {string} slug
 * @property {string} survey the digest.
 * @property {string} report the report's id.
 * @property {readonly (readonly [string, string])[]} weights what it spent:
 *   favoured and base of each part, as decimal texts.
 * @property {string | null} body the report as it is sent, in ASCII; null once
 *   there was no more room for it.
 * @property {State} state
 * @property {number} status the HTTP status that settled it, or of the last
 *   try; 0 for none.
 * @property {string} reason why it was refused.
 * @property {number} tries
 * @property {number} nextTry not before this time, in milliseconds.
 * @property {boolean} isAsked whether the collector asked to wait so long.
 * @property {Panel} [panel] missing in entries of earlier versions.
 * @property {{ readonly [signature: string]: JSONValue | undefined }} [fixed] what was
 *   reported for fixed blocks, by what each is known by: it stays without the
 *   body, and is reported again where the same is asked again.
 */

/**
 * Which wave of how many was answered, and the epsilon that each claimed.
 *
 * @typedef {{ wave: number, waves: number, epsilon: string }} Panel
 */

const MOST_BODIES = 100;
const MOST_BYTES = 1_000_000;

/**
 * The key of a survey's entry.
 *
 * @param {string} collector
 * @param {string} survey
 */
export function keyOf(collector, survey) {
  return `${collector} ${survey}`;
}

/**
 * The entries of a survey and of its other editions, the first one first.
 *
 * @param {readonly Entry[]} entries
 * @param {string} collector
 * @param {PublishedSurvey} survey
 */
export function editionsOf(entries, collector, { slug }) {
  return entries.filter((entry) => entry.collector === collector && entry.slug === slug);
}

/**
 * The entry of a report that was just made, but for what it says of fixed blocks.
 *
 * @param {string} collector
 * @param {PublishedSurvey} survey
 * @param {Report} report
 * @param {Entry["weights"]} weights
 * @param {number} order
 */
export function newEntry(collector, survey, report, weights, order) {
  const { wave, waves, epsilon } = survey;
  return {
    key: keyOf(collector, survey.digest),
    order,
    collector,
    slug: survey.slug,
    survey: survey.digest,
    report: report.id,
    weights,
    body: new TextDecoder().decode(report.toBytes()),
    state: /** @type {const} */ ("queued"),
    status: 0,
    reason: "",
    tries: 0,
    nextTry: 0,
    isAsked: false,
    panel: { wave, waves, epsilon },
    /** @type {{ [signature: string]: JSONValue | undefined }} */
    fixed: {},
  };
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
  return held.flatMap((entry, place) => {
    bytes += entry.body?.length ?? 0;
    if (place < MOST_BODIES && bytes <= MOST_BYTES) return [];
    const state = waits(entry) ? /** @type {const} */ ("dropped") : entry.state;
    return [{ ...entry, body: null, state }];
  });
}

/** @param {Entry} entry */
function waits(entry) {
  return Number(entry.state === "queued");
}
