/** The questions of the draft: a list of cards, one of them open. */
import { Adding } from "./adding.js";
import { all, announce, button, element, focusOn, make, toast } from "./dom.js";
import { letMove } from "./dragging.js";
import { addQuestions, deleteQuestions, duplicateQuestion, moveQuestions } from "./edits.js";
import { shownText } from "./fields.js";
import { fieldId } from "./paths.js";
import { questionFields } from "./question_fields.js";
import { Selection } from "./selection.js";
import { memberSigns, signButton } from "./signs.js";
import { text, whole } from "./texts.js";

/** @import { Draft } from "./draft.js" */
/**
 * A card as it was rendered. A closed card depends on its place only, so it stays in the page
 * when its question changes: only the words are replaced.
 *
 * @typedef {{ element: HTMLElement, section: HTMLElement, asked: HTMLElement, type: HTMLElement, grip: HTMLElement, isOpen: boolean, isLast: boolean }} Card
 */

/** Where "/" is a letter. */
const WRITTEN = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select";

export class QuestionList extends EventTarget {
  #draft;
  #adding;
  #selection;
  /** @type {Card[]} */
  #cards = [];
  /** The index of the open card; -1 if none is open. */
  #open = 0;
  /** Whether the present change is the list's own, which keeps the selection. */
  #isMoving = false;

  /** @param {Draft} draft */
  constructor(draft) {
    super();
    this.#draft = draft;
    this.#adding = new Adding(draft, (questions, place) => this.#insert(questions, place));
    this.#selection = new Selection(draft, {
      move: (before) => focusOn(gripId(this.#move(this.#selection.indexes, before)[0] ?? 0)),
      remove: () => this.#delete(this.#selection.indexes),
      clear: () => this.#clear(),
    });
    draft.addEventListener("restructured", () => {
      if (!this.#isMoving) this.#selection.set([]);
      this.show();
    });
    draft.addEventListener("edited", () => this.#renameCards());
    addEventListener("keydown", (event) => {
      const isElsewhere = element("questions").offsetParent === null || document.querySelector("dialog[open]");
      if (event.key !== "/" || isElsewhere || (event.target instanceof Element && event.target.matches(WRITTEN))) return;
      event.preventDefault();
      this.#adding.begin(this.#open < 0 ? draft.document.questions.length : this.#open + 1);
    });
  }

  /** The index of the open card; -1 if none is open. */
  get opened() {
    return this.#open;
  }

  show() {
    this.#adding.end();
    const { questions } = this.#draft.document;
    const list = element("questions");
    questions.forEach((_, index) => {
      const isOpen = index === this.#open;
      const isLast = index === questions.length - 1;
      const before = this.#cards[index];
      if (before && !before.isOpen && !isOpen && before.isLast === isLast) return;
      const card = this.#card(index, isOpen, isLast);
      this.#cards[index] = card;
      if (before) before.element.replaceWith(card.element);
      else list.append(card.element);
    });
    for (const card of this.#cards.splice(questions.length)) card.element.remove();
    element("no-questions").hidden = questions.length > 0;
    element("insert-first").hidden = questions.length === 0;
    this.#renameCards();
    this.#markSelected();
  }

  /** Opens the card of a question, so that its fields exist. @param {number} index */
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

  /**
   * @param {number} index
   * @param {boolean} isOpen
   * @param {boolean} isLast
   * @returns {Card}
   */
  #card(index, isOpen, isLast) {
    const bodyId = `question-${index}-fields`;
    const toggle = button("", () => this.#toggle(index), {
      class: "toggle", id: fieldId(["questions", index]), "aria-expanded": String(isOpen), "aria-controls": bodyId,
    });
    const section = make("p", { class: "section-name", hidden: true });
    const asked = make("span", { class: "asked" });
    const type = make("span", { class: "type" });
    toggle.append(make("span", { class: "place" }, String(index + 1)), make("span", { class: "words" }, asked, type));
    const body = make("div", { id: bodyId, class: "stack body", hidden: !isOpen });
    if (isOpen) body.append(...questionFields(this.#draft, index));
    const grip = this.#grip(index);
    const head = make("div", { class: "head" }, grip, make("h3", {}, toggle), this.#tools(index, isLast));
    const element = make("li", { class: `card question${isOpen ? " open" : ""}` }, section, head, body);
    return { element, section, asked, type, grip, isOpen, isLast };
  }

  /** @param {number} index */
  #grip(index) {
    const grip = signButton("grip", text("question_grip", { place: index + 1 }), () => {
      this.#selection.toggle(index);
      this.#markSelected();
      announce(text("selected", { count: whole(this.#selection.indexes.length) }));
    }, { id: gripId(index), class: "sign grip", "aria-describedby": "moving-hint" });
    letMove(grip, {
      members: () => this.#cards.map((card) => card.element),
      moved: () => this.#selection.around(index),
      drop: (before) => {
        const moved = this.#selection.around(index);
        const now = this.#move(moved, before);
        element(gripId(now[moved.indexOf(index)] ?? 0)).focus();
      },
    });
    return grip;
  }

  /** @param {number} index @param {boolean} isLast */
  #tools(index, isLast) {
    return memberSigns({
      kind: "question",
      place: index,
      count: isLast ? index + 1 : index + 2,
      id: (place) => `question-${place}`,
      move: (target) => this.#move([index], target > index ? target + 1 : target),
      add: () => this.#adding.begin(index + 1),
      copy: () => this.#duplicate(index),
      remove: () => this.#delete([index]),
    });
  }

  #renameCards() {
    this.#draft.document.questions.forEach((question, index) => {
      const card = this.#cards[index];
      if (!card) return;
      card.section.hidden = !question.section;
      replaceWords(card.section, question.section ? text("section_begins", { title: shownText(question.section.title) }) : "");
      replaceWords(card.asked, shownText(question.text));
      replaceWords(card.type, text(question.show_if ? "type_routed" : "type", { type: text(`type_${question.type}`) }));
    });
  }

  #markSelected() {
    this.#cards.forEach(({ element: card, grip }, index) => {
      const isSelected = this.#selection.has(index);
      card.classList.toggle("selected", isSelected);
      grip.setAttribute("aria-pressed", String(isSelected));
    });
  }

  #clear() {
    const [first = 0] = this.#selection.indexes;
    this.#selection.set([]);
    this.#markSelected();
    element(gripId(first)).focus();
  }

  /** @param {number} index */
  #toggle(index) {
    this.#open = this.#open === index ? -1 : index;
    this.#showOpened();
    element(fieldId(["questions", index])).focus();
  }

  /**
   * @param {import("./paths.js").Definition[]} questions The first of them is opened.
   * @param {number} place
   */
  #insert(questions, place) {
    this.#open = place;
    this.#draft.restructure((document) => addQuestions(document, questions, place));
    element(fieldId(["questions", place])).scrollIntoView({ block: "nearest" });
    element(`question-${place}-fields`).querySelector("textarea")?.focus();
  }

  /**
   * Moves questions; the open card stays open, and the selected questions stay selected.
   *
   * @param {readonly number[]} indexes
   * @param {number} before
   */
  #move(indexes, before) {
    const { questions } = this.#draft.document;
    const opened = questions[this.#open];
    const selected = this.#selection.indexes.map((index) => questions[index]);
    /** @type {number[]} */
    let now = [];
    this.#isMoving = true;
    this.#draft.restructure((document) => {
      now = moveQuestions(document, indexes, before);
      this.#open = document.questions.indexOf(opened);
      this.#selection.set(selected.map((question) => document.questions.indexOf(question)));
    });
    this.#isMoving = false;
    toast(text("moved", { place: whole((now[0] ?? 0) + 1) }));
    return now;
  }

  /** @param {number} index */
  #duplicate(index) {
    this.#open = index + 1;
    this.#draft.restructure((document) => duplicateQuestion(document, index));
    element(fieldId(["questions", index + 1])).focus();
    toast(text("copied"));
  }

  /** @param {readonly number[]} indexes */
  #delete(indexes) {
    const opened = this.#draft.document.questions[this.#open];
    this.#draft.restructure((document) => {
      deleteQuestions(document, indexes);
      this.#open = document.questions.indexOf(opened);
    });
    const [first = 0] = indexes;
    const next = Math.min(first, this.#draft.document.questions.length - 1);
    if (next >= 0) element(fieldId(["questions", next])).focus();
    else all("button", element("add-types"))[0]?.focus();
    toast(
      indexes.length === 1
        ? text("deleted", { place: first + 1 })
        : text("deleted_many", { count: whole(indexes.length) }),
    );
  }
}

/** @param {number} index */
function gripId(index) {
  return `question-${index}-grip`;
}

/** Replaces words if they have changed: replacing them makes the browser lay out the page. @param {HTMLElement} part @param {string} words */
function replaceWords(part, words) {
  if (part.textContent !== words) part.textContent = words;
}
