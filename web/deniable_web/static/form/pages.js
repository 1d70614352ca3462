/** The pages of the form: those with something to show, one after the other. */
import { element, text } from "./page.js";

/** The pages of one rendering of the form. */
export class Pages {
  /** @type {readonly HTMLElement[]} */
  #pages = [...document.querySelectorAll(".page")].map((page) => /** @type {HTMLElement} */ (page));
  #place;

  /** @param {number} place of the page to show; what is not reached is passed over. */
  constructor(place = 0) {
    this.#place = place;
    this.update();
  }

  /** The place of the page that is shown. */
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

  get isLast() {
    return this.#reached().at(-1) === this.#place;
  }

  /** Follow the questions, which may have come or gone on any page. */
  update() {
    const reached = this.#reached();
    if (!reached.includes(this.#place)) {
      const before = reached.filter((place) => place < this.#place);
      this.#place = before.at(-1) ?? reached[0] ?? 0;
    }
    for (const [place, page] of this.#pages.entries()) page.hidden = place !== this.#place;
    this.#showSteps(reached);
  }

  /** @param {1 | -1} direction */
  turn(direction) {
    const reached = this.#reached();
    this.#go(reached[reached.indexOf(this.#place) + direction] ?? this.#place);
  }

  /** @param {Element} part Show the page that it is on. */
  showPageOf(part) {
    const place = this.#pages.findIndex((page) => page.contains(part));
    if (place !== this.#place) this.#go(place);
  }

  /** @param {number} place */
  #go(place) {
    this.#place = place;
    this.update();
    element("page-title").focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  #reached() {
    return [...this.#pages.keys()].filter((place) =>
      this.#pages[place]?.querySelector(".question:not([hidden])"),
    );
  }

  /** @param {readonly number[]} reached */
  #showSteps(reached) {
    const index = reached.indexOf(this.#place);
    const isLast = index === reached.length - 1;
    element("progress").hidden = reached.length < 2;
    element("page-title").textContent = text("progress", {
      page: index + 1,
      pages: reached.length,
    });
    const bar = /** @type {HTMLProgressElement} */ (element("page-progress"));
    bar.max = reached.length;
    bar.value = index + 1;
    element("opening").hidden = index > 0;
    element("back").hidden = index === 0;
    element("next").hidden = isLast;
    for (const id of ["protect", "protect-hint"]) element(id).hidden = !isLast;
  }
}
