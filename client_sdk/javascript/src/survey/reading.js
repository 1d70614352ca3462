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
      this.refuse(`got ${quote(value)}; allowed is an object with keys and values`);
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
   * Note a problem with this section or with something inside it.
   *
   * @param {string} message
   * @param {...(string | number)} steps
   */
  refuse(message, ...steps) {
    this.problems.push(`${formatPath([...this.path, ...steps])}: ${message}`);
  }

  /**
   * Note that the value under a key is none that is allowed; a missing one is
   * noted by `require`.
   *
   * @param {string} key
   * @param {string} rule
   */
  refuseValue(key, rule) {
    if (this.has(key)) this.refuse(`got ${quote(this.value(key))}; allowed is ${rule}`, key);
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
    if (ids.size < members.length) this.refuse("an id stands twice", key);
    return members;
  }

  /**
   * The value under a key; a missing one is a problem, and undefined.
   *
   * @param {string} key
   * @param {string} allowed
   */
  require(key, allowed) {
    if (this.isObject && !this.has(key)) {
      this.refuse(`the key ${quote(key)} is missing; it takes ${allowed}`);
    }
    return this.value(key);
  }

  /**
   * The text under a key if it fits the naming, else "" and a problem.
   *
   * @param {string} key
   * @param {Naming} naming
   */
  identifier(key, { pattern, rule }) {
    const value = this.require(key, rule);
    if (typeof value === "string" && pattern.test(value)) return value;
    this.refuseValue(key, rule);
    return "";
  }

  /**
   * True or false under a key.
   *
   * @param {string} key
   * @param {boolean} [isNeeded] or false where it is missing.
   */
  flag(key, isNeeded = true) {
    const rule = "true or false";
    const value = isNeeded ? this.require(key, rule) : this.value(key);
    if (typeof value !== "boolean") this.refuseValue(key, rule);
    return value === true;
  }

  /**
   * A whole number in a range; a bad one is a problem, and `lowest`.
   *
   * @param {string} key
   * @param {number} lowest
   * @param {number} highest
   */
  integer(key, lowest, highest) {
    const rule = `a whole number from ${lowest} to ${highest}`;
    const value = this.require(key, rule);
    if (typeof value === "number" && value >= lowest && value <= highest) return value;
    this.refuseValue(key, rule);
    return lowest;
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
    const value = this.require(key, rule);
    if (!Array.isArray(value)) {
      this.refuseValue(key, rule);
      return [];
    }
    if (value.length < shortest || value.length > longest) {
      this.refuse(`got ${value.length} ${what}; allowed is ${rule}`, key);
    }
    return value.slice(0, longest + 1);
  }
}
