/** The window of a survey, and the invitation of the person at this page. */
import { ALONE } from "../sdk/client/client.js";
import { CollectorRefused, CollectorUnreachable } from "../sdk/client/errors.js";
import { collectToken, groupOf } from "../sdk/fieldwork.js";
import { InvalidCode, tokenOf } from "../sdk/invitation.js";
import { inLanguage } from "../sdk/survey/text.js";
import { InvalidToken, base64url } from "../sdk/tokens.js";
import { calendarEntry } from "./calendar.js";
import { element, numberLocale, sayVariant } from "./page.js";

/** @import { Client } from "../sdk/client.js" */
/** @import { PublishedSurvey } from "../sdk/index.js" */
/** @import { Delivery, Standing } from "./delivery.js" */
/** @import { Panel } from "./panels.js" */

const CONFLICT = 409;
/** @type {readonly [Function, string][]} */
const PROBLEMS = [
  [InvalidCode, "unfit"],
  [InvalidToken, "broken"],
  [CollectorUnreachable, "unreachable"],
];
/** @type {{ readonly [status: number]: string }} */
const REFUSALS = { 404: "unknown", 409: "used", 410: "over" };

// A report is hidden among the people of its group who have collected a token.
const FEW = 20;

export class Fieldwork {
  #code = "";
  #isWarned = false;
  #problem = "";
  #group = "";
  /** @type {PublishedSurvey | undefined} */
  #survey;

  /** Takes the code out of the address, where others could read it. */
  constructor() {
    const found = /^#code=([^&]*)$/.exec(location.hash);
    element("main").addEventListener("click", (event) => this.#beforeSending(event), true);
    if (!found) return;
    this.#code = decodeURIComponent(found[1] ?? "");
    history.replaceState(history.state, "", location.pathname + location.search);
  }

  /**
   * What the person does before the questions; empty if nothing.
   *
   * @param {Delivery} delivery
   * @returns {Promise<Panel>}
   */
  async gate({ client, survey, place: { isPreview } }) {
    this.#survey = survey;
    const { invited, window } = survey;
    if (invited) {
      if (isPreview) await pretend(client, survey);
      this.#group = (await groupOf(client, survey)) ?? "";
      if (!this.#group) return "invitation";
    }
    const now = new Date();
    if (isPreview || !window) return "";
    if (window.closes && new Date(window.closes) <= now) return "closed";
    return window.opens && now < new Date(window.opens) ? "early" : "";
  }

  /**
   * Exchange the code for a token; a problem is shown beside the code.
   *
   * @param {Delivery} delivery
   */
  async useCode({ client, survey }) {
    this.#code = input().value;
    try {
      await collectToken(client, survey, this.#code);
      this.#code = this.#problem = "";
    } catch (error) {
      this.#problem = problemOf(error);
      if (!this.#problem) throw error;
    }
  }

  /** @param {Standing} standing what the page shows. */
  show({ panel, status }) {
    const gated = panel === "invitation" || panel === "early";
    element("start").hidden = gated;
    if (panel === "invitation") {
      input().value = this.#code;
      sayVariant("code-problem", this.#problem);
      element("code-problem").hidden = !this.#problem;
    }
    if (panel === "early") this.#showOpening();
    const isUsed = Boolean(this.#group) && status === CONFLICT;
    for (const id of ["refused-text", "refusal"]) element(id).hidden = isUsed;
    const used = document.getElementById("used");
    if (used) used.hidden = !isUsed;
    for (const carried of document.querySelectorAll("[data-group]")) {
      /** @type {HTMLElement} */ (carried).hidden =
        /** @type {HTMLElement} */ (carried).dataset.group !== this.#group;
    }
  }

  /**
   * Before the report is sent, ask again if few people of the group have collected a token.
   *
   * @param {Event} event a click.
   */
  async #beforeSending(event) {
    const button = /** @type {Element} */ (event.target).closest("#send, [data-action=send]");
    if (!(button instanceof HTMLElement) || this.#isWarned || !this.#survey?.invited) return;
    event.stopImmediatePropagation();
    const collected = await this.#collected(this.#survey);
    this.#isWarned = true;
    if (collected === null || collected >= FEW) button.click();
    else {
      const few = element("few");
      few.textContent = (few.dataset.few ?? "").replace("{count}", String(collected));
      few.hidden = false;
      // Where a report is held, it is shown first.
      if (button.id === "send") few.focus();
      else element("look").click();
    }
  }

  /**
   * How many people of the person's group have collected a token; null while that is not
   * known.
   *
   * @param {PublishedSurvey} survey
   * @returns {Promise<number | null>}
   */
  async #collected({ digest, invited }) {
    const address = `${invited?.issuer}/api/surveys/${digest}`;
    try {
      const response = await fetch(address, { credentials: "omit", redirect: "error" });
      const { groups } = await response.json();
      const own = groups.find((/** @type {any} */ group) => group.id === this.#group);
      return typeof own.collected === "number" ? own.collected : null;
    } catch {
      // Offline, a report is kept and sent later; nothing more is known then.
      return null;
    }
  }

  #showOpening() {
    const { title, window } = /** @type {PublishedSurvey} */ (this.#survey);
    const opens = new Date(window?.opens ?? 0);
    element("opens").textContent = opens.toLocaleString(numberLocale(), {
      dateStyle: "full",
      timeStyle: "short",
    });
    const link = /** @type {HTMLAnchorElement} */ (element("calendar"));
    URL.revokeObjectURL(link.href);
    const entry = calendarEntry(inLanguage(title, document.documentElement.lang), opens);
    link.href = URL.createObjectURL(entry);
  }
}

/**
 * Keep a token that nobody has signed, of the first group: a preview sends nothing.
 *
 * @param {Client} client
 * @param {PublishedSurvey} survey
 */
async function pretend(client, survey) {
  const group = survey.invited?.groups[0]?.id ?? "";
  const [nonce, signature] = [base64url(new Uint8Array(32)), base64url(new Uint8Array(256))];
  const token = await tokenOf(survey, { group, nonce, signature });
  const { digest } = survey;
  const kept = { key: `invitation ${digest}`, survey: digest, invitation: token };
  await client[ALONE](({ records }) => records.add(kept));
}

/** @param {unknown} error */
function problemOf(error) {
  if (error instanceof CollectorRefused) return REFUSALS[error.status] ?? "unreachable";
  return PROBLEMS.find(([kind]) => error instanceof kind)?.[1] ?? "";
}

function input() {
  return /** @type {HTMLInputElement} */ (element("code"));
}
