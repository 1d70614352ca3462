/** The window of a survey, and the invitation or the group of the person at this page. */
import { ALONE } from "../sdk/client/client.js";
// Not through ../sdk/fieldwork.js, with which a report waits: a page is closed soon.
import { OtherSite, collectToken, tokenCount, groupOf, invitation, statusOf } from "../sdk/client/collecting.js";
import { CollectorRefused, CollectorUnreachable } from "../sdk/client/errors.js";
import { ask, membersOf } from "../sdk/client/transport.js";
import { InvalidCode, tokenOf } from "../sdk/invitation.js";
import "../sdk/survey/fieldwork.js";
import { SMALL_GROUP } from "../sdk/survey/groups.js";
import { inLanguage } from "../sdk/survey/text.js";
import { InvalidToken, base64url } from "../sdk/tokens.js";
import { calendarEntry } from "./calendar.js";
import { all, decoded, element, sayVariant } from "./page.js";
import { HOSTING } from "./served.js";
import { fullMoment } from "./time_left.js";
import { Times } from "./times.js";

/** @import { Client } from "../sdk/client.js" */
/** @import { PublishedSurvey } from "../sdk/index.js" */
/** @import { Delivery, Standing } from "./delivery.js" */
/** @import { Kiosk } from "./kiosk.js" */
/** @import { Panel } from "./panels.js" */

/** @type {{ readonly [status: number]: string }} why the report of an invited person was refused. */
const REASONS = { 409: "used", 421: "elsewhere" };
/** @type {readonly [Function, string][]} */
const PROBLEMS = [
  [InvalidCode, "unfit"],
  [InvalidToken, "broken"],
  [OtherSite, "elsewhere"],
  [CollectorUnreachable, "unreachable"],
];
/** @type {{ readonly [status: number]: string }} */
const REFUSALS = { 404: "unknown", 409: "used", 410: "over" };
// A report that was made is shown until the person decides, whatever the time.
/** @type {readonly Panel[]} */
const WITHOUT_REPORT = ["invitation", "group", "early", "survey"];
// Nothing else may be in a link.
const GROUP_LINK = /^#group=([^&]*)$/;

export class Fieldwork {
  #code = "";
  #isWarned = false;
  #isAsking = false;
  #problem = "";
  #group = "";
  /** The group that the link gives, until the person has decided; null without one. */
  #linked = linkedGroup();
  #times = new Times();
  /** @type {Panel} */
  #panel = "";
  #kiosk;
  /** @type {Promise<string> | undefined} */
  #signIn;
  /** @type {PublishedSurvey | undefined} */
  #survey;
  /** @type {Client | undefined} */
  #client;

  /**
   * Takes the code out of the address, where others could read it.
   *
   * @param {Kiosk | null} kiosk the device, if many people share it.
   */
  constructor(kiosk) {
    this.#kiosk = kiosk;
    const found = /^#code=([^&]*)$/.exec(location.hash);
    // The same page with another group in its address is not loaded anew.
    addEventListener("hashchange", () => linkedGroup() !== null && location.reload());
    element("main").addEventListener("click", (event) => this.#beforeSending(event), true);
    if (!found) return;
    this.#code = decoded(found[1] ?? "");
    history.replaceState(history.state, "", location.pathname + location.search);
  }

  /** @param {Delivery} delivery of the survey at this page, whatever it shows first. */
  async learn({ client, survey, place: { isPreview } }) {
    this.#survey = survey;
    this.#client = client;
    this.#times.learn(survey, !isPreview);
    if (!survey.invited) {
      // Of a report that is held, the group was decided when it was made.
      this.#group = (await client.heldReport(survey))?.group ?? this.#group;
      return;
    }
    if (isPreview) await pretend(client, survey);
    this.#group = (await groupOf(client, survey)) ?? "";
  }

  /**
   * What the person does before the questions; empty if nothing.
   *
   * @param {Delivery} delivery
   * @returns {Promise<Panel>}
   */
  async gate({ survey, place: { isPreview } }) {
    const phase = isPreview ? "open" : await this.#times.phase();
    const panel = phase === "open" ? "" : phase;
    // A shared device does not keep a token until the survey opens.
    if (this.#kiosk && panel) return panel;
    if (!survey.invited) return panel || (this.#isDeclared(this.#linked) ? "group" : "");
    return this.#group ? panel : "invitation";
  }

  /** The group for a report, which a link gave and the person agreed to; undefined without one. */
  get linkGroup() {
    return this.#survey?.invited ? undefined : this.#group || undefined;
  }

  /** @param {boolean} isTaken whether the report will carry the group that the link gave. */
  chooseGroup(isTaken) {
    this.#group = (isTaken && this.#linked) || "";
    this.#linked = null;
  }

  /** @param {string | null} group */
  #isDeclared(group) {
    return this.#survey?.groups?.some(({ id }) => id === group) ?? false;
  }

  /**
   * Exchange the code for a token; a problem is shown beside the code.
   *
   * @param {Delivery} delivery
   */
  async useCode({ client, survey }) {
    this.#code = input().value;
    try {
      await collectToken(client, survey, this.#code, await siteOf(survey));
      this.#code = this.#problem = input().value = "";
    } catch (error) {
      this.#problem = problemOf(error);
      if (!this.#problem) throw error;
    }
  }

  /** @param {() => void} end called if the survey ends while it is filled in. */
  whenOver(end) {
    this.#times.onOver = () => WITHOUT_REPORT.includes(this.#panel) && end();
  }

  /** @param {Standing} standing what the page shows. */
  show(standing) {
    const { panel, status, variant } = standing;
    this.#panel = panel;
    this.#times.show();
    const gated = panel === "invitation" || panel === "group" || panel === "early";
    /** @type {HTMLElement} */ (element("start").parentElement).hidden = gated;
    if (panel === "invitation") {
      input().value = this.#code;
      sayVariant("code-problem", this.#problem);
      element("code-problem").hidden = !this.#problem;
      void this.#offerSignIn();
    }
    if (panel === "early") this.#showOpening();
    this.#kiosk?.show(standing);
    if (variant === "early") this.#sayOpening(panel);
    const why = (this.#group && REASONS[status ?? 0]) || "";
    for (const id of ["refused-text", "refusal"]) element(id).hidden = Boolean(why);
    for (const part of all("#used, #elsewhere")) part.hidden = part.id !== why;
    for (const carried of all("[data-group]")) carried.hidden = carried.dataset.group !== this.#group;
    for (const linked of all("[data-linked]")) linked.hidden = linked.dataset.linked !== this.#linked;
    const isUnknown = this.#survey && this.#linked !== null && !this.#isDeclared(this.#linked);
    for (const said of all("#no-group")) said.hidden = !isUnknown;
  }

  /**
   * Before the report is sent, ask again if few people of the group have collected a token.
   *
   * @param {Event} event a click.
   */
  async #beforeSending(event) {
    const button = /** @type {Element} */ (event.target).closest("#send, [data-action=send]");
    if (!(button instanceof HTMLElement) || this.#isWarned) return;
    if (!this.#survey?.invited || !this.#client) return;
    event.stopImmediatePropagation();
    // A second click would send twice, or before the person was warned.
    if (this.#isAsking) return;
    this.#isAsking = true;
    // By the later of two clocks: to be warned in vain is better than not at all.
    const now = Math.max(Date.now(), this.#times.now);
    const count = await tokenCount(this.#client, this.#survey, now).finally(() => {
      this.#isAsking = false;
    });
    this.#isWarned = true;
    if (count === null || count >= SMALL_GROUP) button.click();
    else {
      const few = element("few");
      sayVariant("few", "few", { count });
      few.hidden = false;
      // Where a report is held, it is shown first.
      if (button.id === "send") few.focus();
      else element("look").click();
    }
  }

  /** Show people without a code where they can sign in, if the issuer lets them. */
  async #offerSignIn() {
    // A frame may not show other sites, and a shared device would stay signed in.
    if (this.#code || this.#kiosk || self !== top) return;
    // Whoever has signed in is sent to the form at the collector, and not back to a file.
    if (element("main").dataset.collector) return;
    this.#signIn ??= signInAddress(/** @type {PublishedSurvey} */ (this.#survey));
    const address = await this.#signIn;
    const link = element("sign-in", HTMLAnchorElement);
    link.href = address;
    link.hidden = !address;
  }

  /** @param {Panel} panel of a report that the collector does not accept yet. */
  #sayOpening(panel) {
    const opens = new Date(this.#survey?.window?.opens ?? 0);
    const said = `${panel}-text`;
    sayVariant(said, "early", { opens: fullMoment(opens, element(said)) });
  }

  #showOpening() {
    const { title, window } = /** @type {PublishedSurvey} */ (this.#survey);
    const opens = new Date(window?.opens ?? 0);
    const shown = element("opens");
    shown.textContent = fullMoment(opens, shown);
    const link = element("calendar", HTMLAnchorElement);
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
  const [nonce, signature] = [base64url("0".repeat(64)), base64url("0".repeat(512))];
  const token = await tokenOf(survey, { group, nonce, signature });
  await client[ALONE](({ records }) => records.add(invitation(survey, token)));
}

/**
 * Where people sign in instead of entering a code; empty if they do not.
 *
 * @param {PublishedSurvey} survey
 */
async function signInAddress(survey) {
  try {
    const address = String((await statusOf(survey)).sign_in);
    // An issuer sends people to itself, or nowhere.
    return address.startsWith(`${survey.invited?.issuer}/`) ? address : "";
  } catch {
    // Without a connection no code can be used either, and the page says so then.
    return "";
  }
}

/**
 * The name of the collector's site, if groups name theirs: a code for another site is not used up here.
 *
 * @param {PublishedSurvey} survey
 * @returns {Promise<string | null>}
 */
async function siteOf({ digest, invited }) {
  if (!invited?.groups[0]?.site) return null;
  const address = `${HOSTING.collector}/api/surveys/by-digest/${digest}/fieldwork`;
  const { status, body } = await ask(address, {});
  return status === 200 ? membersOf(body).site : null;
}

/** The group in the address of the page; null without one. */
function linkedGroup() {
  const found = GROUP_LINK.exec(location.hash);
  return found && decoded(found[1] ?? "");
}

/** @param {unknown} error */
function problemOf(error) {
  if (error instanceof CollectorRefused) return REFUSALS[error.status] ?? "unreachable";
  return PROBLEMS.find(([kind]) => error instanceof kind)?.[1] ?? "";
}

function input() {
  return element("code", HTMLInputElement);
}
