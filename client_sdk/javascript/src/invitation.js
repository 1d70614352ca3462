/**
 * From the code of an invitation to a token, which the issuer never sees.
 *
 * A device makes a request, keeps it, sends its message with the code to the
 * issuer, and finishes the token with the signature that comes back.
 */

import { encode, hex } from "./canonical.js";
import { DeniableError, few, nameErrors } from "./errors.js";
import { systemBytes } from "./randomness.js";
import {
  InvalidToken,
  base64url,
  blind,
  finalize,
  fromBase64url,
  tokenKey,
  reportId,
  tokenInput,
} from "./tokens.js";

/** @import { TokenRequest } from "./client/entry.js" */
/** @import { ReadBytes } from "./randomness.js" */
/** @import { Token, TokenDocument } from "./report.js" */
/** @import { PublishedSurvey } from "./survey/published.js" */

/** A text is not the code of an invitation; the message does not repeat it. */
export class InvalidCode extends DeniableError {}

nameErrors({ InvalidCode });

const NONCE_BYTES = 32;
const CODE = /^[A-Z2-7]{16}$/;

/**
 * A code as it is printed, from what a person has typed or scanned.
 *
 * @param {string} text
 * @throws {InvalidCode} it is no code.
 */
export function readCode(text) {
  const code = text.replace(/[\s\u2010-\u2015-]+/g, "").toUpperCase();
  if (!CODE.test(code)) {
    throw new InvalidCode(
      `got a text of ${code.length} characters that is no code; allowed are 16 letters from A ` +
        "to Z and digits from 2 to 7, as the invitation shows them",
    );
  }
  return code.replace(/.{4}(?=.)/g, "$&-");
}

/**
 * A request for a token of this survey and group, to be kept before it is sent.
 *
 * @param {PublishedSurvey} survey a survey by invitation.
 * @param {string} group of the invited person, from the issuer.
 * @param {ReadBytes} [readBytes] crypto.getRandomValues if left out.
 * @returns {Promise<TokenRequest>}
 * @throws {InvalidToken} the survey has no such group, or its key is not usable.
 */
export async function requestToken(survey, group, readBytes = systemBytes) {
  const nonce = base64url(hex(readBytes(NONCE_BYTES)));
  const { key, input } = await signedInput(survey, group, nonce);
  const { message, inverse } = await blind(key, input, readBytes);
  return { group, nonce, message: base64url(message), inverse: inverse.toString(16) };
}

/**
 * The token, from the issuer's signature of the request's message.
 *
 * @param {PublishedSurvey} survey that the request was made for.
 * @param {TokenRequest} request from requestToken.
 * @param {string} signature in base64url, as it came.
 * @returns {Promise<Readonly<Token>>}
 * @throws {InvalidToken} the signature does not fit: keep nothing, and send nothing.
 */
export async function finishToken(survey, { group, nonce, inverse }, signature) {
  const { key, input } = await signedInput(survey, group, nonce);
  const signed = await finalize(key, input, BigInt(`0x${inverse}`), fromBase64url(signature));
  return tokenOf(survey, { group, nonce, signature: base64url(signed) });
}

/**
 * A token as a report is made with it.
 *
 * @param {PublishedSurvey} survey
 * @param {TokenDocument} document as a report contains it.
 * @returns {Promise<Readonly<Token>>}
 */
export async function tokenOf(survey, document) {
  const { input } = await signedInput(survey, document.group, document.nonce);
  const report = await reportId(input);
  return Object.freeze({ survey: survey.digest, report, document: Object.freeze(document) });
}

/**
 * @param {PublishedSurvey} survey
 * @param {string} name the id of the group.
 * @param {string} nonce
 */
async function signedInput({ digest, invited }, name, nonce) {
  const groups = invited?.groups ?? [];
  const group = groups.find(({ id }) => id === name);
  if (!group) {
    const allowed = few(groups.map(({ id }) => id));
    throw new InvalidToken(`the survey has no such group; allowed are: ${allowed}`);
  }
  const key = await tokenKey(fromBase64url(group.modulus ?? ""));
  const challenge = hex(encode({ group: name, survey: digest }));
  return { key, input: await tokenInput(key, fromBase64url(nonce), challenge) };
}
