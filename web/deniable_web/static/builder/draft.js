/** The survey that is being written: a definition, stored in this tab only. */
import { History } from "./history.js";
import { putAt, valueAt } from "./paths.js";
import { divideTexts } from "./translations.js";

/** @import { Definition, Path, WholeDefinition } from "./paths.js" */

const KEY = "deniable-draft";
const FACTS = "deniable-draft-facts";
const SAVED = "deniable-draft-saved";
export const KEPT = "deniable-draft-kept";
const PARTS = [KEY, FACTS, SAVED, KEPT];
const AUTHOR = "deniable-draft-author";

/** @param {unknown} document */
function isUsable(document) {
  return (
    typeof document === "object" && document !== null && Array.isArray(valueAt(document, ["questions"]))
  );
}

/** Notifies its listeners when its texts or its structure change. */
export class Draft extends EventTarget {
  /** @type {WholeDefinition} */
  document;
  /**
   * The questions that are fixed in the previous edition of this draft.
   *
   * @type {readonly string[]}
   */
  facts = stored(FACTS, Array.isArray) ?? [];
  /** The last version that also exists elsewhere: the example, a file, a published survey. */
  #saved;

  /** @param {WholeDefinition} example the definition of a new survey. */
  constructor(example) {
    super();
    this.example = example;
    this.document = stored(KEY, isUsable) ?? structuredClone(example);
    this.#saved = stored(SAVED, isUsable) ?? structuredClone(example);
    this.history = new History(this.whole);
  }

  /** What is kept and merged: the definition, and its facts. */
  get whole() {
    return { definition: this.document, facts: [...this.facts] };
  }

  /** Whether it contains changes that are neither in a file nor published. */
  get isUnsaved() {
    return JSON.stringify(this.document) !== JSON.stringify(this.#saved);
  }

  /** Notes that the present draft also exists elsewhere. */
  markSaved() {
    this.#saved = structuredClone(this.document);
    keep(SAVED, this.#saved);
  }

  /** @param {Path} path */
  at(path) {
    return valueAt(this.document, path);
  }

  /** The index of the question with an id, or -1. @param {unknown} id */
  indexOf(id) {
    return this.document.questions.findIndex((question) => question.id === id);
  }

  /**
   * Sets the text or number at a path; the fields on the page stay as they are.
   *
   * @param {Path} path
   * @param {unknown} value undefined removes it.
   * @param {boolean} [isFollowing] whether it only follows what was written before.
   */
  set(path, value, isFollowing = false) {
    putAt(this.document, path, value);
    if (isFollowing) this.history.amend(this.whole);
    else this.history.note(this.whole, document.activeElement?.id ?? "");
    this.#tell("edited");
  }

  /**
   * Changes the draft; the fields are rendered again.
   *
   * @param {(document: WholeDefinition) => void} change
   */
  restructure(change) {
    change(this.document);
    this.history.note(this.whole, "");
    this.#tell("restructured");
  }

  /**
   * Replaces the draft with a definition from elsewhere.
   *
   * @param {Definition} document
   * @param {string[]} facts the fixed questions of the previous edition, if there is one.
   */
  replace(document, facts = []) {
    this.facts = facts;
    this.restructure(() => {
      const questions = Array.isArray(document.questions) ? document.questions : [];
      this.document = structuredClone({ ...document, questions });
      divideTexts(this.document);
    });
    this.markSaved();
  }

  /** Replaces the draft with another one, in which nothing was changed yet. @param {Definition} kept */
  open(kept) {
    this.history = new History(kept);
    this.take(kept);
  }

  /**
   * Replaces the draft with the version that has the changes of others, too.
   *
   * @param {Definition} kept with `definition` and `facts`.
   */
  take({ definition, facts }) {
    this.facts = facts;
    this.document = structuredClone(definition);
    this.history.take(this.whole);
    this.#tell("restructured");
  }

  startOver() {
    this.replace(this.example);
  }

  /**
   * Takes back the last change, or makes the next one again.
   *
   * @param {"back" | "again"} way
   * @returns {number | undefined} at how many places others have changed the same since, which stay;
   *     undefined if there is no such change.
   */
  step(way) {
    const found = this.history.step(way);
    if (found === undefined) return undefined;
    this.facts = found.merged.facts;
    this.document = found.merged.definition;
    this.#tell("restructured");
    return found.conflicts.length;
  }

  /** @param {"edited" | "restructured"} what */
  #tell(what) {
    keep(KEY, this.document);
    keep(FACTS, this.facts);
    this.dispatchEvent(new Event(what));
  }
}

/** @param {string} key @param {unknown} value */
export function keep(key, value) {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The storage is full or forbidden: the draft exists only as long as the page.
  }
}

/** @param {string} key @param {(value: unknown) => boolean} fits */
export function stored(key, fits) {
  try {
    const found = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return fits(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Whether this tab has a draft. */
export function hasDraft() {
  return stored(KEY, isUsable) !== undefined;
}

/** Forgets a published draft, so that it is not offered as a new survey. */
export function forgetDraft() {
  for (const key of PARTS) sessionStorage.removeItem(key);
}

/**
 * Gives the tab the draft of an account. That of another account waits for its return, so that
 * nobody saves the draft of somebody else as their own.
 *
 * @param {string} name
 */
export function useDraftOf(name) {
  const before = stored(AUTHOR, (author) => typeof author === "string") ?? name;
  keep(AUTHOR, name);
  if (before === name) return;
  for (const key of PARTS) {
    move(key, `${key} of ${before}`);
    move(`${key} of ${name}`, key);
  }
}

/** @param {string} from @param {string} to */
function move(from, to) {
  const value = sessionStorage.getItem(from);
  if (value === null) return;
  sessionStorage.setItem(to, value);
  sessionStorage.removeItem(from);
}
