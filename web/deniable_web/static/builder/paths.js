/** Paths in a definition: lists of keys and indexes, as in its problems. */

/** @typedef {readonly (string | number)[]} Path */
/** @typedef {{ [key: string]: any }} Definition or a part of one. */
/** @typedef {{ questions: any[], crosstabs?: any[], [key: string]: any }} WholeDefinition */

/**
 * The value at a path, or undefined.
 *
 * @param {any} document
 * @param {Path} path
 */
export function valueAt(document, path) {
  return path.reduce((value, step) => (isOwn(value, step) ? value[step] : undefined), document);
}

/**
 * Sets the value at a path, or removes it.
 *
 * Missing maps on the path are created, and maps that become empty are removed.
 *
 * @param {any} document
 * @param {Path} path
 * @param {unknown} value undefined to remove it.
 */
export function putAt(document, path, value) {
  const [step, ...rest] = path;
  if (step === undefined) return;
  if (rest.length > 0) {
    if (!isOwn(document, step) || typeof document[step] !== "object" || document[step] === null) {
      if (value === undefined) return;
      define(document, step, {});
    }
    putAt(document[step], rest, value);
    const inner = document[step];
    if (!Array.isArray(inner) && Object.keys(inner).length === 0) delete document[step];
  } else if (value === undefined) delete document[step];
  else define(document, step, value);
}

/**
 * Whether a map or list has a key itself: names of bands may be "constructor".
 *
 * @param {any} value
 * @param {string | number} step
 */
function isOwn(value, step) {
  return value !== null && value !== undefined && Object.hasOwn(value, step);
}

/**
 * @param {any} document
 * @param {string | number} step may be "__proto__", which an assignment would not set.
 * @param {unknown} value
 */
function define(document, step, value) {
  Object.defineProperty(document, step, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/**
 * The id of the field for a path; bands may be in any script, so letters become numbers.
 *
 * @param {Path} path
 */
export function fieldId(path) {
  return ["at", ...path].join("-").replace(/[^\w-]/gu, (sign) => `_${sign.codePointAt(0)?.toString(16)}`);
}
