/** The exact test that sampled checks rest on. */

// One right program in a million is rejected.
export const ALPHA = 1e-6;

/**
 * The exact two-sided p-value of a count of hits.
 *
 * It sums the probabilities of all counts that are no more likely than the
 * one observed.
 *
 * @param {number} hits
 * @param {number} trials
 * @param {number} probability
 */
export function pValue(hits, trials, probability) {
  const likelihoods = new Float64Array(trials + 1);
  let logarithm = trials * Math.log1p(-probability);
  const odds = Math.log(probability) - Math.log1p(-probability);
  for (let count = 0; count <= trials; count += 1) {
    likelihoods[count] = Math.exp(logarithm);
    logarithm += Math.log(trials - count) - Math.log(count + 1) + odds;
  }
  // Counts that are equally likely must not differ by rounding.
  const observed = (likelihoods[hits] ?? 0) * (1 + 1e-7);
  return likelihoods.reduce((sum, likely) => (likely <= observed ? sum + likely : sum), 0);
}
