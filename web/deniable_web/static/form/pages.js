/**
 * The pages of the form: the opening, the pages with questions, and the answers at the end.
 *
 * The answers are on the page in words only while the person checks them. They are marked
 * so that browsers do not send them to a translator.
 */
import { inputWords } from "./inputs.js";
import { all, announce, element, make, text } from "./page.js";
import { legend } from "./words.js";

const SHOWN = ".question:not([hidden])";

/** The pages of one rendering of the form. */
export class Pages {
  /** @type {readonly HTMLElement[]} the last page shows the answers for checking. */
  #pages = all("#opening, .page");
  #place;
  /** Whether every page has a button back to the answers. */
  #wasLookedOver = false;

  /** @param {number} place the index of the page to show; skips pages that are not reached. */
  constructor(place = 0) {
    this.#place = place;
    this.update();
  }

  /** The index of the page that is shown. */
  get place() {
    return this.#place;
  }

  /** The page that is shown. */
  get shown() {
    return /** @type {HTMLElement} */ (this.#pages[this.#place]);
  }

  get isFirst() {
    return this.#reached()[0] === this.#place;
  }

  /** Update the pages after questions have appeared or disappeared on any of them. */
  update() {
    const reached = this.#reached();
    if (!reached.includes(this.#place)) {
      const before = reached.filter((place) => place < this.#place);
      this.#place = before.at(-1) ?? reached[0] ?? 0;
    }
    for (const [place, page] of this.#pages.entries()) page.hidden = place !== this.#place;
    element("own-answers").replaceChildren(...(this.#isLookingOver ? all(SHOWN).map(describe) : []));
    this.#showSteps(reached);
  }

  /** @param {1 | -1} direction */
  turn(direction) {
    const reached = this.#reached();
    this.#go(reached[reached.indexOf(this.#place) + direction] ?? this.#place);
  }

  /** Show all answers. */
  lookOver() {
    this.#go(this.#pages.length - 1);
  }

  /** @param {Element} part Show the page with this element. */
  showPageOf(part) {
    const place = this.#pages.findIndex((page) => page.contains(part));
    if (place !== this.#place) this.#go(place);
  }

  get #isLookingOver() {
    return this.#place === this.#pages.length - 1;
  }

  /** @param {number} place */
  #go(place) {
    const wasOpening = this.#place === 0;
    this.#place = place;
    this.update();
    announce("");
    // A single page of questions has no title, so the focus returns to the button that left it.
    let target = element(place === 0 ? "start" : element("progress").hidden ? "look-over" : "page-title");
    if (wasOpening) {
      target = /** @type {HTMLElement} */ (this.shown.querySelector(SHOWN));
      target.tabIndex = -1;
    }
    const preventScroll = target.id !== "look-over";
    target.focus({ preventScroll });
    if (preventScroll) scrollTo(0, 0);
  }

  #reached() {
    const places = [...this.#pages.keys()].filter(
      (place) => place === 0 || this.#pages[place]?.querySelector(SHOWN),
    );
    // A single answer needs no page for checking, because it is visible beside the button
    // that protects it.
    const isWorthIt = all(SHOWN).length > 1;
    return isWorthIt ? [...places, this.#pages.length - 1] : places;
  }

  /** @param {readonly number[]} reached */
  #showSteps(reached) {
    const index = reached.indexOf(this.#place);
    const pages = reached.filter((place) => place < this.#pages.length - 1).length - 1;
    const isLookingOver = this.#isLookingOver;
    const isLastOfQuestions = index === pages;
    this.#wasLookedOver ||= isLookingOver;
    element("steps").hidden = index === 0;
    element("progress").hidden = index === 0 || (pages < 2 && !isLookingOver);
    element("page-title").textContent = isLookingOver
      ? text("lookOver")
      : text("progress", { page: index, pages });
    const bar = element("page-progress", HTMLProgressElement);
    bar.hidden = isLookingOver;
    bar.max = pages;
    bar.value = index;
    element("next").hidden = isLookingOver || isLastOfQuestions;
    const isEnd = index === reached.length - 1;
    element("look-over").hidden = isEnd || !(isLastOfQuestions || this.#wasLookedOver);
    for (const id of ["protect", "protect-hint"]) element(id).hidden = !isEnd;
  }
}

/** A question that was asked, with its answer. @param {Element} fields */
function describe(fields) {
  const [asked, change] = [`${fields.id}-asked`, `${fields.id}-change`];
  const answers = inputWords(fields).map((answer) => make("dd", { class: "value", dir: "auto" }, answer));
  const button = make("button", {
    type: "button", id: change, "data-action": "revise", "data-question": fields.id,
    "aria-labelledby": `${change} ${asked}`,
  }, text("change"));
  return make(
    "div", {},
    make("dt", { id: asked, dir: "auto" }, legend(fields)),
    ...(answers.length > 0 ? answers : [make("dd", { class: "lead" }, text("noAnswer"))]),
    make("dd", {}, button),
  );
}
