/** When a survey accepts reports, who is invited to answer it, and the groups that reports carry. */

import { parseCanonical } from "./decimals.js";
import { areLinked, readGroups } from "./groups.js";
import { KEYS, MAX_QUESTIONS, READERS } from "./structure.js";

/** @import { Block } from "./block.js" */
/** @import { Group } from "./groups.js" */
/** @import { Section } from "./reading.js" */

/**
 * When reports are accepted, in UTC, like "2026-12-06T17:00Z", how many, and how many are expected;
 * null where there is no limit. The collector's clock decides.
 *
 * @typedef {object} Window
 * @property {string | null} opens
 * @property {string | null} closes
 * @property {number | null} at_most_reports
 * @property {StopWhen | null} stop_when
 * @property {number | null} respondents
 * @property {"at_end" | null} results sealed if "at_end": nobody reads a result before the end
 */

/**
 * The collector closes the survey when half the width of the interval for
 * every look of each share of these questions is at most the margin, a decimal text.
 *
 * @typedef {{ readonly margin: string, readonly questions: readonly string[] }} StopWhen
 */

/**
 * Who may answer, and who signs their tokens until when.
 *
 * @typedef {object} Invited
 * @property {string} issuer
 * @property {string | null} collect_until
 * @property {boolean} small_groups
 * @property {readonly Group[]} groups
 */

KEYS.push("window", "invited", "groups");
READERS.push((survey, read) => {
  const window = survey.has("window") ? readWindow(survey.inner("window"), read.blocks) : undefined;
  const invited = survey.has("invited") ? readInvited(survey.inner("invited"), window) : undefined;
  if (invited && survey.has("groups")) survey.refuse("stands beside invited", "groups");
  const groups = invited?.groups ?? (survey.has("groups") ? readGroups(survey, "number") : []);
  if (groups.some((group) => areLinked(group.people, read))) {
    survey.refuse("the smallest group has too few people for the fixed blocks", "privacy", "blocks");
  }
  return { window, invited, groups };
});

const MAX_REPORTS = 1_000_000_000;
const HALF = 5_000;
const WINDOW_KEYS = ["opens", "closes", "at_most_reports", "stop_when", "respondents", "results"];
const AT_END = "at_end";
const MARGIN_RULE = "a decimal text above 0 and below 0.5";
const MOMENT_RULE = "a moment in UTC, like 2026-12-06T17:00Z";
const ISSUER = {
  pattern:
    /^(https:\/\/[a-z0-9][a-z0-9.-]{0,200}|http:\/\/localhost|http:\/\/127\.0\.0\.1)(:[0-9]{1,5})?(\/[a-z0-9._~-]{1,100}){0,5}$/,
  rule: "an address like https://example.org, in lower case and without a slash at the end",
};

/**
 * @param {Section} section
 * @param {readonly Block[]} blocks
 * @returns {Window}
 */
function readWindow(section, blocks) {
  section.refuseUnknown(WINDOW_KEYS);
  if (section.isObject && !WINDOW_KEYS.some((key) => section.has(key))) {
    section.refuse(`is empty; allowed are ${WINDOW_KEYS.join(", ")}`);
  }
  const window = {
    opens: readMoment(section, "opens"),
    closes: readMoment(section, "closes"),
    at_most_reports: readNumber(section, "at_most_reports"),
    stop_when: section.optional("stop_when", (inner) => readStopWhen(inner, blocks)),
    respondents: readNumber(section, "respondents"),
    results: section.has("results")
      ? section.read("results", AT_END, (value) => value === AT_END, null)
      : null,
  };
  if (window.results && window.stop_when) {
    section.refuse("needs results, which are sealed", "stop_when");
  }
  if (areReversed(window.opens, window.closes)) {
    section.refuse("is not after the survey opens", "closes");
  }
  return window;
}

/**
 * @param {Section} section
 * @param {string} key
 * @returns {number | null}
 */
function readNumber(section, key) {
  return section.has(key) ? section.integer(key, 1, MAX_REPORTS) : null;
}

/**
 * @param {Section} section
 * @param {readonly Block[]} blocks
 * @returns {StopWhen}
 */
function readStopWhen(section, blocks) {
  section.refuseUnknown(["margin", "questions"]);
  const members = section.members("questions", 1, MAX_QUESTIONS, "question ids");
  const ids = /** @type {readonly string[]} */ (members);
  // Others have no shares of options in the results.
  const asked = blocks.flatMap(({ mechanism, questions }) =>
    mechanism.name === "piecewise" ? [] : questions,
  );
  const questions = ids.filter((id) => asked.some((each) => each.id === id && "options" in each));
  if (new Set(questions).size < ids.length) {
    section.refuse("names a question twice, or one without shares of options", "questions");
  }
  const isMargin = (/** @type {unknown} */ text) => parseCanonical(text) > 0 && parseCanonical(text) < HALF;
  return { margin: section.read("margin", MARGIN_RULE, isMargin, ""), questions };
}

/**
 * @param {Section} section
 * @param {Window} [window] of the survey.
 * @returns {Invited}
 */
function readInvited(section, window) {
  section.refuseUnknown(["issuer", "collect_until", "small_groups", "groups"]);
  const small_groups =
    section.has("small_groups") && section.read("small_groups", "true", (is) => is === true, false);
  const groups = readGroups(section, "invited", small_groups);
  const invited = {
    issuer: section.identifier("issuer", ISSUER),
    collect_until: readMoment(section, "collect_until"),
    small_groups,
    groups,
  };
  if (areReversed(invited.collect_until, window?.closes)) {
    section.refuse("is not before the survey closes", "collect_until");
  }
  if (new Set(groups.map(({ modulus }) => modulus)).size < groups.length) {
    section.refuse("two groups have the same modulus", "groups");
  }
  if (new Set(groups.map(({ site }) => !site)).size > 1) {
    section.refuse("some groups have a site and others have none", "groups");
  }
  return invited;
}

/**
 * @param {Section} section
 * @param {string} key
 * @returns {string | null}
 */
function readMoment(section, key) {
  return section.has(key) ? section.read(key, MOMENT_RULE, isMoment, null) : null;
}

/**
 * Whether a value is a moment to the minute of a day that exists.
 *
 * @param {unknown} value
 */
function isMoment(value) {
  if (typeof value !== "string" || !value.startsWith("20")) return false;
  return new Date(value).toJSON() === value.replace("Z", ":00.000Z");
}

/**
 * Whether both moments are there, and not in this order, which is that of their texts.
 *
 * @param {string | null} earlier
 * @param {string | null} [later]
 */
function areReversed(earlier, later) {
  return earlier && later && later <= earlier;
}
