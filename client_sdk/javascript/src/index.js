/** Randomize answers to a published survey on the respondent's device. */

export {
  BudgetExceeded,
  DeniableError,
  DigestMismatch,
  InsecureContext,
  InvalidAnswer,
  InvalidReport,
  InvalidSurvey,
  RandomnessUnavailable,
} from "./errors.js";
export { drawBlocks, randomize } from "./device.js";
export { Report, checkReport } from "./report.js";
export { inLanguage } from "./survey/text.js";
export { openSurvey } from "./survey/published.js";

/** @typedef {import("./device.js").Answer} Answer */
/** @typedef {import("./device.js").Answers} Answers */
/** @typedef {import("./randomness.js").ReadBytes} ReadBytes */
/** @typedef {import("./survey/published.js").PublishedSurvey} PublishedSurvey */
/** @typedef {import("./survey/questions.js").Question} Question */
/** @typedef {import("./survey/structure.js").Block} Block */
/** @typedef {import("./survey/text.js").Text} Text */
