/** Keeps the draft at the server, together with the changes of everybody who writes it. */
import { getJson, sendJson, tried } from "../manage/access.js";
import { watch } from "../manage/watching.js";
import { keepingFocus } from "./dom.js";
import { KEPT, keep, stored } from "./draft.js";
import { merge } from "./merge.js";

/** @import { Refusal } from "../manage/access.js" */
/** @import { Draft } from "./draft.js" */
/** @import { Definition } from "./paths.js" */

/**
 * The draft as the server has it.
 *
 * @typedef {object} Kept
 * @property {string} id
 * @property {number} version
 * @property {Definition} document its version in this tab before anything was changed.
 */
/** @typedef {"saving" | "saved" | "tab" | "failed" | "removed"} State */

const DRAFTS = "manage/drafts";
const SETTLE_MS = 800;
const EVERY_MS = 4_000;
const CHANGED = "urn:deniable:problem:draft-changed";
const UNKNOWN = "urn:deniable:problem:unknown-draft";

/** @param {string} id */
export function addressOf(id) {
  return `${DRAFTS}/${encodeURIComponent(id)}`;
}

/** The state of a draft with its newest document. @param {string} id */
export function newestOf(id) {
  return getJson(`${addressOf(id)}/newest`);
}

/** Tells its listeners in which state the draft is, who else has it open, and what others have changed. */
export class Keeper extends EventTarget {
  #draft;
  /** @type {Kept | undefined} */
  #kept = stored(KEPT, (/** @type {any} */ kept) =>
    typeof kept?.id === "string" && typeof kept.version === "number" && typeof kept.document === "object");
  #isKept = true;
  /** Whether the page says that nothing is left to save. */
  #isSettled = true;
  /** Whether somebody has removed the draft, and nothing was changed since. */
  #isRemoved = false;
  #timer = 0;
  /** The request that is under way, if there is one: there is never a second. */
  #busy = Promise.resolve();

  /** @param {Draft} draft */
  constructor(draft) {
    super();
    this.#draft = draft;
  }

  get id() {
    return this.#kept?.id;
  }

  /**
   * Opens the draft in the address, or goes on with the one of this tab.
   *
   * @throws {Refusal} the draft in the address cannot be opened.
   */
  async begin() {
    const wanted = new URLSearchParams(location.search).get("draft");
    try {
      if (wanted && wanted !== this.#kept?.id) await this.#open(wanted);
    } finally {
      this.#showAddress();
      for (const change of ["edited", "restructured"]) this.#draft.addEventListener(change, () => {
        this.#isRemoved = false;
        this.#soon();
      });
      this.#soon();
      watch(() => this.#look(), EVERY_MS);
    }
  }

  /** The next change begins a new draft; this one stays as it is at the server. */
  leave() {
    this.#remember(undefined);
    this.#showAddress();
  }

  /** @param {string} id */
  async #open(id) {
    const { version, definition, facts, created_by: author } = await newestOf(id);
    this.#remember({ id, version, document: { definition, facts } });
    this.#draft.open({ definition, facts });
    this.#draft.markSaved();
    this.#tell("saved");
    this.dispatchEvent(new CustomEvent("opened", { detail: author }));
  }

  #soon() {
    // A change that was taken back ends in "saved", too.
    if (!this.#isKept || (this.#isSettled && !this.#isChanged)) return;
    this.#tell("saving");
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#next(() => this.#send()), SETTLE_MS);
  }

  get #isChanged() {
    const before = this.#kept ? this.#kept.document.definition : this.#draft.example;
    return JSON.stringify(this.#draft.document) !== JSON.stringify(before);
  }

  /** Does something once no other request is under way. @param {() => Promise<void>} act */
  #next(act) {
    this.#busy = this.#busy.then(() => this.#attempt(act));
    return this.#busy;
  }

  /** Saves what has changed. */
  async #send() {
    if (this.#kept && !this.#isChanged) {
      this.#settle();
      return;
    }
    const document = structuredClone(this.#draft.whole);
    const kept = this.#kept;
    const { id, version } = kept
      ? { ...(await sendJson(addressOf(kept.id), { ...document, version: kept.version }, undefined, "PUT")), id: kept.id }
      : await sendJson(DRAFTS, document);
    this.#remember({ id, version, document });
    if (!kept) this.#showAddress();
    this.#settle();
  }

  /** Goes on saving if something has changed meanwhile. */
  #settle() {
    if (this.#isChanged) {
      this.#soon();
      return;
    }
    this.#draft.markSaved();
    this.#tell("saved");
  }

  /** Gets what others have saved meanwhile; resolves to whether to look again. */
  async #look() {
    const kept = this.#kept;
    if (kept) {
      await this.#next(async () => {
        const newest = await getJson(addressOf(kept.id));
        this.dispatchEvent(new CustomEvent("met", { detail: newest.present }));
        if (this.#kept?.id === kept.id && newest.version > this.#kept.version) await this.#merge(kept.id);
      });
    }
    // What could not be saved is tried again.
    if (!this.#isRemoved) this.#soon();
    return this.#isKept;
  }

  /** @param {string} id */
  async #merge(id) {
    const { version, definition, facts, changed_by: author } = await newestOf(id);
    const theirs = { definition, facts };
    const before = this.#kept?.document ?? theirs;
    const { merged, conflicts } = merge(before, this.#draft.whole, theirs);
    this.#remember({ id, version, document: theirs });
    keepingFocus(() => this.#draft.take(merged));
    this.dispatchEvent(new CustomEvent("merged", { detail: { author, conflicts } }));
    this.#settle();
  }

  /** @param {() => Promise<void>} act */
  async #attempt(act) {
    if (this.#isKept) await tried(act, (_, refusal) => this.#refused(refusal));
  }

  /** @param {Refusal} refusal */
  async #refused(refusal) {
    const kept = this.#kept;
    if (refusal.problem.type === CHANGED && kept) {
      await this.#attempt(() => this.#merge(kept.id));
    } else if (refusal.problem.type === UNKNOWN) {
      this.#remember(undefined);
      this.#isRemoved = true;
      this.#tell("removed");
    } else if (refusal.status === 404) {
      // This server keeps no drafts.
      this.#isKept = false;
      this.#tell("tab");
    } else this.#tell("failed", refusal.message);
  }

  /** @param {Kept | undefined} kept */
  #remember(kept) {
    this.#kept = kept;
    keep(KEPT, kept ?? null);
  }

  #showAddress() {
    const query = new URLSearchParams(location.search);
    for (const name of ["draft", "new", "template", "in"]) query.delete(name);
    if (this.#kept) query.set("draft", this.#kept.id);
    history.replaceState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}`);
  }

  /** @param {State} state @param {string} [reason] */
  #tell(state, reason = "") {
    this.#isSettled = state !== "saving" && state !== "failed";
    this.dispatchEvent(new CustomEvent("state", { detail: { state, reason } }));
  }
}
