/** The crosstabs of the draft: the questions that are analysed together. */
import { element, make, tick } from "./dom.js";
import { crossed } from "./edits.js";
import { shownText } from "./fields.js";
import { fieldId } from "./paths.js";
import { signButton } from "./signs.js";
import { text } from "./texts.js";
import { TYPES } from "./types.js";

/** @import { Draft } from "./draft.js" */
/** @import { Definition } from "./paths.js" */

export class CrosstabList {
  #draft;

  /** @param {Draft} draft */
  constructor(draft) {
    this.#draft = draft;
    element("add-crosstab").addEventListener("click", () => this.#add());
    draft.addEventListener("restructured", () => this.show());
  }

  show() {
    const crosstabs = this.#draft.document.crosstabs ?? [];
    element("crosstabs").replaceChildren(
      ...crosstabs.map((/** @type {any} */ crosstab, /** @type {number} */ place) => this.#item(crosstab, place)),
    );
    element("add-crosstab").toggleAttribute("disabled", this.#free().length < 2);
  }

  /** @returns {Definition[]} the questions that can be in a crosstab and are in none yet */
  #free() {
    const taken = (this.#draft.document.crosstabs ?? []).flatMap(crossed);
    return this.#draft.document.questions.filter(
      (/** @type {Definition} */ question) => TYPES[question.type]?.isClosed && !taken.includes(question.id),
    );
  }

  /**
   * @param {any} crosstab
   * @param {number} place
   */
  #item(crosstab, place) {
    const path = ["crosstabs", place];
    const ids = crossed(crosstab);
    const offered = this.#draft.document.questions.filter(
      (/** @type {Definition} */ question) => ids.includes(question.id) || this.#free().includes(question),
    );
    const ticks = offered.map((/** @type {Definition} */ question, /** @type {number} */ each) => {
      const box = make("input", { type: "checkbox", id: `${fieldId(path)}-${each}` });
      box.checked = ids.includes(question.id);
      box.addEventListener("change", () => this.#cross(place, question.id, box.checked, box.id));
      return tick(box, shownText(question.text));
    });
    const name = place + 1;
    return make(
      "fieldset",
      { id: fieldId(path), class: "ticks", tabindex: "-1" },
      make("legend", {}, text("crosstab", { place: name })),
      ...ticks,
      signButton("delete", text("crosstab_delete", { place: name }), () => this.#remove(place)),
    );
  }

  #add() {
    const ids = this.#free().slice(0, 2).map((question) => question.id);
    this.#draft.restructure((document) => {
      document.crosstabs = [...(document.crosstabs ?? []), ids];
    });
    element(fieldId(["crosstabs", this.#draft.document.crosstabs.length - 1])).focus();
  }

  /**
   * @param {number} place
   * @param {string} id
   * @param {boolean} isIn
   * @param {string} boxId
   */
  #cross(place, id, isIn, boxId) {
    this.#draft.restructure((document) => {
      const before = document.crosstabs[place];
      const ids = crossed(before).filter((each) => each !== id);
      if (isIn) ids.push(id);
      document.crosstabs[place] = Array.isArray(before) ? ids : { ...before, questions: ids };
    });
    document.getElementById(boxId)?.focus();
  }

  /** @param {number} place */
  #remove(place) {
    this.#draft.restructure((document) => {
      document.crosstabs.splice(place, 1);
      if (document.crosstabs.length === 0) delete document.crosstabs;
    });
    element("add-crosstab").focus();
  }
}

