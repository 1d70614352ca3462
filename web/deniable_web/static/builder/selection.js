/** The questions that are selected, to be moved or deleted together. */
import { element, make } from "./dom.js";
import { shownText } from "./fields.js";
import { text, whole } from "./texts.js";

/** @import { Draft } from "./draft.js" */

export class Selection {
  #draft;
  /** @type {Set<number>} */
  #selected = new Set();

  /**
   * @param {Draft} draft
   * @param {{ move: (before: number) => void, remove: () => void, clear: () => void }} acts on
   *     the selected questions.
   */
  constructor(draft, { move, remove, clear }) {
    this.#draft = draft;
    const place = element("selection-place", HTMLSelectElement);
    element("selection-move").addEventListener("click", () => move(Number(place.value)));
    element("selection-delete").addEventListener("click", remove);
    element("selection-clear").addEventListener("click", clear);
  }

  /** @param {number} index */
  has(index) {
    return this.#selected.has(index);
  }

  /** The indexes in the order of the questions. */
  get indexes() {
    return [...this.#selected].sort((one, other) => one - other);
  }

  /**
   * The questions that move with a question: all that are selected, if it is one of them.
   *
   * @param {number} index
   */
  around(index) {
    return this.has(index) ? this.indexes : [index];
  }

  /** @param {number} index */
  toggle(index) {
    if (!this.#selected.delete(index)) this.#selected.add(index);
    this.show();
  }

  /** @param {readonly number[]} indexes */
  set(indexes) {
    this.#selected = new Set(indexes);
    this.show();
  }

  show() {
    const { size } = this.#selected;
    element("selection").hidden = size === 0;
    if (size === 0) return;
    element("selection-count").textContent = text("selected", { count: whole(size) });
    const places = this.#draft.document.questions.flatMap((question, index) => {
      const words = text("place_after", { place: whole(index + 1), question: shownText(question.text) });
      return this.has(index) ? [] : make("option", { value: index + 1 }, words);
    });
    element("selection-place").replaceChildren(make("option", { value: 0 }, text("place_first")), ...places);
  }
}
