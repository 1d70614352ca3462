/** The groups of invited people, or those that links give: a map from their ids, in the order of the form. */
import { free } from "./names.js";
import { languagesOf } from "./translations.js";

/** @import { Definition, Path } from "./paths.js" */

/** Makes the keys, where the store of the issuer is. */
export const KEYS_COMMAND = "deniable issuer keys";
/** The fewest people among whom a report with the name of its group is hidden. */
const SMALL_GROUP = 20;

/** Where a definition has its groups. @param {Definition} document @returns {Path} */
export function groupsPath(document) {
  return document.invited === undefined ? ["groups"] : ["invited", "groups"];
}

/** The key of the number of people of a group. @param {Definition} document */
export function peopleKey(document) {
  return document.invited === undefined ? "number" : "invited";
}

/** @param {Definition} document @returns {Definition} */
export function groupsOf(document) {
  return (document.invited ?? document).groups ?? {};
}

/** @param {Definition} document */
export function groupIds(document) {
  return Object.keys(groupsOf(document));
}

/**
 * Restricts a survey to invited people, or opens it to everybody.
 *
 * @param {Definition} document
 * @param {boolean} isInvited
 */
export function changeInvited(document, isInvited) {
  delete document.invited;
  delete document.groups;
  if (!isInvited) return;
  document.invited = { issuer: "", groups: {} };
  addGroup(document);
}

/**
 * Declares groups that links give, or none.
 *
 * @param {Definition} document
 * @param {boolean} areGiven
 */
export function changeLinkGroups(document, areGiven) {
  delete document.groups;
  if (areGiven) addGroup(document);
}

/** @param {Definition} document */
export function addGroup(document) {
  const groups = groupsOf(document);
  const ids = Object.keys(groups);
  const codes = languagesOf(document);
  const name = codes.length === 0 ? "" : Object.fromEntries(codes.map((code) => [code, ""]));
  const added = { text: name, [peopleKey(document)]: "" };
  (document.invited ?? document).groups = { ...groups, [free(`group_${ids.length + 1}`, ids)]: added };
}

/**
 * Removes a group, and its key with it.
 *
 * @param {Definition} document
 * @param {number} place
 */
export function removeGroup(document, place) {
  const left = Object.entries(groupsOf(document));
  left.splice(place, 1);
  (document.invited ?? document).groups = Object.fromEntries(left);
}

/**
 * @param {Definition} document
 * @param {number} place
 * @param {number} target
 */
export function moveGroup(document, place, target) {
  const moved = Object.entries(groupsOf(document));
  moved.splice(target, 0, ...moved.splice(place, 1));
  (document.invited ?? document).groups = Object.fromEntries(moved);
}

/**
 * The groups, one of them with another id, and a number behind it if it is used already.
 *
 * An object has ids of digits alone first, whatever their place, so they get a sign before them.
 *
 * @param {Definition} groups
 * @param {number} place
 * @param {string} id
 */
export function renamedGroups(groups, place, id) {
  const entries = Object.entries(groups);
  const others = Object.keys(groups).filter((_, other) => other !== place);
  const placed = /^\d+$/.test(id) ? `_${id}` : id;
  return Object.fromEntries(entries.map(([name, group], other) => [other === place ? free(placed, others) : name, group]));
}

/** Whether a group is so small that its reports are badly hidden. @param {Definition} document */
export function hasSmallGroup(document) {
  return Object.values(groupsOf(document)).some(({ invited }) => typeof invited === "number" && invited < SMALL_GROUP);
}

/**
 * The groups of invited people for which no issuer made a key.
 *
 * @param {Definition} document
 * @returns {[string, Definition][]}
 */
export function groupsWithoutKey(document) {
  return Object.entries(groupsOf({ invited: document.invited ?? {} })).filter(([, group]) => !group.modulus);
}

/**
 * The path with the place of a group for its id, as in the ids of its fields.
 *
 * @param {Definition} document
 * @param {Path} path
 */
export function withPlace(document, path) {
  const base = groupsPath(document);
  const isOfGroup = base.every((key, index) => path[index] === key) && path.length > base.length;
  const place = isOfGroup ? groupIds(document).indexOf(String(path[base.length])) : -1;
  return place < 0 ? path : [...base, place, ...path.slice(base.length + 1)];
}

/**
 * A draft in whose paths the place of a group is in place of its id, which may change while
 * somebody writes.
 *
 * @param {import("./fields.js").Draft} draft
 * @returns {import("./fields.js").Draft}
 */
export function byPlace(draft) {
  const base = groupsPath(draft.document);
  const named = (/** @type {Path} */ path) => [
    ...base, groupIds(draft.document)[Number(path[base.length])] ?? "", ...path.slice(base.length + 1),
  ];
  return {
    get document() {
      return draft.document;
    },
    at: (path) => draft.at(named(path)),
    // An empty field stays, so that a group is not removed with its last value.
    set: (path, value) => draft.set(named(path), value ?? ""),
  };
}
