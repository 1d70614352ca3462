/** Clients in memory for tests, and the surveys they answer. */

import * as canonical from "../../../../client_sdk/javascript/src/canonical.js";
import {
  ManualClock,
  openTestClient,
  recordingTransport,
  stored,
} from "../../../../client_sdk/javascript/src/testing.js";
import { surveyDocument } from "../building.js";

/** @import { Outcome } from "../../../../client_sdk/javascript/src/client/transport.js" */
/** @import { Options } from "../../../../client_sdk/javascript/src/client/options.js" */
/** @import { Client } from "../../../../client_sdk/javascript/src/client.js" */

export const COLLECTOR = "https://collector.example";
export const START = Date.UTC(2026, 0, 1);

/**
 * The published bytes of a survey of one yes-no question, at epsilon 1.
 *
 * @param {string} slug
 * @param {(document: any) => void} [edit]
 */
export function surveyBytes(slug, edit = () => {}) {
  const document = { ...surveyDocument(), slug };
  edit(document);
  return canonical.encode(document);
}

/**
 * A client and all that stands around it.
 *
 * @param {object} [given]
 * @param {readonly Uint8Array<ArrayBuffer>[]} [given.surveys]
 * @param {(body: Uint8Array, count: number) => Outcome} [given.answer]
 * @param {Partial<Options>} [given.options]
 */
export async function openedClient({ surveys = [surveyBytes("health")], answer, options } = {}) {
  const transport = recordingTransport({ surveys, ...(answer && { answer }) });
  const clock = new ManualClock(START);
  /** @type {object[]} */
  const logged = [];
  const client = await openTestClient({
    collector: COLLECTOR,
    consent: true,
    transport,
    clock,
    log: (event) => logged.push(event),
    ...options,
  });
  return { client, clock, transport, logged };
}

/**
 * An answer of a collector that is down until it has been asked so often.
 *
 * @param {number} failures
 * @param {Outcome | Error} failure
 * @returns {(body: Uint8Array, count: number) => Outcome}
 */
export function failing(failures, failure) {
  return (body, count) => {
    if (count > failures) return stored(body);
    if (failure instanceof Error) throw failure;
    return failure;
  };
}

/** Let all that is under way in memory come to its end. */
export async function settled() {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Answer a survey, and wait until it was tried.
 *
 * @param {Client} client
 * @param {string} [slug]
 */
export async function submitted(client, slug = "health") {
  const report = await client.submit(await client.getSurvey(slug), {});
  await settled();
  return report;
}
