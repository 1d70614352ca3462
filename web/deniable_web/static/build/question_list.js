/** The questions of the draft: a list of cards, one of them open. */
import { announce, button, element, make } from "./dom.js";
import { addQuestions, deleteQuestion, duplicateQuestion, moveQuestion, newQuestion } from "./edits.js";
import { shownText } from "./fields.js";
import { fieldId } from "./paths.js";
import { questionFields } from "./question_fields.js";
import { memberSigns } from "./signs.js";
import { text } from "./texts.js";
import { TYPES } from "./types.js";

/** @import { Draft } from "./draft.js" */

export class QuestionList extends EventTarget {
  #draft;
  /** The index of the open card; -1 if none is open. */
  #open = 0;

  /** @param {Draft} draft */
  constructor(draft) {
    super();
    this.#draft = draft;
    element("add-question").append(
      ...Object.keys(TYPES).map((type) =>
        button(text(`type_${type}`), () => this.#add(type), { class: "small", "data-type": type }),
      ),
    );
    for (const add of element("instruments").querySelectorAll("button")) {
      add.addEventListener("click", () => this.#addAll(JSON.parse(add.dataset.questions ?? "[]")));
    }
    draft.addEventListener("restructured", () => this.show());
    draft.addEventListener("edited", () => this.#renameCards());
  }

  show() {
    const { questions } = this.#draft.document;
    element("questions").replaceChildren(
      ...questions.map((/** @type {any} */ _, /** @type {number} */ index) => this.#card(index)),
    );
    element("no-questions").hidden = questions.length > 0;
    this.#renameCards();
  }

  /**
   * Opens the card of a question, so that its fields exist.
   *
   * @param {number} index
   */
  open(index) {
    if (this.#open === index) return;
    this.#open = index;
    this.#showOpened();
  }

  /** Announces that the fields of the open card are new, so that problems are marked again. */
  #showOpened() {
    this.show();
    this.dispatchEvent(new Event("opened"));
  }

  /** @param {number} index */
  #card(index) {
    const isOpen = index === this.#open;
    const bodyId = `question-${index}-fields`;
    const toggle = button("", () => this.#toggle(index), {
      class: "toggle", id: fieldId(["questions", index]), "aria-expanded": String(isOpen), "aria-controls": bodyId,
    });
    toggle.append(
      make("span", { class: "place" }, String(index + 1)),
      make("span", { class: "words" }, make("span", { class: "asked" }), make("span", { class: "type" })),
    );
    const body = make("div", { id: bodyId, class: "stack body", hidden: !isOpen });
    if (isOpen) body.append(...questionFields(this.#draft, index));
    const head = make("div", { class: "head" }, make("h3", {}, toggle), this.#tools(index));
    return make("li", { class: `card question${isOpen ? " open" : ""}` }, head, body);
  }

  /** @param {number} index */
  #tools(index) {
    return memberSigns({
      kind: "question",
      place: index,
      count: this.#draft.document.questions.length,
      id: (place) => `question-${place}`,
      move: (target) => this.#move(index, target),
      copy: () => this.#duplicate(index),
      remove: () => this.#delete(index),
    });
  }

  #renameCards() {
    this.#draft.document.questions.forEach((/** @type {any} */ question, /** @type {number} */ index) => {
      const toggle = document.getElementById(fieldId(["questions", index]));
      const [asked, type] = toggle?.querySelectorAll(".asked, .type") ?? [];
      if (!asked || !type) return;
      asked.textContent = shownText(question.text);
      type.textContent = text(question.show_if ? "type_routed" : "type", { type: text(`type_${question.type}`) });
    });
  }

  /** @param {number} index */
  #toggle(index) {
    this.#open = this.#open === index ? -1 : index;
    this.#showOpened();
    element(fieldId(["questions", index])).focus();
  }

  /** @param {string} type */
  #add(type) {
    this.#addAll([newQuestion(this.#draft.document, type, (place) => text("option", { place }))]);
  }

  /** @param {import("./paths.js").Definition[]} questions The first of them is opened. */
  #addAll(questions) {
    this.#open = this.#draft.document.questions.length;
    this.#draft.restructure((document) => addQuestions(document, questions));
    element(fieldId(["questions", this.#open])).scrollIntoView({ block: "start" });
    element(`question-${this.#open}-fields`).querySelector("textarea")?.focus();
  }

  /**
   * @param {number} index
   * @param {number} target
   */
  #move(index, target) {
    if (this.#open === index) this.#open = target;
    else if (this.#open === target) this.#open = index;
    this.#draft.restructure((document) => moveQuestion(document, index, target));
  }

  /** @param {number} index */
  #duplicate(index) {
    this.#open = index + 1;
    this.#draft.restructure((document) => duplicateQuestion(document, index));
    element(fieldId(["questions", index + 1])).focus();
    announce(text("copied"));
  }

  /** @param {number} index */
  #delete(index) {
    this.#open = this.#open === index ? -1 : this.#open > index ? this.#open - 1 : this.#open;
    this.#draft.restructure((document) => deleteQuestion(document, index));
    element("undo").focus();
    announce(text("deleted", { place: index + 1 }));
  }
}
