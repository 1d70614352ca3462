/** From answers to a report that is kept: checked, randomized once, written. */

import { drawBlocks, randomizeReusing, requireChecked } from "../device.js";
import { entryOf, placeOf, reportOf, shed } from "./entry.js";
import { fixedBlocks } from "./fixed.js";
import { refuseSecond, refuseTooMuch } from "./ledger.js";

/** @import { Answers } from "../survey/routing.js" */
/** @import { ReadBytes } from "../randomness.js" */
/** @import { Report } from "../report.js" */
/** @import { PublishedSurvey } from "../survey/published.js" */
/** @import { Entry, State } from "./entry.js" */
/** @import { CheckedOptions } from "./options.js" */
/** @import { Records } from "./records.js" */

/**
 * What a client submits with.
 *
 * @typedef {CheckedOptions & { records: Records, readBytes: ReadBytes }} Submitting
 */

/**
 * When a report is tried first, where that is not at once.
 *
 * @typedef {Partial<Pick<Entry, "nextTry" | "isAsked">>} Start
 */

/**
 * What decides, before a report is on its way, when it is tried first; a module
 * adds it for surveys that not every app answers.
 *
 * @type {((client: any, survey: PublishedSurvey, collected?: number, from?: State) => Promise<Start>)[]}
 */
export const STARTS = [];

/**
 * What a respondent hands over.
 *
 * @typedef {object} Submission
 * @property {PublishedSurvey} survey
 * @property {Answers} answers
 * @property {readonly string[] | undefined} blocks
 * @property {"first" | "edition"} [again]
 * @property {boolean} [hold]
 * @property {Start | undefined} start
 * @property {string} [group]
 */

/**
 * The blocks of this survey that the device is asked, and those of them whose
 * values it has reported before.
 *
 * Drawn once: the next call returns the same blocks.
 *
 * @param {Submitting} submitting
 * @param {PublishedSurvey} survey
 */
export async function keptBlocks(submitting, survey) {
  const { entries, drawn, kept } = await opened(submitting, survey);
  if (!entryOf(entries, survey)) refuseTooMuch(entries, survey, submitting, kept);
  const { records, readBytes } = submitting;
  const { digest } = survey;
  /** @type {readonly string[]} */
  let blocks = drawn ?? drawBlocks(survey, readBytes);
  // Where all are asked, there is nothing to remember.
  if (!drawn && blocks.length < survey.blocks.length) {
    await records.add({ key: `asked ${digest}`, survey: digest, blocks });
    // Another process may have drawn first.
    blocks = (await records.keptOf(digest, "blocks")) ?? blocks;
  }
  return { blocks, kept };
}

/**
 * The report of a submission, once it is kept; nothing else may be kept
 * meanwhile.
 *
 * @param {Submitting} submitting
 * @param {Submission} submission
 * @returns {Promise<Report | undefined>} undefined, and nothing kept, if another
 *   process is at work.
 */
export async function keptReport(submitting, submission) {
  const { survey, answers, hold, start, group } = submission;
  const { entries, drawn, signatures, kept } = await opened(submitting, survey);
  const { records, readBytes, collector, log } = submitting;
  const first = firstReport(entries, collector, submission);
  if (first) return first;
  refuseTooMuch(entries, survey, submitting, kept);
  /** @type {readonly string[]} */
  const blocks = submission.blocks ?? drawn ?? drawBlocks(survey, readBytes);
  if (drawn && blocks.some((id) => !drawn.includes(id))) {
    throw new RangeError(`got the blocks ${blocks}; allowed are ${drawn}, as drawn`);
  }
  const token = survey.invited && (await records.keptOf(survey.digest, "invitation"));
  const report = randomizeReusing(kept, survey, answers, blocks, readBytes, token, group);
  const fresh = blocks.filter((id) => !kept.has(id));
  const place = placeOf(submitting, survey);
  /** @type {Entry} */
  const entry = {
    ...place,
    // No earlier than what was drawn before: clocks are set back, and right again.
    day: Math.max(place.day, ...entries.map(({ day }) => day)),
    key: survey.digest,
    order: (entries.at(-1)?.order ?? 0) + 1,
    blocks,
    report: report.id,
    weights: fresh.flatMap((id) => survey.block(id).mechanism.spends),
    body: new TextDecoder().decode(report.toBytes()),
    state: hold ? "held" : "waiting",
    tries: 0,
    nextTry: 0,
    isAsked: false,
    ...start,
    fixed: Object.fromEntries(
      blocks.flatMap((id) => (signatures.has(id) ? [[signatures.get(id), report.values[id]]] : [])),
    ),
  };
  if (!(await records.add(entry))) {
    // Two processes met here, or the storage was cleared meanwhile; this report is let go of.
    return firstReport(await records.entries(), collector, submission);
  }
  log({ event: entry.state, report: report.id });
  for (const changed of shed([...entries, entry])) {
    await records.replace(changed);
    if (changed.state === "dropped") log({ event: "dropped", report: changed.report });
  }
  return report;
}

/**
 * Whether a report was held, and now is what the person has decided.
 *
 * @param {Submitting} submitting
 * @param {{ readonly digest: string }} survey
 * @param {"waiting" | "declined"} state
 * @param {Start} [start]
 */
export async function decided({ records, collector, log }, survey, state, start) {
  const entry = entryOf(await records.entries(), survey);
  if (entry?.state !== "held") return false;
  // It goes to the address at which the person has decided.
  const change = state === "waiting" ? { ...start, collector } : { body: null };
  await records.replace({ ...entry, ...change, state });
  log({ event: state, report: entry.report });
  return true;
}

/**
 * The report that the device has of this survey, if that is asked for.
 *
 * @param {readonly Entry[]} entries
 * @param {string} collector
 * @param {Submission} submission
 * @returns {Report | undefined} undefined if there is none.
 * @throws {AlreadyAnswered} there is one, and it is not asked for.
 */
function firstReport(entries, collector, { survey, again }) {
  const first = again === "first" && reportOf(entryOf(entries, survey));
  if (first) return first;
  refuseSecond(entries, collector, survey, again === "edition");
}

/** @param {Submitting} submitting @param {PublishedSurvey} survey */
async function opened({ records, collector }, survey) {
  requireChecked(survey);
  const entries = await records.entries();
  const fixed = await fixedBlocks(entries, collector, survey);
  return { ...fixed, entries, drawn: await records.keptOf(survey.digest, "blocks") };
}
