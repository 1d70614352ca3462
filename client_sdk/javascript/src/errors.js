/**
 * Every error this package throws, as one tree.
 *
 * A message says what was got, what is allowed and what to do. No message
 * holds an answer or a value taken from a report, only its kind: a broken
 * client may have put a true answer where a randomized one belongs.
 */

/** Root of all errors of deniable. */
export class DeniableError extends Error {}

/** A document is not a legal published survey. */
export class InvalidSurvey extends DeniableError {}

/** A published survey is not the one its digest names. */
export class DigestMismatch extends InvalidSurvey {}

/** A survey spends more privacy than it claims, or than the caller allows. */
export class BudgetExceeded extends InvalidSurvey {}

/** An answer does not fit its question; the message never repeats it. */
export class InvalidAnswer extends DeniableError {}

/** A report is not a legal report of its survey. */
export class InvalidReport extends DeniableError {}

/** The source returned too few random bytes, or bytes that are not random. */
export class RandomnessUnavailable extends DeniableError {}

/** The page was not loaded over HTTPS or from this machine. */
export class InsecureContext extends DeniableError {}

const NAMED = 5;

nameErrors({
  DeniableError,
  InvalidSurvey,
  DigestMismatch,
  BudgetExceeded,
  InvalidAnswer,
  InvalidReport,
  RandomnessUnavailable,
  InsecureContext,
});

/**
 * Names given as texts outlive a minifier.
 *
 * @param {{ readonly [name: string]: { readonly prototype: Error } }} errors
 */
export function nameErrors(errors) {
  for (const [name, error] of Object.entries(errors)) {
    error.prototype.name = name;
  }
}

/**
 * Fail if options hold a key that nothing reads, such as a misspelled one.
 *
 * @param {object} unknown what is left of the options.
 * @param {string} allowed
 */
export function refuseUnknownKeys(unknown, allowed) {
  for (const key of Object.keys(unknown)) {
    throw new TypeError(`unknown key ${quote(key)}; allowed are ${allowed}`);
  }
}

/**
 * A path as a reader writes it: questions[2].options.
 *
 * @param {readonly (string | number)[]} path
 */
export function formatPath(path) {
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`));
  return steps.join("").replace(/^\./, "") || "the whole document";
}

/**
 * The first few of many names, so that no message grows with a survey.
 *
 * @param {readonly unknown[]} names
 */
export function few(names) {
  const named = names.slice(0, NAMED);
  return (names.length > NAMED ? [...named, "..."] : named).join(", ");
}

/**
 * What a document said, short enough for a message.
 *
 * Never call it on an answer or on anything taken from a report.
 *
 * @param {unknown} value
 */
export function quote(value) {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
