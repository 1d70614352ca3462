/** Groups of respondents that an organizer gives, by a link or by an invitation; nobody answers them. */

import { fixedOutputs } from "./block.js";
import { ID } from "./reading.js";
import { inLanguage, readOptionalText } from "./text.js";

/** @import { Block } from "./block.js" */
/** @import { Section } from "./reading.js" */
/** @import { Text } from "./text.js" */

/**
 * Some of the people who may answer, and how many. Their reports carry the id. A group of invited
 * people has the key that signs their tokens, in base64url; its reports go to the site if there is one.
 *
 * @typedef {{ readonly id: string, readonly text: Text | null, readonly people: number, readonly modulus: string | null, readonly site: string | null }} Group
 */

const MAX_GROUPS = 24;
const MAX_PEOPLE = 10_000_000;
/** A report is hidden among so many people of its group at least. */
export const SMALL_GROUP = 20;
/** What does not tell a name from others: controls, formats, blanks, punctuation, and what shows nothing. */
const UNSHOWN =
  /[\p{P}\p{Z}\p{C}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
/** Greek and Cyrillic capitals, and the Latin ones that they look like. */
const LOOK_ALIKES = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕЅІЈКМНОРСТУХ";
const LATIN = "ABEZHIKMNOPTYXABESIJKMHOPCTYX";
const MODULUS = {
  pattern: /^[g-z\d_-][\w-]{340}[Qw]$/,
  rule: "an odd modulus of 2048 bits in base64url",
};

/**
 * The groups of a section, checked together.
 *
 * @param {Section} section
 * @param {"number" | "invited"} people the key that says how many: of groups by link, or by invitation.
 * @param {boolean} [areSmall] whether groups may have few people.
 */
export function readGroups(section, people, areSmall) {
  const groups = section.sections("groups", 1, MAX_GROUPS).map((inner) => readGroup(inner, people));
  if (haveTwins(groups)) section.refuse("two groups have names that look the same", "groups");
  if (!areSmall && groups.some((group) => group.people < SMALL_GROUP)) {
    section.refuse(`a group has fewer than ${SMALL_GROUP} people`, "groups");
  }
  return section.withoutTwins("groups", groups);
}

/** @param {Section} section @param {"number" | "invited"} people @returns {Group} */
function readGroup(section, people) {
  const isInvited = people === "invited";
  section.refuseUnknown(["id", "text", people, ...(isInvited ? ["modulus", "site"] : [])]);
  return {
    id: section.identifier("id", ID),
    text: readOptionalText(section, "text"),
    people: section.integer(people, 1, MAX_PEOPLE),
    modulus: isInvited ? section.identifier("modulus", MODULUS) : null,
    site: section.has("site") ? section.identifier("site", ID) : null,
  };
}

/**
 * Whether reports of one person could be matched by the values that devices repeat: with fewer than
 * 20 people for each value, among those of a group who are asked as many fixed blocks as possible.
 *
 * @param {number} people of the group.
 * @param {{ readonly asked: number, readonly blocks: readonly Block[] }} read
 */
export function areLinked(people, { asked, blocks }) {
  const fixed = blocks.filter((block) => block.fixed).length;
  // At most 4 are legal, so what is needed is far below 2^53.
  let needed = SMALL_GROUP * fixedOutputs(blocks);
  for (let index = 0; index < Math.min(asked, fixed); index += 1) {
    needed *= blocks.length - index;
    people *= asked - index;
  }
  return fixed > 0 && needed > people;
}

/**
 * Whether two names look the same to the readers of a language, or one shows no letter or digit.
 *
 * @param {readonly Group[]} groups
 */
function haveTwins(groups) {
  const names = groups.map(({ id, text }) => text ?? id);
  const languages = names.flatMap((name) => (typeof name === "string" ? [] : Object.keys(name)));
  // The first is any language that none of them is written in.
  return ["", ...languages].some((language) => {
    const shown = names.map((name) => skeleton(inLanguage(name, language)));
    return shown.includes("") || new Set(shown).size < shown.length;
  });
}

/**
 * What tells a name from others at a glance: two names with the same one look the same.
 *
 * Source: Unicode Technical Standard 39, section 4, whose tables are much longer.
 *
 * @param {string} name
 */
function skeleton(name) {
  const kept = name.normalize("NFKC").replace(UNSHOWN, "");
  // Lower case before upper case, so that variants of one letter become one.
  const capitals = kept.toLowerCase().toUpperCase().normalize("NFKC");
  return [...capitals].map((letter) => LATIN[LOOK_ALIKES.indexOf(letter)] ?? letter).join("");
}
