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
export { Report } from "./report.js";
export { inLanguage } from "./survey/text.js";
export { openSurvey } from "./survey/published.js";
export { questionsToShow, reachedQuestions } from "./survey/routing.js";

/** @typedef {import("./survey/routing.js").Answer} Answer */
/** @typedef {import("./survey/routing.js").Answers} Answers */
/** @typedef {import("./mechanisms/domains.js").Domain} Domain */
/** @typedef {import("./randomness.js").ReadBytes} ReadBytes */
/** @typedef {import("./survey/published.js").PublishedSurvey} PublishedSurvey */
/** @typedef {import("./survey/block.js").Block} Block */
/** @typedef {import("./survey/options.js").Option} Option */
/** @typedef {import("./survey/questions/closed.js").ClosedQuestion} ClosedQuestion */
/** @typedef {import("./survey/questions/index.js").Question} Question */
/** @typedef {import("./survey/questions/multiple.js").MultipleQuestion} MultipleQuestion */
/** @typedef {import("./survey/questions/number.js").NumberQuestion} NumberQuestion */
/** @typedef {import("./survey/routing.js").ShowIf} ShowIf */
/** @typedef {import("./survey/text.js").Text} Text */
