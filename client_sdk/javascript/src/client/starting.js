/** When an invited person's report is on its way, and what they are told before. */

import { DeniableError, nameErrors } from "../errors.js";
import { SMALL_GROUP } from "../survey/fieldwork.js";
import { ALONE } from "./client.js";
import { groupOf } from "./collecting.js";
import { entryOf } from "./entry.js";
import { LONGEST_ASKED_MS, partOf } from "./retry.js";
import { ask, membersOf } from "./transport.js";

/** @import { PublishedSurvey } from "../survey/published.js" */
/** @import { Client } from "./client.js" */
/** @import { State } from "./entry.js" */
/** @import { Start } from "./submitting.js" */

const PATIENCE_MS = 5_000;

/**
 * Few people of the group have collected a token; `count` is how many.
 *
 * Nothing was drawn or sent. Show the number, ask the person again, and pass it
 * as `collected`.
 */
export class FewCollected extends DeniableError {
  /** @param {number} count */
  constructor(count) {
    super(
      `only ${count} people of the group have a token; show it, ask again, and pass it as ` +
        "collected",
    );
    this.count = count;
  }
}

nameErrors({ FewCollected });

/**
 * How many people of this person's group have collected a token; null while
 * that is not known, as without a network.
 *
 * The issuer is asked once collecting is over, and not before: nobody needs to
 * know then who is about to answer.
 *
 * @param {Client} client
 * @param {PublishedSurvey} survey
 * @returns {Promise<number | null>}
 */
export async function collected(client, survey) {
  const { invited } = survey;
  const own = await groupOf(client, survey);
  const { clock } = await client[ALONE](async (parts) => parts);
  if (!own || !(Date.parse(invited?.collect_until ?? "") <= clock.now())) return null;
  try {
    const { groups } = await statusOf(survey, AbortSignal.timeout(PATIENCE_MS));
    return groups.find((/** @type {any} */ group) => group.id === own).collected ?? null;
  } catch {
    return null;
  }
}

/**
 * What the issuer says to everybody about a survey.
 *
 * @param {PublishedSurvey} survey
 * @param {AbortSignal} [signal]
 */
export async function statusOf({ digest, invited }, signal) {
  const { body } = await ask(`${invited?.issuer}/api/surveys/${digest}`, { signal });
  return membersOf(body);
}

/**
 * When a report is tried first: after a random time, so that the moment of
 * sending says nothing about the moment at which the token was collected.
 *
 * The time is up to a day from when the survey opens, and at most half of what
 * is left until it closes.
 *
 * @param {Client} client
 * @param {PublishedSurvey} survey
 * @param {number} [shown] how many the person knows to have collected.
 * @param {State} [from] the state that the report must have; left out for a new one.
 * @returns {Promise<Start>}
 * @throws {FewCollected} the person does not know how few they are.
 */
export async function start(client, survey, shown, from) {
  const { invited, window } = survey;
  const { clock, readBytes, sendsAtOnce, records } = await client[ALONE](async (parts) => parts);
  const state = entryOf(await records.entries(), survey)?.state;
  if (!invited || state !== from) return {};
  const count = await collected(client, survey);
  if (count !== null && count < SMALL_GROUP && count !== shown) throw new FewCollected(count);
  if (sendsAtOnce) return {};
  const begin = Math.max(clock.now(), Date.parse(window?.opens ?? "") || 0);
  const left = (Date.parse(window?.closes ?? "") || Infinity) - begin;
  const most = Math.max(0, Math.min(LONGEST_ASKED_MS, left / 2));
  return { nextTry: begin + partOf(most, readBytes), isAsked: true };
}
