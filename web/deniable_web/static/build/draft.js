/** The survey that is being written: a definition, kept in this tab alone. */
import { putAt, valueAt } from "./paths.js";
import { divideTexts } from "./translations.js";

/** @typedef {import("./paths.js").Definition} Definition */
/** @typedef {import("./paths.js").Path} Path */

const KEY = "deniable-draft";
const FACTS = "deniable-draft-facts";
const SAVED = "deniable-draft-saved";
const MOST_UNDONE = 30;

/** @param {unknown} document */
function isUsable(document) {
  return (
    typeof document === "object" && document !== null && Array.isArray(valueAt(document, ["questions"]))
  );
}

/** Tells whoever listens when its texts or its structure change. */
export class Draft extends EventTarget {
  /** @type {Definition} */
  document;
  /**
   * The questions that were fixed in the published edition which this draft follows.
   *
   * @type {readonly string[]}
   */
  facts = stored(FACTS, Array.isArray) ?? [];
  /** @type {string[]} */
  #undone = [];
  /** @type {Definition} */
  #example;
  /** What is kept elsewhere too: the example, a file, a published survey. */
  #saved;

  /** @param {Definition} example what a new survey begins with. */
  constructor(example) {
    super();
    this.#example = example;
    this.document = stored(KEY, isUsable) ?? structuredClone(example);
    this.#saved = stored(SAVED, isUsable) ?? structuredClone(example);
  }

  get canUndo() {
    return this.#undone.length > 0;
  }

  /** Whether anything is there that is in no file and not published. */
  get isUnsaved() {
    return JSON.stringify(this.document) !== JSON.stringify(this.#saved);
  }

  /** The draft as it is now is kept elsewhere too. */
  markSaved() {
    this.#saved = structuredClone(this.document);
    keep(SAVED, this.#saved);
  }

  /** @param {Path} path */
  at(path) {
    return valueAt(this.document, path);
  }

  /**
   * Puts a text or number at a place; fields stay as they are.
   *
   * @param {Path} path
   * @param {unknown} value undefined takes it away.
   */
  set(path, value) {
    putAt(this.document, path, value);
    this.#tell("edited");
  }

  /**
   * Changes what there is; it can be undone, and the fields are made anew.
   *
   * @param {(document: Definition) => void} change
   */
  restructure(change) {
    this.#undone.push(JSON.stringify(this.document));
    if (this.#undone.length > MOST_UNDONE) this.#undone.shift();
    change(this.document);
    this.#tell("restructured");
  }

  /**
   * Puts what is kept elsewhere in the place of what there is; it can be undone.
   *
   * @param {Definition} document
   * @param {string[]} facts the fixed questions of the edition before, if there is one.
   */
  replace(document, facts = []) {
    this.facts = facts;
    keep(FACTS, facts);
    this.restructure(() => {
      this.document = structuredClone(document);
      if (!Array.isArray(this.document.questions)) this.document.questions = [];
      divideTexts(this.document);
    });
    this.markSaved();
  }

  startOver() {
    this.replace(this.#example);
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

/**
 * @param {string} key
 * @param {unknown} value
 */
function keep(key, value) {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A full or forbidden storage: the draft lives as long as the page.
  }
}

/**
 * @param {string} key
 * @param {(value: unknown) => boolean} fits
 */
function stored(key, fits) {
  try {
    const found = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return fits(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** A published draft is not offered again as a new survey. */
export function forgetDraft() {
  for (const key of [KEY, FACTS, SAVED]) sessionStorage.removeItem(key);
}
