/** What a person has spent on this device, and what is still allowed. */

import { BudgetExceeded } from "../errors.js";
import { decimal, epsilonForReaders, isWithin, readEpsilon } from "../weights.js";
import { checkCap, mostSpent } from "../survey/published.js";
import { placeOf } from "./entry.js";
import { AlreadyAnswered, YearlyCapExceeded } from "./errors.js";

/** @import { PublishedSurvey } from "../survey/published.js" */
/** @import { Entry, Panel } from "./entry.js" */
/** @import { CheckedOptions } from "./options.js" */

const YEAR_DAYS = 365;
// The first of 2026, in days since 1970: before, no device had this program.
const FIRST_DAY = 20_454;
// Claims have at most 30 decimals.
const UNIT = 10n ** 30n;

/**
 * What counts of an entry against the yearly cap.
 *
 * @typedef {Pick<Entry, "collector" | "slug" | "weights" | "day" | "panel">} Counted
 */

/**
 * Fail if the survey was answered before.
 *
 * @param {readonly Entry[]} entries
 * @param {string} collector
 * @param {PublishedSurvey} survey
 * @param {boolean} isNewEdition whether another edition may have been answered.
 * @throws {AlreadyAnswered}
 * @throws {BudgetExceeded} other waves were, and promised that each takes less.
 */
export function refuseSecond(entries, collector, survey, isNewEdition) {
  const { slug, waves, wave, epsilon } = survey;
  for (const { panel, report, ...entry } of entries) {
    const isSame = entry.survey === survey.digest;
    const isEdition = entry.collector === collector && entry.slug === slug;
    if (!isSame && (isNewEdition || !isEdition)) continue;
    const isPanel = waves > 1 && panel.waves === waves;
    if (!isSame && isPanel && panel.wave !== wave) {
      if (isWithin(mostSpent(survey), readEpsilon(panel.epsilon))) continue;
      throw new BudgetExceeded(
        `the panel promised epsilon ${panel.epsilon} in each wave at most; this one takes ` +
          `${epsilon}; do not answer it`,
      );
    }
    const edition = isPanel ? `wave ${wave} of ` : "another edition of ";
    const [what, instead] = isSame
      ? ["", 'again: "first" gives the first one']
      : [edition, 'again: "edition" allows it'];
    throw new AlreadyAnswered(
      report,
      `this device has answered ${what}${slug}; a second report would spend epsilon ` +
        `again, and ${instead}`,
    );
  }
}

/**
 * Fail if the survey takes more than one may, or can take more than is left of
 * what all may take in a year.
 *
 * The most it can take counts, so that being refused says nothing about which
 * blocks were drawn.
 *
 * @param {readonly Entry[]} entries
 * @param {PublishedSurvey} survey
 * @param {CheckedOptions} options
 * @param {{ has: (id: string) => boolean }} kept blocks that take nothing.
 * @throws {BudgetExceeded}
 * @throws {YearlyCapExceeded}
 */
export function refuseTooMuch(entries, survey, options, kept) {
  const { epsilonCap, yearlyCap } = options;
  checkCap(survey, epsilonCap);
  if (!yearlyCap) return;
  const next = { ...placeOf(options, survey), weights: [] };
  const { weights, reserved } = inYear([...entries, next], next.day);
  const left = (yearlyCap.numerator * UNIT) / yearlyCap.denominator - reserved;
  const taken = [...weights, ...mostSpent(survey, kept)];
  if (left >= 0n && isWithin(taken, { numerator: left, denominator: UNIT })) return;
  const each = survey.waves > 1 ? " in each wave" : "";
  throw new YearlyCapExceeded(
    `the survey takes epsilon ${survey.epsilon}${each}, beside ` +
      `${inYear(entries, next.day).epsilon} in 365 days; allowed here is ` +
      `${decimal(yearlyCap)}; raise the cap or do not answer it`,
  );
}

/**
 * What counts in the last 365 days: the parts of reports, what panels have
 * reserved for waves that may still come, in units of 10^-30, and the epsilon of
 * both for people to read.
 *
 * A panel is of one series at one address, and reserves what its first report
 * claimed for each wave. Days in the future count: clocks are set back. Days before this
 * program was made count as its first.
 *
 * @param {readonly Counted[]} entries
 * @param {number} today
 */
export function inYear(entries, today) {
  const counted = entries.filter(({ day }) => Math.max(FIRST_DAY, day) > today - YEAR_DAYS);
  let reserved = 0n;
  for (const series of new Set(counted.map(seriesOf))) {
    const panels = entries.filter((entry) => seriesOf(entry) === series).map(({ panel }) => panel);
    const [{ waves, epsilon }] = /** @type {[Panel]} */ (panels);
    const { numerator, denominator } = readEpsilon(epsilon);
    const answered = new Set(panels.map(({ wave }) => wave)).size;
    reserved += (BigInt(waves - answered) * numerator * UNIT) / denominator;
  }
  const weights = counted.flatMap((entry) => entry.weights);
  const ofPanels = decimal({ numerator: reserved, denominator: UNIT });
  return { weights, reserved, epsilon: String(Number(epsilonForReaders(weights)) + ofPanels) };
}

/**
 * Which panel an entry is a wave of; a survey that is none is all of its own.
 *
 * @param {Counted} entry
 */
function seriesOf({ collector, slug, panel }) {
  return `${panel.waves} ${slug} ${collector}`;
}
