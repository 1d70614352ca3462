/** Reading a document key by key, collecting every problem with its place. */

import { isObject } from "../canonical.js";
import { formatPath, quote } from "../errors.js";

/** @import { JSONObject, JSONValue } from "../canonical.js" */

/** @typedef {{ pattern: RegExp, rule: string }} Naming */

export const ID = {
  pattern: /^[a-z][a-z0-9_]{0,39}$/,
  rule: "a lower-case letter, then up to 39 letters, digits or underscores",
};

export const BLOCK_ID = {
  pattern: /^[a-z][a-z0-9_]{0,62}$/,
  rule: "a lower-case letter, then up to 62 letters, digits or underscores",
};

export const SLUG = {
  pattern: /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
  rule: "1 to 64 lower-case letters, digits and inner hyphens",
};

/** One object of a document: its keys, its place and where problems go. */
export class Section {
  /** @type {JSONObject} */
  #values;

  /**
   * @param {JSONValue | undefined} value
   * @param {readonly (string | number)[]} path
   * @param {string[]} problems
   */
  constructor(value, path, problems) {
    this.path = path;
    this.problems = problems;
    this.isObject = isObject(value);
    this.#values = isObject(value) ? value : {};
    if (!this.isObject) {
      this.refuse(`got ${quote(value)}; allowed is an object`);
    }
  }

  /** @param {string} key */
  has(key) {
    return Object.hasOwn(this.#values, key);
  }

  /**
   * The value under a key of this object itself, never an inherited one.
   *
   * @param {string} key
   * @returns {JSONValue | undefined}
   */
  value(key) {
    return this.has(key) ? this.#values[key] : undefined;
  }

  /**
   * A section for each object in a list under a key, the length checked.
   *
   * @param {string} key
   * @param {number} shortest
   * @param {number} longest
   */
  sections(key, shortest, longest) {
    return this.members(key, shortest, longest, key).map(
      (member, index) => new Section(member, [...this.path, key, index], this.problems),
    );
  }

  /**
   * The section of the object under a key.
   *
   * @param {string} key
   */
  inner(key) {
    return new Section(this.value(key), [...this.path, key], this.problems);
  }

  /**
   * Reads the object under a key; null if the key is absent.
   *
   * @template T
   * @param {string} key
   * @param {(inner: Section) => T} read
   */
  optional(key, read) {
    return this.has(key) ? read(this.inner(key)) : null;
  }

  /**
   * Note a problem with this section or with something inside it.
   *
   * @param {string} message
   * @param {...(string | number)} steps
   */
  refuse(message, ...steps) {
    this.problems.push(`${formatPath([...this.path, ...steps])}: ${message}`);
  }

  /**
   * Note every key that is not allowed here.
   *
   * @param {readonly string[]} allowed
   */
  refuseUnknown(allowed) {
    for (const key of Object.keys(this.#values)) {
      if (!allowed.includes(key)) {
        this.refuse(`unknown key; allowed are ${allowed.join(", ")}`, key);
      }
    }
  }

  /**
   * The members that a list under a key has; two of the same id are a problem.
   *
   * @template {{ readonly id: string }} Member
   * @param {string} key
   * @param {readonly Member[]} members
   */
  withoutTwins(key, members) {
    const ids = new Set(members.map(({ id }) => id));
    if (ids.size < members.length) this.refuse("an id is repeated", key);
    return members;
  }

  /**
   * The value under a key if it fits; else a problem, and `otherwise`.
   *
   * @param {string} key
   * @param {string} rule what is allowed.
   * @param {(value: any) => unknown} fits
   * @param {any} otherwise
   */
  read(key, rule, fits, otherwise) {
    const value = this.value(key);
    if (!this.has(key)) {
      // Of what is no object, that is the problem.
      if (this.isObject) this.refuse(`the key ${quote(key)} is missing; it takes ${rule}`);
    } else if (fits(value)) {
      return value;
    } else {
      this.refuse(`got ${quote(value)}; allowed is ${rule}`, key);
    }
    return otherwise;
  }

  /**
   * The text under a key if it fits the naming, else "".
   *
   * @param {string} key
   * @param {Naming} naming
   * @returns {string}
   */
  identifier(key, { pattern, rule }) {
    return this.read(key, rule, (value) => typeof value === "string" && pattern.test(value), "");
  }

  /**
   * True or false under a key.
   *
   * @param {string} key
   * @param {boolean} [isNeeded] or false where it is missing.
   * @returns {boolean}
   */
  flag(key, isNeeded = true) {
    if (!isNeeded && !this.has(key)) return false;
    return this.read(key, "true or false", (value) => typeof value === "boolean", false);
  }

  /**
   * A whole number in a range, else `lowest`.
   *
   * @param {string} key
   * @param {number} lowest
   * @param {number} highest
   * @returns {number}
   */
  integer(key, lowest, highest) {
    const rule = `a whole number from ${lowest} to ${highest}`;
    /** @param {unknown} value */
    const fits = (value) => typeof value === "number" && value >= lowest && value <= highest;
    return this.read(key, rule, fits, lowest);
  }

  /**
   * The members of a list under a key, its length checked.
   *
   * @param {string} key
   * @param {number} shortest
   * @param {number} longest
   * @param {string} what
   * @returns {readonly JSONValue[]}
   */
  members(key, shortest, longest, what) {
    const rule = `a list of ${shortest} to ${longest} ${what}`;
    const list = this.read(key, rule, Array.isArray, null);
    if (list && (list.length < shortest || list.length > longest)) {
      this.refuse(`got ${list.length} ${what}; allowed is ${rule}`, key);
    }
    return (list ?? []).slice(0, longest + 1);
  }
}
