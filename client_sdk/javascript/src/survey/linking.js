/** How far reports of one person can be matched by what a device repeats. */

/** @import { Block } from "./block.js" */

const MOST_FIXED_OUTPUTS = 16;
const PEOPLE_PER_OUTPUT = 20;

/**
 * How many outputs all fixed blocks may have together.
 *
 * @param {number} [smallestGroup] how many people it has, where the respondents
 *   are in groups that everybody sees.
 */
export function mostFixedOutputs(smallestGroup = Infinity) {
  return Math.min(MOST_FIXED_OUTPUTS, Math.floor(smallestGroup / PEOPLE_PER_OUTPUT));
}

/**
 * How many outputs the fixed ones of these blocks have together; 1 without any.
 *
 * @param {readonly Block[]} blocks
 */
export function fixedOutputs(blocks) {
  return blocks.reduce((all, { fixed, mechanism }) => all * (fixed ? mechanism.outputs : 1), 1);
}
