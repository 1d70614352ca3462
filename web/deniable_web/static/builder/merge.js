/** Merges the changes of two authors, who began with the same version of a draft. */
import { putAt, valueAt } from "./paths.js";

/** @import { Definition, Path } from "./paths.js" */
/**
 * A place that both changed. The merged draft has mine, or theirs if I removed it.
 *
 * @typedef {object} Conflict
 * @property {Path} path a member of a list with ids is `#` and its id.
 * @property {unknown} mine undefined if I removed it.
 * @property {unknown} theirs undefined if they removed it.
 */

/**
 * The draft with the changes of both.
 *
 * @template Value
 * @param {Value} base the version with which both began.
 * @param {Value} mine
 * @param {Value} theirs
 * @returns {{ merged: Value, conflicts: Conflict[] }}
 */
export function merge(base, mine, theirs) {
  /** @type {Conflict[]} */
  const conflicts = [];
  const merged = /** @type {Value} */ (both(base, mine, theirs, [], conflicts));
  return { merged: structuredClone(merged), conflicts };
}

/**
 * Decides a conflict.
 *
 * @param {Definition} document
 * @param {Path} path of the conflict.
 * @param {unknown} value what is to be there; undefined removes it.
 */
export function settle(document, path, value) {
  /** @type {(string | number)[]} */
  const place = [];
  let parent = document;
  for (const step of path) {
    const list = Array.isArray(parent) ? parent : undefined;
    const index = list?.findIndex((each) => `#${each.id}` === step) ?? -1;
    const at = list && index < 0 ? list.length : list ? index : step;
    place.push(at);
    parent = parent?.[at];
  }
  const last = place.at(-1);
  const list = valueAt(document, place.slice(0, -1));
  if (Array.isArray(list) && value === undefined) list.splice(Number(last), 1);
  else putAt(document, place, structuredClone(value));
}

/**
 * @param {unknown} base
 * @param {unknown} mine
 * @param {unknown} theirs
 * @param {Path} path
 * @param {Conflict[]} conflicts
 * @returns {unknown}
 */
function both(base, mine, theirs, path, conflicts) {
  if (isSame(mine, theirs) || isSame(base, theirs)) return mine;
  if (isSame(base, mine)) return theirs;
  if (isMap(mine) && isMap(theirs)) {
    const before = isMap(base) ? base : {};
    if (orderOf(before, theirs) === orderOf(theirs, before)) {
      return Object.fromEntries(members(before, mine, theirs, path, conflicts));
    }
  }
  if (Array.isArray(mine) && Array.isArray(theirs)) {
    const [before, own, others] = [base, mine, theirs].map(byId);
    if (before && own && others) {
      const order = orderOfQuestions(Object.keys(before), Object.keys(own), Object.keys(others));
      if (order) {
        const found = new Map(members(before, own, others, path, conflicts));
        return order.filter((id) => found.has(id)).map((id) => found.get(id));
      }
    }
  }
  conflicts.push({ path, mine, theirs });
  return mine;
}

/**
 * The merged members of maps: first those of mine, then what only they have.
 *
 * @param {Record<string, unknown>} base
 * @param {Record<string, unknown>} mine
 * @param {Record<string, unknown>} theirs
 * @param {Path} path
 * @param {Conflict[]} conflicts
 * @returns {[string, unknown][]}
 */
function members(base, mine, theirs, path, conflicts) {
  /** @type {[string, unknown][]} */
  const found = [];
  for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const [before, own, others] = [base, mine, theirs].map((map) => (Object.hasOwn(map, key) ? map[key] : undefined));
    const value = both(before, own, others, [...path, key], conflicts);
    // What they changed and I removed stays, so that nothing is lost before somebody has decided.
    const kept = value === undefined && !isSame(before, others) ? others : value;
    if (kept !== undefined) found.push([key, kept]);
  }
  return found;
}

/**
 * The ids of the questions of both in one order; undefined if both moved questions.
 *
 * @param {string[]} base
 * @param {string[]} mine
 * @param {string[]} theirs
 */
function orderOfQuestions(base, mine, theirs) {
  const haveMoved = [mine, theirs].map((ids) => String(among(ids, base)) !== String(among(base, ids)));
  if (haveMoved[0] && haveMoved[1]) return undefined;
  const [order, others] = haveMoved[1] ? [[...theirs], mine] : [[...mine], theirs];
  others.forEach((id, place) => {
    if (order.includes(id)) return;
    const before = others.slice(0, place).reverse().find((each) => order.includes(each));
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id);
  });
  return order;
}

/** @param {string[]} ids @param {string[]} others */
function among(ids, others) {
  return ids.filter((id) => others.includes(id));
}

/**
 * The keys of a map that another one has, too, in one text.
 *
 * @param {Record<string, unknown>} map
 * @param {Record<string, unknown>} other
 */
function orderOf(map, other) {
  return JSON.stringify(among(Object.keys(map), Object.keys(other)));
}

/**
 * Questions by their ids; undefined for other lists, and if two have the same id.
 *
 * @param {unknown} list
 * @returns {Record<string, unknown> | undefined}
 */
function byId(list) {
  if (!Array.isArray(list)) return undefined;
  const ids = list.map((each) => (isMap(each) && typeof each.id === "string" ? `#${each.id}` : ""));
  if (ids.includes("") || new Set(ids).size < ids.length) return undefined;
  return Object.fromEntries(list.map((each, place) => [ids[place], each]));
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isMap(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {unknown} one @param {unknown} other */
function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
