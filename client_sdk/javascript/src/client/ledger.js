/** What a person has spent on this device, and what is still allowed. */

import { BudgetExceeded } from "../errors.js";
import { decimal, epsilonForReaders, isWithin, readEpsilon } from "../weights.js";
import { mostSpent } from "../survey/published.js";
import { editionsOf, placeOf } from "./entry.js";
import { AlreadyAnswered, YearlyCapExceeded } from "./errors.js";

/** @import { PublishedSurvey } from "../survey/published.js" */
/** @import { Clock } from "./clock.js" */
/** @import { Entry } from "./entry.js" */
/** @import { CheckedOptions } from "./options.js" */

const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;
// Claims have at most 30 decimals.
const UNIT = 10n ** 30n;

/**
 * What counts of an entry against the yearly cap.
 *
 * @typedef {Pick<Entry, "collector" | "slug" | "weights" | "day" | "panel">} Counted
 */

/**
 * One survey that was answered on this device.
 *
 * @typedef {object} SpentSurvey
 * @property {string} collector
 * @property {string} slug
 * @property {string} survey the digest.
 * @property {string} report the report's id.
 * @property {readonly { readonly favoured: string, readonly base: string }[]} weights exactly
 *   what it spent: epsilon is the sum of ln(favoured / base).
 * @property {string} epsilon for people to read.
 */

/**
 * All that was spent on this device.
 *
 * @typedef {object} Spent
 * @property {readonly SpentSurvey[]} surveys
 * @property {string} epsilon of all of them together, for people to read.
 * @property {number} surest how sure anyone can become, from 0.5 to 1, of
 *   something about the person that was as likely as not before.
 * @property {string} words
 * @property {string} yearlyEpsilon what counts against the yearly cap: the
 *   reports of the last 365 days, and what panels have reserved; for people to read.
 * @property {number | null} epsilonCap the most that one survey may take.
 * @property {number | null} yearlyCap the most that all may take in 365 days.
 */

/**
 * The day that it is, in days since 1970.
 *
 * @param {Clock} clock
 */
export function dayOf(clock) {
  return Math.floor(clock.now() / DAY_MS);
}

/**
 * What a report through these blocks spends.
 *
 * @param {PublishedSurvey} survey
 * @param {readonly string[]} blocks
 * @returns {[string, string][]}
 */
export function weightsOf(survey, blocks) {
  const spends = blocks.flatMap((id) => survey.block(id).mechanism.spends);
  return spends.map(({ favoured, base }) => [`${favoured}`, `${base}`]);
}

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
    const isPanel = waves > 1 && panel?.waves === waves;
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
 * Fail if the survey can take more than is left of what all may take in a year.
 *
 * The most it can take counts, so that being refused says nothing about which
 * blocks were drawn.
 *
 * @param {readonly Entry[]} entries
 * @param {PublishedSurvey} survey
 * @param {CheckedOptions} options
 * @param {{ has: (id: string) => boolean }} kept blocks that take nothing.
 * @throws {YearlyCapExceeded}
 */
export function refuseBeyond(entries, survey, { collector, yearlyCap, clock }, kept) {
  if (yearlyCap === null) return;
  const today = dayOf(clock);
  const next = { ...placeOf(collector, survey, today), weights: [] };
  const { weights, reserved } = inYear([...entries, next], today);
  const left = (yearlyCap.numerator * UNIT) / yearlyCap.denominator - reserved;
  const taken = [...weights, ...mostSpent(survey, kept)];
  if (left >= 0n && isWithin(taken, { numerator: left, denominator: UNIT })) return;
  const each = survey.waves > 1 ? " in each wave" : "";
  throw new YearlyCapExceeded(
    `the survey takes epsilon ${survey.epsilon}${each}, beside ` +
      `${inYear(entries, today).epsilon} in 365 days; allowed here is ` +
      `${decimal(yearlyCap)}; raise the cap or do not answer it`,
  );
}

/**
 * What counts in the last 365 days: the parts of reports, what panels have
 * reserved for waves that may still come, in units of 10^-30, and the epsilon of
 * both for people to read.
 *
 * A panel is of one series at one address, and reserves what its first report
 * claimed for each wave. Days in the future count: clocks are set back.
 *
 * @param {readonly Counted[]} entries
 * @param {number} today
 */
function inYear(entries, today) {
  const counted = entries.filter(({ day = today }) => day > today - YEAR_DAYS);
  let reserved = 0n;
  for (const entry of counted) {
    const { collector, panel } = entry;
    const waves = editionsOf(entries, collector, entry).filter(
      (other) => panel && other.panel?.waves === panel.waves,
    );
    // Once for each panel.
    if (!panel || waves.find((other) => counted.includes(other)) !== entry) continue;
    const { numerator, denominator } = readEpsilon(waves[0]?.panel?.epsilon);
    const answered = new Set(waves.map((other) => other.panel?.wave)).size;
    reserved += (BigInt(panel.waves - answered) * numerator * UNIT) / denominator;
  }
  const weights = counted.flatMap(spends);
  const epsilon = String(Number(epsilonForReaders(weights)) + Number(reserved) / Number(UNIT));
  return { weights, reserved, epsilon };
}

/**
 * What was spent, exactly and for people to read.
 *
 * @param {readonly Entry[]} entries
 * @param {CheckedOptions} options
 * @returns {Spent}
 */
export function spentIn(entries, { clock, epsilonCap, yearlyCap }) {
  const epsilon = epsilonForReaders(entries.flatMap(spends));
  const surest = 1 / (1 + Math.exp(-Number(epsilon)));
  const count = `${entries.length} ${entries.length === 1 ? "survey" : "surveys"}`;
  const percent = Math.ceil(surest * 1000) / 10;
  return {
    surveys: entries.map((entry) => {
      const { collector, slug, survey, report } = entry;
      const weights = spends(entry);
      return { collector, slug, survey, report, weights, epsilon: epsilonForReaders(weights) };
    }),
    epsilon,
    surest,
    words:
      `You have answered ${count} on this device. The most anyone can learn from the reports: ` +
      `of something about you that seemed as likely as not, they can become ${percent} % sure, ` +
      "and no surer.",
    yearlyEpsilon: inYear(entries, dayOf(clock)).epsilon,
    epsilonCap: epsilonCap && decimal(epsilonCap),
    yearlyCap: yearlyCap && decimal(yearlyCap),
  };
}

/**
 * What an entry spent, as texts, which count as the numbers that they are.
 *
 * @param {Pick<Entry, "weights">} entry
 * @returns {any[]}
 */
function spends({ weights }) {
  return weights.map(([favoured, base]) => ({ favoured, base }));
}
