/** Places in a definition: lists of keys and indexes, as its problems name them. */

/** @typedef {readonly (string | number)[]} Path */
/** @typedef {{ [key: string]: any }} Definition */

/**
 * What stands at a place, or undefined.
 *
 * @param {any} document
 * @param {Path} path
 */
export function valueAt(document, path) {
  return path.reduce((value, step) => value?.[step], document);
}

/**
 * Puts a value at a place, or takes away what stands there.
 *
 * Maps on the way are made where they are missing, and taken away when nothing
 * is left in them.
 *
 * @param {any} document
 * @param {Path} path
 * @param {unknown} value undefined for nothing.
 */
export function putAt(document, path, value) {
  const [step, ...rest] = path;
  if (step === undefined) return;
  if (rest.length > 0) {
    if (typeof document[step] !== "object" || document[step] === null) {
      if (value === undefined) return;
      document[step] = {};
    }
    putAt(document[step], rest, value);
    const inner = document[step];
    if (!Array.isArray(inner) && Object.keys(inner).length === 0) delete document[step];
  } else if (value === undefined) delete document[step];
  else document[step] = value;
}

/**
 * The id of the field at a place; bands may be in any script, so letters become their numbers.
 *
 * @param {Path} path
 */
export function fieldId(path) {
  return ["at", ...path].join("-").replace(/[^\w-]/gu, (sign) => `_${sign.codePointAt(0)?.toString(16)}`);
}
