/** The survey that is being written: a definition, stored in this tab only. */
import { putAt, valueAt } from "./paths.js";
import { divideTexts } from "./translations.js";

/** @import { Definition, Path, WholeDefinition } from "./paths.js" */

const KEY = "deniable-draft";
const FACTS = "deniable-draft-facts";
const SAVED = "deniable-draft-saved";
export const KEPT = "deniable-draft-kept";
const PARTS = [KEY, FACTS, SAVED, KEPT];
const AUTHOR = "deniable-draft-author";
const MOST_UNDONE = 30;

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
  /** @type {string[]} */
  #undone = [];
  /** The last version that also exists elsewhere: the example, a file, a published survey. */
  #saved;

  /** @param {WholeDefinition} example the definition of a new survey. */
  constructor(example) {
    super();
    this.example = example;
    this.document = stored(KEY, isUsable) ?? structuredClone(example);
    this.#saved = stored(SAVED, isUsable) ?? structuredClone(example);
  }

  get canUndo() {
    return this.#undone.length > 0;
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
   */
  set(path, value) {
    putAt(this.document, path, value);
    this.#tell("edited");
  }

  /**
   * Changes the draft so that it can be undone; the fields are rendered again.
   *
   * @param {(document: WholeDefinition) => void} change
   */
  restructure(change) {
    this.#undone.push(JSON.stringify(this.document));
    if (this.#undone.length > MOST_UNDONE) this.#undone.shift();
    change(this.document);
    this.#tell("restructured");
  }

  /**
   * Replaces the draft with a definition from elsewhere; this can be undone.
   *
   * @param {Definition} document
   * @param {string[]} facts the fixed questions of the previous edition, if there is one.
   */
  replace(document, facts = []) {
    this.facts = facts;
    keep(FACTS, facts);
    this.restructure(() => {
      const questions = Array.isArray(document.questions) ? document.questions : [];
      this.document = structuredClone({ ...document, questions });
      divideTexts(this.document);
    });
    this.markSaved();
  }

  /**
   * Replaces the draft with the version that has the changes of others, too. Nothing before it
   * can be undone: that would remove their changes.
   *
   * @param {Definition} kept with `definition` and `facts`.
   */
  take({ definition, facts }) {
    this.facts = facts;
    keep(FACTS, facts);
    this.document = structuredClone(definition);
    this.#undone = [];
    this.#tell("restructured");
  }

  startOver() {
    this.replace(this.example);
  }

  undo() {
    const before = this.#undone.pop();
    if (before === undefined) return;
    this.document = JSON.parse(before);
    this.#tell("restructured");
  }

  /** @param {"edited" | "restructured"} what */
  #tell(what) {
    keep(KEY, this.document);
    keep(SAVED, this.#saved);
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
