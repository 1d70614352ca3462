/** What a person has spent on this device, and what is still allowed. */

import { BudgetExceeded } from "../errors.js";
import { decimal, epsilonForReaders, isWithin, readEpsilon } from "../weights.js";
import { mostSpent } from "../survey/published.js";
import { editionsOf } from "./entry.js";
import { AlreadyAnswered, OverallCapExceeded } from "./errors.js";

/** @import { PublishedSurvey } from "../survey/published.js" */
/** @import { Fraction, Weights } from "../weights.js" */
/** @import { Entry } from "./entry.js" */

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
 */

/**
 * What a report through these blocks spends.
 *
 * @param {PublishedSurvey} survey
 * @param {readonly string[]} blocks
 * @returns {[string, string][]}
 */
export function weightsOf(survey, blocks) {
  const spends = blocks.flatMap((id) => survey.block(id).mechanism.spends);
  return spends.map(({ favoured, base }) => [String(favoured), String(base)]);
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
  for (const { panel, report, survey: digest } of editionsOf(entries, collector, survey)) {
    const isSame = digest === survey.digest;
    if (!isSame && isNewEdition) continue;
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
 * Fail if the survey can take more than all surveys together may.
 *
 * The most it can take counts, so that being refused says nothing about which
 * blocks were drawn.
 *
 * @param {readonly Entry[]} entries
 * @param {PublishedSurvey} survey
 * @param {Fraction | null} cap
 * @param {{ has: (id: string) => boolean }} kept blocks that take nothing.
 * @throws {OverallCapExceeded}
 */
export function refuseBeyond(entries, survey, cap, kept) {
  if (cap === null) return;
  const before = entries.flatMap(spends);
  if (isWithin([...before, ...mostSpent(survey, kept)], cap)) return;
  throw new OverallCapExceeded(
    `this device has spent epsilon ${epsilonForReaders(before)} and ${survey.slug} takes up to ` +
      `${survey.epsilon}; all together may take ` +
      `${decimal(cap)}; raise the overall cap or do not answer it`,
  );
}

/**
 * What was spent, exactly and for people to read.
 *
 * @param {readonly Entry[]} entries
 * @returns {Spent}
 */
export function spentIn(entries) {
  const epsilon = epsilonForReaders(entries.flatMap(spends));
  const surest = 1 / (1 + Math.exp(-Number(epsilon)));
  const count = `${entries.length} ${entries.length === 1 ? "survey" : "surveys"}`;
  const percent = Math.ceil(surest * 1000) / 10;
  return {
    surveys: entries.map((entry) => ({
      collector: entry.collector,
      slug: entry.slug,
      survey: entry.survey,
      report: entry.report,
      weights: entry.weights.map(([favoured, base]) => ({ favoured, base })),
      epsilon: epsilonForReaders(spends(entry)),
    })),
    epsilon,
    surest,
    words:
      `You have answered ${count} on this device. The most anyone can learn from the reports: ` +
      `of something about you that seemed as likely as not, they can become ${percent} % sure, ` +
      "and no surer.",
  };
}

/**
 * @param {Entry} entry
 * @returns {Weights[]}
 */
function spends({ weights }) {
  return weights.map(([favoured, base]) => ({ favoured: Number(favoured), base: Number(base) }));
}
