/** Adds questions at the end of the survey, or at any place in it. */
import { button, element, make } from "./dom.js";
import { newQuestion } from "./edits.js";
import { picture } from "./signs.js";
import { text, whole } from "./texts.js";
import { TYPES } from "./types.js";

/** @import { Draft } from "./draft.js" */
/** @import { Definition } from "./paths.js" */

export class Adding {
  #draft;
  #add;
  #panel = element("add-question");
  #label = element("add-question-label");
  #home = /** @type {HTMLElement} */ (this.#panel.parentElement);
  #words = this.#label.textContent ?? "";
  #cancel = button(text("add_cancel"), () => this.#leave(), { class: "small", hidden: true });
  /** Where the panel is while it does not add at the end. */
  #row = make("li", { class: "inserting" });
  /** @type {number | undefined} The index that a new question gets; undefined for the end. */
  #place;

  /** @param {Draft} draft @param {(questions: Definition[], place: number) => void} add */
  constructor(draft, add) {
    this.#draft = draft;
    this.#add = add;
    element("add-types").append(
      ...Object.keys(TYPES).map((type) => this.#tile(type)),
      this.#cancel,
    );
    for (const one of element("instruments").querySelectorAll("button")) {
      one.addEventListener("click", () => this.#addAll(JSON.parse(one.dataset.questions ?? "[]")));
    }
    this.#panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#place !== undefined) this.#leave();
    });
    element("insert-first").addEventListener("click", () => this.begin(0));
  }

  /** A button for a type, with an example. @param {string} type */
  #tile(type) {
    const tile = button("", () => this.#addAll([newQuestion(this.#draft.document, type)]), { class: "tile", "data-type": type });
    const words = make("span", {}, make("strong", {}, text(`type_${type}`)), make("span", { class: "hint" }, text(`tile_${type}`)));
    tile.append(picture(TYPES[type]?.picture ?? ""), words);
    return tile;
  }

  /**
   * Offers to insert a question at a place.
   *
   * @param {number} place the index that it will have.
   */
  begin(place) {
    this.#show(this.#draft.document.questions.length > 0 ? place : undefined);
    this.#panel.querySelector("button")?.focus();
  }

  /** Puts the panel back to the end; what was rendered anew has no place for it. */
  end() {
    this.#show(undefined);
  }

  /** @param {number} [place] */
  #show(place) {
    this.#place = place;
    this.#cancel.hidden = place === undefined;
    this.#label.textContent = place === undefined ? this.#words : text("add_at", { place: whole(place + 1) });
    this.#panel.setAttribute("aria-label", this.#label.textContent);
    if (place === undefined) {
      this.#row.remove();
      this.#home.append(this.#panel);
      return;
    }
    const list = element("questions");
    this.#row.remove();
    this.#row.append(this.#panel);
    list.insertBefore(this.#row, list.children[place] ?? null);
  }

  /** Back to where the author was. */
  #leave() {
    const place = this.#place ?? 0;
    this.end();
    element(place === 0 ? "insert-first" : `question-${place - 1}-add`).focus();
  }

  /** @param {Definition[]} questions */
  #addAll(questions) {
    const place = this.#place ?? this.#draft.document.questions.length;
    this.end();
    this.#add(questions, place);
  }
}
