/** The names of people, in any script; `check_name` of the collector decides, and the form says it earlier. */

const WRITTEN = String.raw`(?!\p{DI})[\p{L}\p{M}\p{N} ._@\-\u2010'\u2019&,+\u00b7\u30fb]`;
// What shows nothing stands between letters of the scripts that cannot be written without it.
const LETTER = String.raw`(?!\p{ASCII})[\p{L}\p{M}]`;
const JOINER = `(?<=${LETTER})[\u200c\u200d](?=${LETTER})`;
const NAME = new RegExp(String.raw`^(?!deniable_)(?!\p{DI})[\p{L}\p{N}](?:${WRITTEN}|${JOINER}){0,63}$`, "u");

/**
 * A name in the one form that a store has; null if it is not allowed.
 *
 * @param {string} typed
 */
export function personName(typed) {
  const name = typed.normalize("NFKC").replace(/ +/g, " ").replace(/^ | $/g, "");
  return NAME.test(name) ? name : null;
}
