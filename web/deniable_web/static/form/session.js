/** One respondent at the form, from the first question to the state of the report. */
import { AlreadyAnswered, CollectorUnreachable, YearlyCapExceeded } from "../sdk/client/errors.js";
import { showAppearance } from "./appearance.js";
import { Delivery } from "./delivery.js";
import { fillIn, filledIn } from "./inputs.js";
import { showLanguage } from "./language.js";
import { askBeforeLeaving, guardBack } from "./leaving.js";
import { orderOptions } from "./option_order.js";
import { announce, element, fail, form, sayVariant, tell, text } from "./page.js";
import { Pages } from "./pages.js";
import { showPanel } from "./panels.js";
import { openPlayground } from "./playground.js";
import { Questions, focusOn } from "./questions.js";
import { emptyReview, fillReview } from "./words.js";

/** @import { DrawnBlocks } from "../sdk/client.js" */
/** @import { PublishedSurvey, Report } from "../sdk/index.js" */
/** @import { Place, Standing } from "./delivery.js" */
/** @import { Feedback } from "./feedback.js" */
/** @import { Fieldwork } from "./fieldwork.js" */

/** The state of the page, independent of its language. */
export class Session {
  #place;
  #feedback;
  #fieldwork;
  /** @type {Delivery | null} null until the survey was verified. */
  #delivery = null;
  /** @type {DrawnBlocks} */
  #asked = { blocks: [], questions: [] };
  /** @type {Standing} */
  #standing = { panel: "" };
  /** @type {Report | null} */
  #report = null;
  /** @type {Questions | null} null while nothing is asked. */
  #questions = null;
  /** @type {Pages | null} */
  #pages = null;
  /** @type {Map<string, readonly number[]>} the order of options by question. */
  #drawn = new Map();
  #problem = "";

  /**
   * @param {Place} place
   * @param {Feedback | null} feedback
   * @param {Fieldwork | null} fieldwork
   */
  constructor(place, feedback, fieldwork) {
    this.#place = place;
    this.#feedback = feedback;
    this.#fieldwork = fieldwork;
  }

  /** The survey, once it was verified. */
  get survey() {
    return this.#delivery?.survey;
  }

  /** Fetch the survey and show its questions, unless this device already has a report for it. */
  async start() {
    tell("status", text("loading"));
    await this.#attempt(async () => {
      this.#delivery = await Delivery.open(this.#place, () => void this.#follow());
      return this.#opened(this.#delivery);
    });
    tell("status", "");
  }

  /** Exchange the code of an invitation for a token, and go on. */
  async useCode() {
    await this.#busy(async (delivery) => {
      await this.#fieldwork?.useCode(delivery);
      return this.#opened(delivery);
    });
  }

  /** @param {boolean} isTaken whether the report will carry the group that the link gave. */
  async chooseGroup(isTaken) {
    await this.#busy((delivery) => {
      this.#fieldwork?.chooseGroup(isTaken);
      return this.#opened(delivery);
    });
  }

  /** @param {string} code Show the same in another language. */
  speak(code) {
    const filled = this.#questions ? filledIn(form()) : [];
    const place = this.#pages?.place;
    showLanguage(code);
    if (this.#problem) this.#sayProblem();
    else if (this.#standing.panel) this.#render(filled, place);
  }

  /** @param {HTMLInputElement} input It was changed. */
  changed(input) {
    this.#questions?.changed(input);
    this.#pages?.update();
    askBeforeLeaving(filledIn(form()).some((value) => value !== "" && value !== false));
  }

  /** @param {HTMLInputElement} input Its text is complete. */
  completed(input) {
    this.#questions?.completed(input);
  }

  /** @param {1 | -1} direction Go on only from a page without missing answers. */
  turn(direction) {
    const open = direction === 1 && this.#questions?.firstOpen(this.#pages?.shown);
    if (open) focusOn(open);
    else {
      fail("");
      this.#pages?.turn(direction);
      if (direction === 1) guardBack();
    }
  }

  /** Go to the previous page while questions are asked; returns whether there was one. */
  turnBack() {
    if (this.#standing.panel !== "survey" || !this.#pages || this.#pages.isFirst) return false;
    this.turn(-1);
    return true;
  }

  /** Show all answers before they are randomized. */
  lookOver() {
    if (this.#showOpen()) return;
    this.#pages?.lookOver();
    guardBack();
  }

  /** @param {string} id Go from the answers back to a question. */
  revise(id) {
    this.#focusOn(element(id, HTMLFieldSetElement));
  }

  /** Randomize the answers, once and for all, and show the report. */
  async protect() {
    const [delivery, questions] = [this.#delivery, this.#questions];
    if (this.#showOpen() || !delivery || !questions) return;
    const answers = questions.answers();
    this.wipe();
    this.#questions = null;
    await this.#attempt(async () => {
      this.#report = await delivery.randomize(answers, this.#asked.blocks, this.#fieldwork?.linkGroup);
      this.#feedback?.keep(delivery.survey, answers);
      return { panel: "review" };
    });
  }

  /** Show the report that waits for a decision. */
  async look() {
    await this.#busy(async (delivery) => {
      this.#report = await delivery.client.heldReport(delivery.survey);
      return this.#report ? { panel: "review" } : delivery.standing();
    });
  }

  async send() {
    await this.#busy((delivery) => delivery.send(), text("sending"));
    this.#forget();
  }

  async decline() {
    await this.#busy((delivery) => delivery.decline());
    this.#forget();
  }

  /** Try again to send waiting reports, or to load the survey. */
  async tryNow() {
    if (this.#delivery) await this.#busy((delivery) => delivery.tryNow(), text("sending"));
    else await this.start();
  }

  /** Show that the survey has ended while it was filled in. */
  end() {
    this.wipe();
    this.#show({ panel: "closed" });
  }

  /** Remove all answers from the page. */
  wipe() {
    form().reset();
    this.#questions?.follow();
    if (this.#questions) this.#pages?.update();
    askBeforeLeaving(false);
  }

  /** Go to the first question that needs an answer; returns whether there is one. */
  #showOpen() {
    const open = this.#questions?.firstOpen();
    if (open) this.#focusOn(open);
    return open !== undefined;
  }

  /** @param {HTMLFieldSetElement} fields Show their page, and give them the focus. */
  #focusOn(fields) {
    this.#pages?.showPageOf(fields);
    focusOn(fields);
  }

  /**
   * The report of this device, what comes before the questions, or the questions.
   *
   * @param {Delivery} delivery
   * @returns {Promise<Standing>}
   */
  async #opened(delivery) {
    const standing = await delivery.standing();
    await this.#fieldwork?.learn(delivery);
    standing.panel ||= (await this.#fieldwork?.gate(delivery)) || "survey";
    if (standing.panel === "survey") {
      this.#asked = await delivery.client.draw(delivery.survey);
      this.#drawn = new Map();
    }
    return standing;
  }

  #forget() {
    this.#report = null;
    emptyReview();
  }

  /**
   * @param {(delivery: Delivery) => Promise<Standing>} work
   * @param {string} [status] the message shown meanwhile.
   */
  async #busy(work, status = "") {
    const delivery = this.#delivery;
    if (!delivery) return;
    const buttons = element("main").querySelectorAll("button");
    for (const button of buttons) button.disabled = true;
    tell("status", status);
    await this.#attempt(() => work(delivery));
    tell("status", "");
    for (const button of buttons) button.disabled = false;
  }

  /** @param {() => Promise<Standing>} work Show what it comes to, or why it comes to nothing. */
  async #attempt(work) {
    try {
      this.#show(await work());
    } catch (error) {
      await this.#explain(error);
    }
  }

  /** Update the page: a waiting report may have been sent or refused meanwhile. */
  async #follow() {
    if (!this.#delivery || !this.#standing.isWaiting) return;
    const standing = await this.#delivery.standing().catch(() => this.#standing);
    const { isWaiting, variant } = this.#standing;
    if (standing.panel && (standing.isWaiting !== isWaiting || standing.variant !== variant)) this.#show(standing);
  }

  /** @param {Standing} standing */
  #show(standing) {
    this.#standing = standing;
    this.#render();
    showPanel(standing.panel);
  }

  /** @param {readonly (string | boolean)[]} [filled] @param {number} [place] */
  #render(filled = [], place = 0) {
    const { panel, variant, isHeld = false, reason = "" } = this.#standing;
    if (panel === "survey" && this.survey) this.#renderQuestions(this.survey, filled, place);
    if (panel === "review" && this.survey && this.#report) fillReview(this.survey, this.#report);
    if (this.survey) showAppearance(this.survey);
    element("refusal").textContent = reason;
    if (variant) sayVariant(`${panel}-text`, variant);
    element("delete").hidden = !isHeld;
    const isKept = this.#delivery?.isKept ?? true;
    sayVariant("review-once", isKept ? "kept" : "unkept");
    element("forgetful").hidden = isKept;
    this.#feedback?.show(panel);
    this.#fieldwork?.show(this.#standing);
    announce("");
    showPanel(panel, false);
  }

  /**
   * @param {PublishedSurvey} survey
   * @param {readonly (string | boolean)[]} filled
   * @param {number} place
   */
  #renderQuestions(survey, filled, place) {
    orderOptions(survey, this.#drawn);
    fillIn(form(), filled);
    this.#questions = new Questions(survey, this.#asked);
    this.#pages = new Pages(place);
    openPlayground(survey);
    element("start", HTMLButtonElement).disabled = false;
  }

  /** @param {unknown} error The reason why there is nothing to fill in or to show. */
  async #explain(error) {
    if (error instanceof CollectorUnreachable) this.#show({ panel: "unreachable" });
    else if (error instanceof YearlyCapExceeded) this.#show({ panel: "capped" });
    else if (error instanceof AlreadyAnswered && this.#delivery) {
      this.#show(await this.#delivery.standing());
    } else this.#refuse(error);
  }

  /** @param {unknown} error The reason why nothing can be filled in or sent. */
  #refuse(error) {
    this.wipe();
    this.#questions = null;
    this.#problem = error instanceof Error ? error.message : "";
    this.#standing = { panel: "" };
    this.#sayProblem();
  }

  #sayProblem() {
    showPanel("");
    fail(text("broken"), this.#problem);
  }
}
