/** An invited person's token, how many of the group have one, and when a report is on its way. */

import { digest, encode } from "../canonical.js";
import { DeniableError, nameErrors } from "../errors.js";
import { finishToken, readCode, requestToken } from "../invitation.js";
import { SMALL_GROUP } from "../survey/groups.js";
import { ALONE } from "./client.js";
import { entryOf } from "./entry.js";
import { LONGEST_ASKED_MS, partOf } from "./retry.js";
import { accepted, ask, membersOf, post } from "./transport.js";

/** @import { Token } from "../report.js" */
/** @import { Invited } from "../survey/fieldwork.js" */
/** @import { PublishedSurvey } from "../survey/published.js" */
/** @import { Client } from "./client.js" */
/** @import { Invitation, State, TokenRequest } from "./entry.js" */
/** @import { Start } from "./submitting.js" */

const PATIENCE_MS = 5_000;

/** The invitation is for another site of the survey, whose name is `site`. */
export class OtherSite extends DeniableError {
  /**
   * @param {string} site
   * @param {string} message
   */
  constructor(site, message) {
    super(message);
    this.site = site;
  }
}

/**
 * The group of an invited person, once this device has their token.
 *
 * The request is kept before it is sent, so that a lost answer can be asked for
 * again; it is wiped once the token is there. After a failure, call it again
 * with the same code.
 *
 * @param {Client} client
 * @param {PublishedSurvey} survey a survey by invitation.
 * @param {string} code of the invitation.
 * @param {string | null} [site] the name of the collector's site, where that is known: a code
 *   for another site is not used up here.
 * @returns {Promise<string>}
 * @throws {InvalidCode} the text is no code.
 * @throws {CollectorUnreachable} no answer came from the issuer.
 * @throws {CollectorRefused} the issuer does not know the code, has signed
 *   another token for it, or signs no more.
 * @throws {InvalidToken} the issuer's signature does not fit; nothing of it was kept.
 * @throws {OtherSite} this collector would refuse the report; the code can still be used.
 * @throws {StorageUnavailable} nothing was kept.
 */
export async function collectToken(client, survey, code, site) {
  const asking = { survey: survey.digest, code: readCode(code) };
  const knownBy = await digest(encode(asking));
  // The request of another code may be for another group, whose key signs no other message.
  const fits = (/** @type {any} */ found) => found?.document || found?.code === knownBy;
  let kept = await keptOf(client, survey);
  if (!fits(kept)) {
    const { group } = await askIssuer(survey, "codes", asking);
    const own = survey.invited?.groups.find(({ id }) => id === group)?.site;
    if (site && own && own !== site) {
      throw new OtherSite(own, `the invitation is for the site ${own}, and this is ${site}; report there`);
    }
    const request = { ...(await requestToken(survey, String(group))), code: knownBy };
    kept = await client[ALONE](async ({ records }) => {
      const now = await records.keptOf(survey.digest, "invitation");
      // Another tab may have been first.
      if (fits(now)) return now;
      const record = invitation(survey, request);
      (await records.replace(record)) || (await records.add(record));
      return request;
    });
  }
  if (kept.document) return kept.document.group;
  const { signature } = await askIssuer(survey, "tokens", { ...asking, blinded: kept.message });
  const token = await finishToken(survey, kept, String(signature));
  await client[ALONE](({ records }) => records.replace(invitation(survey, token)));
  return kept.group;
}

/**
 * The group whose token this device has; undefined if it has none.
 *
 * @param {Client} client
 * @param {PublishedSurvey} survey
 * @returns {Promise<string | undefined>}
 */
export async function groupOf(client, survey) {
  return (await keptOf(client, survey))?.document?.group;
}

/** @param {Client} client @param {PublishedSurvey} survey */
function keptOf(client, { digest }) {
  return client[ALONE](({ records }) => records.keptOf(digest, "invitation"));
}

/**
 * What a device keeps of an invitation.
 *
 * @param {PublishedSurvey} survey
 * @param {Token | TokenRequest} kept
 * @returns {Invitation}
 */
export function invitation({ digest }, kept) {
  return { key: `invitation ${digest}`, survey: digest, invitation: kept };
}

/**
 * @param {PublishedSurvey} survey
 * @param {"codes" | "tokens"} what
 * @param {object} document
 */
async function askIssuer({ invited }, what, document) {
  const { issuer } = /** @type {Invited} */ (invited);
  const answer = await post(`${issuer}/api/${what}`, JSON.stringify(document));
  return membersOf(accepted(answer, "issuer"));
}

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

nameErrors({ FewCollected, OtherSite });

/**
 * How many people of this person's group have collected a token; null while
 * that is not known, as without a network.
 *
 * The issuer is asked once collecting is over, and not before: nobody needs to
 * know then who is about to answer.
 *
 * @param {Client} client
 * @param {PublishedSurvey} survey
 * @param {number} [now] in milliseconds since 1970; by the client's clock if left out.
 * @returns {Promise<number | null>}
 */
export async function tokenCount(client, survey, now) {
  const { invited } = survey;
  const own = await groupOf(client, survey);
  const { clock } = await client[ALONE](async (parts) => parts);
  if (!own || !(Date.parse(invited?.collect_until ?? "") <= (now ?? clock.now()))) return null;
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
  const count = await tokenCount(client, survey);
  if (count !== null && count < SMALL_GROUP && count !== shown) throw new FewCollected(count);
  if (sendsAtOnce) return {};
  const begin = Math.max(clock.now(), Date.parse(window?.opens ?? "") || 0);
  const left = (Date.parse(window?.closes ?? "") || Infinity) - begin;
  const most = Math.max(0, Math.min(LONGEST_ASKED_MS, left / 2));
  return { nextTry: begin + partOf(most, readBytes), isAsked: true };
}
