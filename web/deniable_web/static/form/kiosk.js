/** One device for many people: wiped after each of them. */
import { openClient } from "../sdk/client.js";
import { ALONE } from "../sdk/client/client.js";
import { IndexedDBStore, webLock } from "../sdk/client/storage/indexeddb.js";
import { preferredLanguage, showLanguage } from "./language.js";
import { askBeforeLeaving } from "./leaving.js";
import { all, element, sayVariant } from "./page.js";
import { HOSTING } from "./served.js";

/** @import { Client } from "../sdk/client.js" */
/** @import { Store, Stored } from "../sdk/client/storage/contract.js" */
/** @import { Standing } from "./delivery.js" */

const FRAGMENT = "#kiosk";
// When this tab was touched last, in milliseconds; 0 while nobody is there. A tab without it
// is not shared.
const TOUCHED = "deniable touched";

const SECOND_MS = 1_000;
const ALONE_MS = 60_000;
// WCAG 2.2.1 asks for at least 20 seconds in which a person can ask for more time.
const WARNED_MS = 20_000;
const THANKED_MS = 10_000;
// The warning is read aloud when it appears, and then every five seconds.
const SPOKEN_S = 5;

const TOUCHES = ["pointerdown", "pointermove", "keydown", "input", "click"];
// What is true only of one's own device. A report that waits is tried again by itself.
const UNSHARED = "[data-unshared], #waiting [data-action=try]";
/** @type {readonly string[]} */
const OVER = ["sent", "declined", "waiting", "refused", "answered", "closed"];
const PERSON = "deniable person";
const UNSENT = "deniable unsent";

/**
 * The shared device, if this tab is one and the survey is by invitation.
 */
export async function openKiosk() {
  const page = /** @type {HTMLTemplateElement | null} */ (
    document.querySelector("template[data-language]")
  );
  if (!page?.content.querySelector("#shared")) return null;
  if (lastTouch() === null && !(location.hash === FRAGMENT && (await isShared()))) {
    addEventListener("hashchange", () => {
      if (location.hash === FRAGMENT) location.reload();
    });
    return null;
  }
  const kiosk = new Kiosk();
  await kiosk.begin();
  return kiosk;
}

/**
 * Whether somebody says that many people share this device.
 *
 * A shared device finds no earlier report, and does not count other surveys: a link alone must
 * not take this protection from the device of one person.
 */
async function isShared() {
  showLanguage(preferredLanguage());
  const dialog = element("share", HTMLDialogElement);
  element("share-no").addEventListener("click", () => dialog.close());
  element("share-yes").addEventListener("click", () => dialog.close("shared"));
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve));
  if (dialog.returnValue === "shared") return true;
  history.replaceState(history.state, "", location.pathname + location.search);
  return false;
}

/** The tab of a shared device, from one person to the next. */
export class Kiosk {
  #person = personStore();
  /** @type {Promise<Client>} sends the reports of those who have left. */
  #unsent;
  #waiting = 0;
  #touched = lastTouch() ?? 0;
  #limit = ALONE_MS;
  #isOver = false;
  #isEnding = false;

  constructor() {
    this.#unsent = openClient({
      ...HOSTING,
      storage: new UnsentStore(),
      // Only reports that their people have decided to send are there.
      consent: true,
      epsilonCap: null,
      yearlyCap: null,
      log: () => void this.#count(),
    });
    Object.assign(HOSTING, { storage: this.#person });
  }

  /** Wipe what somebody has left here, and wait for the next person. */
  async begin() {
    // A link with a code is the next person's.
    if (!this.#touched || this.#isLate() || location.hash.startsWith("#code=")) {
      this.#touched = 0;
      await this.#wipe().catch(() => {
        // Without storage, the form says that it cannot be filled in.
      });
    }
    for (const type of TOUCHES) addEventListener(type, (event) => this.#touch(event), true);
    addEventListener("hashchange", () => void this.#end());
    setInterval(() => this.#tick(), SECOND_MS);
    void this.#count();
  }

  /** @param {Standing} standing what the page shows. */
  show({ panel }) {
    if (this.#touched && !this.#isOver && OVER.includes(panel)) {
      this.#isOver = true;
      this.#touched = Date.now();
      // If it fails, it is tried again at the end.
      this.#wipe().catch(() => {});
    }
    const isThanked = panel === "sent" && !document.querySelector("[data-score]:not([hidden])");
    this.#limit = isThanked ? THANKED_MS : ALONE_MS;
    element("shared").hidden = false;
    element("next-person").hidden = !this.#isOver;
    for (const part of all(UNSHARED)) part.hidden = true;
    for (const part of all("[data-instead-of]")) {
      element(part.dataset.insteadOf ?? "").textContent = part.textContent;
    }
    this.#sayWaiting();
  }

  /** @param {Event} event */
  #touch(event) {
    // Browsers send such an event also when the page has moved below a pointer that rests.
    const isMove = event instanceof PointerEvent && event.type === "pointermove";
    if (isMove && !event.movementX && !event.movementY) return;
    if (this.#isEnding || this.#isLate()) {
      // Whoever touches the device now must not press a button of the person before.
      event.preventDefault();
      event.stopImmediatePropagation();
      this.#tick();
      return;
    }
    const now = Date.now();
    if (now - this.#touched >= SECOND_MS) {
      this.#touched = now;
      if (!this.#isOver) sessionStorage.setItem(TOUCHED, String(now));
    }
    if (event.type !== "click" || !(event.target instanceof Element)) return;
    if (event.target.closest("#still-here")) this.#warn(0);
    if (event.target.closest("#next-start")) void this.#end();
  }

  #tick() {
    if (!this.#touched || this.#isEnding) return;
    const left = this.#limit - Math.abs(Date.now() - this.#touched);
    if (left <= 0) void this.#end();
    else this.#warn(this.#isOver || left > WARNED_MS ? 0 : Math.ceil(left / SECOND_MS));
  }

  /** Whether nobody has touched the device for too long, whichever way its clock was set. */
  #isLate() {
    return this.#touched > 0 && Math.abs(Date.now() - this.#touched) >= this.#limit;
  }

  /** @param {number} seconds until everything is wiped; 0 for no warning. */
  #warn(seconds) {
    const dialog = element("still-there", HTMLDialogElement);
    if (seconds === 0) {
      dialog.close();
      return;
    }
    const [shown, spoken] = [element("still-text"), element("still-spoken")];
    const say = (/** @type {number} */ left) =>
      (shown.dataset.text ?? "").replace("{seconds}", String(left));
    shown.textContent = say(seconds);
    const aloud = dialog.open ? say(Math.ceil(seconds / SPOKEN_S) * SPOKEN_S) : "";
    if (spoken.textContent !== aloud) spoken.textContent = aloud;
    if (!dialog.open) dialog.showModal();
  }

  /** Wipe everything of the person, and load the page anew for the next one. */
  async #end() {
    if (this.#isEnding) return;
    this.#isEnding = true;
    try {
      await this.#wipe();
    } catch {
      // A report that can be kept nowhere else still waits on this page.
      this.#isEnding = false;
      return;
    }
    document.body.hidden = true;
    askBeforeLeaving(false);
    location.reload();
  }

  /** Wipe what is kept of the person; a report that they have sent goes on waiting elsewhere. */
  async #wipe() {
    const unsent = await this.#unsent;
    for (const record of await this.#person.all()) {
      if (!("state" in record) || record.state !== "waiting") continue;
      await unsent[ALONE](({ records }) => records.add({ ...record, key: record.report }));
      unsent.flush().catch(() => {
        // It is tried again when the page is loaded anew.
      });
    }
    await this.#person.clear();
    sessionStorage.setItem(TOUCHED, "0");
  }

  /** Show how many reports wait to be sent. */
  async #count() {
    const unsent = await this.#unsent;
    this.#waiting = (await unsent.reports().catch(() => [])).length;
    this.#sayWaiting();
  }

  #sayWaiting() {
    const said = document.getElementById("unsent");
    // The count may be known before the page is shown.
    if (!said) return;
    said.hidden = this.#waiting === 0;
    sayVariant("unsent", "text", { count: this.#waiting });
  }
}

/** When this tab was touched last; null if it is not shared, or keeps nothing. */
function lastTouch() {
  try {
    const kept = sessionStorage.getItem(TOUCHED);
    return kept === null ? null : Number(kept);
  } catch {
    return null;
  }
}

/**
 * The records of one person. They survive a reload of the page, and end with its tab.
 *
 * @returns {Store}
 */
function personStore() {
  const all = () => /** @type {Stored[]} */ (JSON.parse(sessionStorage.getItem(PERSON) ?? "[]"));
  const put = (/** @type {Stored} */ record, /** @type {boolean} */ isThere) => {
    const others = all().filter(({ key }) => key !== record.key);
    if (others.length < all().length !== isThere) return false;
    sessionStorage.setItem(PERSON, JSON.stringify([...others, record]));
    return true;
  };
  return {
    // A report that waits to be sent is kept elsewhere, before this store is cleared.
    isDurable: true,
    lock: webLock(PERSON),
    all: async () => all(),
    add: async (record) => put(record, false),
    replace: async (record) => put(record, true),
    clear: async () => sessionStorage.removeItem(PERSON),
    close: async () => {},
  };
}

/** Reports that wait to be sent, of any number of people. What was sent or refused is removed. */
class UnsentStore extends IndexedDBStore {
  constructor() {
    super(UNSENT, UNSENT);
  }

  /**
   * @override
   * @param {IDBObjectStore} records
   * @param {Stored} record
   */
  put(records, record) {
    if ("state" in record && record.state !== "waiting") records.delete(record.key);
    else super.put(records, record);
  }
}
