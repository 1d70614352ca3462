/** A number on an evenly spaced grid. */

import { OneOf, isIndex } from "../../mechanisms/domains.js";
import { MAX_CELLS } from "../../mechanisms/parameters.js";
import { formatUnits, parseNumber, readUnits } from "../decimals.js";
import { NO_ANSWER } from "../options.js";
import { readOptionalText } from "../text.js";
import { BaseQuestion } from "./base.js";

/** @import { Section } from "../reading.js" */
/** @import { Text } from "../text.js" */
/** @import { Common } from "./base.js" */

// Thousands to half of the world, where a point separates groups of digits.
const THOUSANDS = /^-?[1-9]\d{0,2}\.\d{3}$/;

/**
 * The numbers lowest, lowest + step, ..., highest: integers in units of 10^-4.
 *
 * @typedef {{ lowest: number, highest: number, step: number }} Grid
 */

/** A question whose answer is one of the numbers of a grid. */
export class NumberQuestion extends BaseQuestion {
  static keys = ["min", "max", "step", "unit"];

  /** @type {readonly string[] | null} made when they are first asked for. */
  #names = null;

  /**
   * @param {Common} common
   * @param {Grid} grid
   * @param {Text | null} unit
   */
  constructor(common, { lowest, highest, step }, unit) {
    super(common);
    this.lowest = lowest;
    this.highest = highest;
    this.step = step;
    this.unit = unit;
    // Exact: a grid is a whole number of steps.
    this.cells = (highest - lowest) / step + 1;
    this.domain = new OneOf(this.cells, this.offersNoAnswer);
    Object.freeze(this);
  }

  /**
   * @param {Section} section
   * @param {Common} common
   */
  static read(section, common) {
    return new NumberQuestion(common, readGrid(section), readOptionalText(section, "unit"));
  }

  /** The name of each answer in the domain: decimal texts, then "no answer". */
  get names() {
    return (this.#names ??= Object.freeze([
      ...Array.from({ length: this.cells }, (_, index) =>
        formatUnits(this.lowest + index * this.step),
      ),
      ...(this.offersNoAnswer ? [NO_ANSWER] : []),
    ]));
  }

  /**
   * The index of an answer in the domain.
   *
   * "2.000" is refused where 2000 is on the grid, too: people may have typed it.
   *
   * @param {unknown} answer a number of the grid or its text, or null for no
   *   answer.
   * @throws {InvalidAnswer} it is none of them; the message leaves it out.
   */
  encode(answer) {
    if (this.offersNoAnswer && (answer ?? NO_ANSWER) === NO_ANSWER) return this.cells;
    const units = parseNumber(answer);
    const isUnclear = typeof answer === "string" && THOUSANDS.test(answer) && this.#place(units * 1000) >= 0;
    const index = isUnclear ? -1 : this.#place(units);
    if (index >= 0) return index;
    throw this.refusal(answer);
  }

  /** The place of a number on the grid, -1 beside it. @param {number} units */
  #place(units) {
    const distance = units - this.lowest;
    const index = distance % this.step === 0 ? distance / this.step : -1;
    return isIndex(index, this.cells) ? index : -1;
  }

  /** @override */
  get takes() {
    const [lowest, highest, step] = [this.lowest, this.highest, this.step].map(formatUnits);
    return `the numbers from ${lowest} to ${highest} in steps of ${step}`;
  }
}

/** @param {Section} section */
function readGrid(section) {
  const [lowest = NaN, highest = NaN, step = NaN] = ["min", "max", "step"].map((key) =>
    readUnits(section, key),
  );
  const steps = (highest - lowest) / step;
  if (step > 0 && (highest - lowest) % step === 0 && steps >= 1 && steps < MAX_CELLS) {
    return { lowest, highest, step };
  }
  if (!Number.isNaN(lowest + highest + step)) {
    const rule = `allowed are 1 to ${MAX_CELLS - 1} whole ones`;
    section.refuse(`from min to max it is ${steps} steps; ${rule}`, "step");
  }
  return { lowest: 0, highest: 1, step: 1 };
}
