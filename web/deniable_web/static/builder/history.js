/** The changes of a draft, each of which can be taken back and made again. */
import { merge } from "./merge.js";

/** @import { Definition } from "./paths.js" */
/** One change: the draft before and after it, as JSON. @typedef {{ before: string, after: string, place: string }} Change */

const MOST = 100;
/** What is written at one place without a longer pause is one change. */
const STRETCH_MS = 1_000;

export class History {
  /** @type {Change[]} */
  #past = [];
  /** @type {Change[]} */
  #future = [];
  #present;
  #changed = 0;

  /** @param {Definition} draft */
  constructor(draft) {
    this.#present = JSON.stringify(draft);
  }

  get hasPast() {
    return this.#past.length > 0;
  }

  get hasFuture() {
    return this.#future.length > 0;
  }

  /**
   * Notes what the author changed.
   *
   * @param {Definition} draft as it is now.
   * @param {string} place the field in which the author writes; empty if there is none.
   */
  note(draft, place) {
    const [before, after] = [this.#present, JSON.stringify(draft)];
    if (before === after) return;
    const last = this.#past.at(-1);
    const isMore = place !== "" && last?.place === place && Date.now() - this.#changed < STRETCH_MS;
    if (last && isMore && !this.hasFuture) last.after = after;
    else this.#past.push({ before, after, place });
    this.#past.splice(0, this.#past.length - MOST);
    this.#future = [];
    this.#present = after;
    this.#changed = Date.now();
  }

  /** Notes what follows from the last change, and goes with it. @param {Definition} draft as it is now. */
  amend(draft) {
    this.take(draft);
    const last = this.#past.at(-1);
    if (last) last.after = this.#present;
  }

  /** Notes what others changed: that is not taken back. @param {Definition} draft as it is now. */
  take(draft) {
    this.#present = JSON.stringify(draft);
  }

  /**
   * The draft without the last change, or with the next one again; others' changes stay.
   *
   * @param {"back" | "again"} way
   * @returns {{ merged: Definition, conflicts: unknown[] } | undefined} undefined if there is no such change.
   */
  step(way) {
    const [from, to] = way === "back" ? [this.#past, this.#future] : [this.#future, this.#past];
    const change = from.pop();
    if (!change) return undefined;
    // At the next change of the same place, writing begins anew.
    to.push({ ...change, place: "" });
    const [base, wanted] = way === "back" ? [change.after, change.before] : [change.before, change.after];
    const found = merge(JSON.parse(base), JSON.parse(this.#present), JSON.parse(wanted));
    this.take(found.merged);
    return found;
  }
}
