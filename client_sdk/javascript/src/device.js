/** What happens on the respondent's device: draw blocks, randomize answers. */

import { followRouting, readAnswers } from "./survey/routing.js";
import { hex, kind } from "./canonical.js";
import { REPORT_ID_BYTES, RandomIntegers } from "./randomness.js";
import { Report } from "./report.js";
import { PublishedSurvey } from "./survey/published.js";

/** @import { Block } from "./survey/block.js" */
/** @import { Answers } from "./survey/routing.js" */
/** @import { JSONValue } from "./canonical.js" */
/** @import { ReadBytes } from "./randomness.js" */
/** @import { Token } from "./report.js" */

/**
 * The ids of the blocks this respondent is asked, in the survey's order.
 *
 * Every choice of `survey.asked` blocks is equally likely, or each block as likely as its
 * `draw` says, and none depends on an answer. Where all blocks are asked nothing is drawn.
 *
 * @param {PublishedSurvey} survey
 * @param {ReadBytes} [readBytes] crypto.getRandomValues if left out.
 */
export function drawBlocks(survey, readBytes) {
  const { asked, blocks } = survey;
  if (asked === blocks.length) return blocks.map((block) => block.id);
  const integers = new RandomIntegers(readBytes, asked);
  let left = blocks.reduce((sum, { draw }) => sum + draw, 0);
  if (left) {
    left = integers.below(left);
    return [/** @type {Block} */ (blocks.find(({ draw }) => (left -= draw) < 0)).id];
  }
  const drawn = integers.sample(blocks.length, asked);
  return blocks.filter((_, index) => drawn.includes(index)).map((block) => block.id);
}

/**
 * One report of these answers: call it once and keep only the report.
 *
 * A second call on the same answers is a second report and spends epsilon
 * again; to try sending again, send the same report. All answers are checked
 * before anything is drawn.
 *
 * @param {PublishedSurvey} survey the published survey, from openSurvey.
 * @param {Answers} answers those that no drawn block asks for, nor depends on,
 *   are ignored, as are those to questions that are not reached.
 * @param {readonly string[] | null} [blocks] what drawBlocks gave; drawn here
 *   if left out.
 * @param {ReadBytes} [readBytes] crypto.getRandomValues if left out.
 * @param {Token} [token] of an invited respondent, from finishToken.
 * @param {string} [group] that the link of the respondent gave, in a survey with groups by link.
 * @throws {InvalidAnswer} an answer does not fit, or the survey has no such
 *   question. The message leaves the answer out.
 * @throws {RangeError} the survey is by invitation and there is no token of
 *   it, or everybody may answer and there is one; or no link gives this group.
 */
export function randomize(survey, answers, blocks, readBytes, token, group) {
  requireChecked(survey);
  const asked = blocks ?? drawBlocks(survey, readBytes);
  return randomizeReusing(new Map(), survey, answers, asked, readBytes, token, group);
}

/**
 * One report, as randomize makes it, with the values of some blocks given.
 *
 * For the client alone, which knows that they were drawn on this device for
 * the same answers. Nothing is drawn for them, and their answers are ignored.
 *
 * @param {ReadonlyMap<string, JSONValue>} kept values by the ids of blocks.
 * @param {PublishedSurvey} survey
 * @param {Answers} answers
 * @param {readonly string[]} blocks
 * @param {ReadBytes} [readBytes]
 * @param {Token} [token]
 * @param {string} [group]
 */
export function randomizeReusing(kept, survey, answers, blocks, readBytes, token, group) {
  const { digest, invited, groups } = survey;
  if (token?.survey !== (invited && digest)) throw new RangeError("the token does not fit");
  const ids = (!invited && groups?.map(({ id }) => id)) || [];
  if (group !== undefined && !ids.includes(group)) {
    throw new RangeError(`no link gives this group; allowed are: ${ids}`);
  }
  const fresh = askedBlocks(survey, blocks).filter(({ id }) => !kept.has(id));
  const given = followRouting(survey, fresh, readAnswers(survey, answers));
  const prepared = fresh.map((block) => ({ ...block, encoded: block.encode(given) }));
  const draws = prepared.reduce((sum, { mechanism }) => sum + mechanism.draws, 0);
  const integers = new RandomIntegers(readBytes, draws, token ? 0 : REPORT_ID_BYTES);
  const drawn = prepared.map(({ id, mechanism, encoded }) => [
    id,
    mechanism.randomize(encoded, integers),
  ]);
  const reused = [...kept].filter(([id]) => blocks.includes(id));
  const values = Object.fromEntries([...drawn, ...reused]);
  return new Report(digest, token?.report ?? hex(integers.lead), values, token?.document, group);
}

/**
 * Fail unless this is a survey that was checked when it was opened.
 *
 * @param {unknown} survey
 */
export function requireChecked(survey) {
  if (!(survey instanceof PublishedSurvey)) {
    throw new TypeError(`got ${kind(survey)}; allowed is a survey from openSurvey`);
  }
}

/** @param {PublishedSurvey} survey @param {readonly string[]} chosen */
function askedBlocks(survey, chosen) {
  const asked = survey.blocks.filter((block) => chosen.includes(block.id));
  if (asked.length !== chosen.length || asked.length !== survey.asked) {
    throw new RangeError(
      `got ${chosen.length} blocks; allowed are exactly ${survey.asked} of: ` +
        `${survey.blocks.map((block) => block.id).join(", ")}; draw them with drawBlocks`,
    );
  }
  return asked;
}
