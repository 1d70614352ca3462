/** From answers to a report that is kept: checked, randomized once, written. */

import { drawBlocks, randomize, requireChecked } from "../device.js";
import { Report } from "../report.js";
import { checkCap } from "../survey/published.js";
import { keyOf, shed } from "./entry.js";
import { refuseBeyond, refuseSecond, weightsOf } from "./ledger.js";

/** @import { Answers } from "../answers.js" */
/** @import { ReadBytes } from "../randomness.js" */
/** @import { PublishedSurvey } from "../survey/published.js" */
/** @import { Entry } from "./entry.js" */
/** @import { CheckedOptions } from "./options.js" */
/** @import { Records } from "./records.js" */

/**
 * What a client submits with.
 *
 * @typedef {object} Submitting
 * @property {CheckedOptions} options
 * @property {Records} records
 * @property {ReadBytes} readBytes
 */

/**
 * What a respondent hands over.
 *
 * @typedef {object} Submission
 * @property {PublishedSurvey} survey
 * @property {Answers} answers
 * @property {readonly string[] | undefined} blocks
 * @property {"first" | "edition" | undefined} again
 */

/**
 * The report of a submission, once it is kept; nothing else may be kept
 * meanwhile.
 *
 * @param {Submitting} submitting
 * @param {Submission} submission
 */
export async function keptReport({ options, records, readBytes }, submission) {
  const { survey, answers, blocks, again } = submission;
  const { collector, epsilonCap, overallCap, log } = options;
  requireChecked(survey);
  const key = keyOf(collector, survey.digest);
  const entries = await records.entries();
  const first = entries.find((entry) => entry.key === key);
  if (again === "first" && first?.body) return reportOf(first.body);
  refuseSecond(entries, collector, survey, again === "edition");
  checkCap(survey, epsilonCap);
  refuseBeyond(entries, survey, overallCap);
  const asked = blocks ?? drawBlocks(survey, readBytes);
  const report = randomize(survey, answers, asked, readBytes);
  /** @type {Entry} */
  const entry = {
    key,
    order: (entries.at(-1)?.order ?? 0) + 1,
    collector,
    slug: survey.slug,
    survey: survey.digest,
    report: report.id,
    weights: weightsOf(survey, asked),
    body: new TextDecoder().decode(report.toBytes()),
    state: "queued",
    status: 0,
    reason: "",
    tries: 0,
    nextTry: 0,
    isAsked: false,
  };
  // Two tabs without a lock can meet here; the second one's report is let go.
  if (!(await records.add(entry))) refuseSecond(await records.entries(), collector, survey, false);
  log({ event: "queued", report: report.id });
  for (const changed of shed([...entries, entry])) {
    await records.replace(changed);
    if (changed.state === "dropped") log({ event: "dropped", report: changed.report });
  }
  return report;
}

/** @param {string} body */
function reportOf(body) {
  const { survey, report, answers } = JSON.parse(body);
  return new Report(survey, report, answers);
}
