/**
 * For servers that accept reports: read them, and check that they are legal.
 *
 * Those of surveys by invitation are refused: their tokens are checked by the
 * collector alone.
 */

import * as canonical from "./canonical.js";
import { InvalidReport, few } from "./errors.js";
import { InvalidValue, checkValue } from "./mechanisms/values.js";
import { FORMAT, Report } from "./report.js";

/** @import { JSONValue } from "./canonical.js" */
/** @import { Block } from "./survey/block.js" */
/** @import { PublishedSurvey } from "./survey/published.js" */

const KEYS = ["format", "report", "survey", "values"];
const DIGEST = /^[0-9a-f]{64}$/;
const REPORT_ID = /^[0-9a-f]{32}$/;

/**
 * The report in JSON bytes, its form checked but not its values.
 *
 * @param {Uint8Array} bytes
 * @throws {InvalidReport}
 */
export function readReport(bytes) {
  try {
    return reportFromDocument(canonical.parse(bytes));
  } catch (error) {
    if (!(error instanceof canonical.NotCanonical)) throw error;
    throw new InvalidReport(`not a report: ${error.message}`);
  }
}

/**
 * The report in a JSON value, its form checked but not its values.
 *
 * @param {JSONValue} document
 * @throws {InvalidReport}
 */
export function reportFromDocument(document) {
  if (!canonical.isObject(document)) {
    throw new InvalidReport(`got ${canonical.kind(document)}; a report is an object`);
  }
  const { group, ...others } = document;
  if (Object.keys(others).sort().join() !== KEYS.join() || others.format !== FORMAT) {
    throw new InvalidReport(
      `a report has the keys ${KEYS.join(", ")} and no others, and its format is ${FORMAT}`,
    );
  }
  const { survey, report, values } = others;
  if (!(typeof survey === "string" && DIGEST.test(survey))) {
    throw new InvalidReport("survey: allowed is a digest of 64 lower-case hex digits");
  }
  if (!(typeof report === "string" && REPORT_ID.test(report))) {
    throw new InvalidReport("report: allowed is an id of 32 lower-case hex digits");
  }
  if (!canonical.isObject(values)) {
    throw new InvalidReport(`values: got ${canonical.kind(values)}; allowed is an object`);
  }
  if (group !== undefined && !(typeof group === "string" && group)) {
    throw new InvalidReport("group: allowed is the id of a group; leave it out for none");
  }
  return new Report(survey, report, values, undefined, group);
}

/**
 * Accept exactly the reports that a device can make for this survey.
 *
 * @param {Report} report
 * @param {PublishedSurvey} survey
 * @throws {InvalidReport}
 */
export function checkReport(report, survey) {
  if (report.survey !== survey.digest) {
    throw new InvalidReport(`survey: the report is for another survey than ${survey.digest}`);
  }
  if (survey.invited) {
    throw new InvalidReport("the survey is by invitation; send its reports to the collector");
  }
  const groups = survey.groups?.map(({ id }) => id) ?? [];
  if (report.group !== undefined && !groups.includes(report.group)) {
    throw new InvalidReport(`group: no link gives it; allowed are: ${few(groups)}`);
  }
  const known = new Map(survey.blocks.map((block) => [block.id, block]));
  const values = Object.entries(report.values);
  if (values.length !== survey.asked || !values.every(([id]) => known.has(id))) {
    throw new InvalidReport(
      `values: got ${values.length} blocks; allowed are exactly ${survey.asked} of: ` +
        few([...known.keys()]),
    );
  }
  for (const [id, value] of values) {
    try {
      checkValue(/** @type {Block} */ (known.get(id)).mechanism, value);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      throw new InvalidReport(`values.${id}: ${error.message}`);
    }
  }
}
