/** The published survey: compiled, immutable, addressed by its digest. */

import * as canonical from "../canonical.js";
import {
  BudgetExceeded,
  DigestMismatch,
  InvalidSurvey,
  quote,
  refuseUnknownKeys,
} from "../errors.js";
import { byFallingRatio, decimal, epsilonForReaders, isWithin, readCap, readEpsilon } from "../weights.js";
import { tagOf } from "../randomness.js";
import { Fields } from "./fields.js";
import { readSurvey } from "./structure.js";

/** @import { Fraction } from "../weights.js" */
/** @import { Block } from "./block.js" */
/** @import { SurveyParts } from "./structure.js" */

const Parts = /** @type {new (parts: SurveyParts) => Readonly<SurveyParts>} */ (Fields);

/**
 * The survey that devices answer: read from bytes, checked, never changed.
 *
 * `asked` of the blocks are drawn by each respondent's device; `epsilon` is
 * what one respondent spends on the whole survey at most, as a decimal text. It
 * is the wave `wave` of a panel of `waves`, each of which may be answered and
 * spends epsilon; a survey that is none is the only wave of its own.
 */
export class PublishedSurvey extends Parts {
  #document;

  /**
   * @param {SurveyParts} parts
   * @param {Uint8Array<ArrayBuffer>} document
   * @param {string} digest
   */
  constructor(parts, document, digest) {
    super(parts);
    Object.freeze(this.questions);
    Object.freeze(this.blocks);
    this.digest = digest;
    this.#document = document;
    Object.freeze(this);
  }

  /** The published bytes, to keep or to pass on. */
  get document() {
    return this.#document.slice();
  }

  /**
   * The block of this id.
   *
   * @param {string} id
   * @returns {Block}
   * @throws {RangeError} there is none.
   */
  block(id) {
    const block = this.blocks.find((candidate) => candidate.id === id);
    if (!block) {
      const ids = this.blocks.map((candidate) => candidate.id).join(", ");
      throw new RangeError(`got the block ${quote(id)}; allowed are: ${ids}`);
    }
    return block;
  }
}

/**
 * The survey in published bytes, with all it claims recomputed.
 *
 * @param {Uint8Array | ArrayBuffer} bytes exactly as they were published.
 * @param {object} [expected]
 * @param {string | null} [expected.digest] the digest they must have, where it
 *   is known beforehand.
 * @param {string | number | null} [expected.epsilonCap] the most the caller is
 *   ready to spend, of a panel on all waves together.
 * @returns {Promise<PublishedSurvey>}
 * @throws {DigestMismatch} these are not the bytes the digest names.
 * @throws {BudgetExceeded} it spends more than it claims, or than the cap.
 * @throws {InvalidSurvey} it is not a legal published survey.
 * @throws {InsecureContext} the page was not loaded over HTTPS.
 */
export async function openSurvey(bytes, { digest, epsilonCap, ...unknown } = {}) {
  refuseUnknownKeys(unknown, "digest, epsilonCap");
  const cap = readCap(epsilonCap);
  const document = copyBytes(bytes);
  const actual = await canonical.digest(document);
  if ((digest ?? actual) !== actual) {
    throw new DigestMismatch(
      `the survey has the digest ${actual}, asked for was ${digest}; ` +
        "fetch it again, or do not answer it",
    );
  }
  const survey = new PublishedSurvey(readSurvey(decode(document)), document, actual);
  checkClaim(survey);
  checkCap(survey, cap);
  return survey;
}

/**
 * A copy, so that nobody changes the bytes between the digest and the reading.
 *
 * @param {unknown} bytes
 */
function copyBytes(bytes) {
  if (!/^(Uint8Array|ArrayBuffer)$/.test(tagOf(bytes))) {
    throw new TypeError(`got ${canonical.kind(bytes)}; allowed is a Uint8Array or ArrayBuffer`);
  }
  return new Uint8Array(/** @type {Uint8Array | ArrayBuffer} */ (bytes)).slice();
}

/** @param {Uint8Array} document */
function decode(document) {
  try {
    return canonical.decode(document);
  } catch (error) {
    if (!(error instanceof canonical.NotCanonical)) throw error;
    throw new InvalidSurvey(`not a published survey: ${error.message}`);
  }
}

/**
 * What a report spends if the blocks that take most are drawn.
 *
 * @param {PublishedSurvey} survey
 * @param {{ has: (id: string) => boolean }} [kept] blocks that take nothing.
 */
export function mostSpent({ blocks, asked }, kept = new Set()) {
  const fresh = blocks.filter(({ id }) => !kept.has(id));
  return byFallingRatio(fresh.map(({ mechanism }) => mechanism.spends)).slice(0, asked).flat();
}

/**
 * Fail if the survey, in all its waves, takes more than the caller allows.
 *
 * @param {PublishedSurvey} survey
 * @param {Fraction | null} cap
 * @throws {BudgetExceeded}
 */
export function checkCap(survey, cap) {
  if (!cap) return;
  const { epsilon, waves } = survey;
  const denominator = cap.denominator * BigInt(waves);
  if (!isWithin(mostSpent(survey), { ...cap, denominator })) {
    const each = waves > 1 ? " in each wave" : "";
    throw new BudgetExceeded(
      `the survey takes epsilon ${epsilon}${each}; allowed here is ` +
        `${decimal(cap)}; raise the cap or do not answer it`,
    );
  }
}

/** @param {PublishedSurvey} survey */
function checkClaim(survey) {
  const taken = mostSpent(survey);
  if (!isWithin(taken, readEpsilon(survey.epsilon))) {
    throw new BudgetExceeded(
      `the survey claims epsilon ${survey.epsilon} and takes more, ` +
        `${epsilonForReaders(taken)}; do not answer it`,
    );
  }
}
