/** Numbers that authors write into fields and lines of the builder. */
import { UNCLEAR, decimalText } from "../form/typed_numbers.js";

const DOUBT = " ?";

/**
 * The number in a text; the text itself if there is none, for the server to report. A text that
 * can mean two numbers gets a question mark, with which nothing takes it for one of them.
 *
 * @param {string} written
 */
export function numberOrText(written) {
  const decimal = decimalText(written);
  if (decimal === UNCLEAR) return written + DOUBT;
  const number = Number(decimal);
  return Number.isNaN(number) ? written : number;
}

/** Whether a value of the draft is a text that can mean two numbers. @param {unknown} value */
export function isUnclear(value) {
  return typeof value === "string" && value.endsWith(DOUBT) && decimalText(value.slice(0, -DOUBT.length)) === UNCLEAR;
}
