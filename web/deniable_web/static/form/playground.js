/**
 * Lets people try the survey's randomization with a pretended answer.
 *
 * It draws like a report, from the device's randomness, and shows how often each answer
 * would be reported. It has no access to the form's inputs.
 */
import { mechanismFromDocument } from "../sdk/mechanisms/index.js";
import { RandomIntegers } from "../sdk/randomness.js";
import { element, make, numberLocale, text } from "./page.js";
import { inWords, label, legend } from "./words.js";

/** @import { Block, PublishedSurvey } from "../sdk/index.js" */
/** @import { Mechanism } from "../sdk/mechanisms/base.js" */

/**
 * The data for trying: a mechanism, the names of its answers, and the words for a value.
 *
 * @typedef {object} Game
 * @property {string} question
 * @property {Mechanism} mechanism
 * @property {readonly string[]} answers
 * @property {(value: unknown) => readonly string[]} words
 */

const MOST_ANSWERS = 12;

/** @param {PublishedSurvey} survey */
export function openPlayground(survey) {
  const game = gameOf(survey);
  const pretended = element("pretended", HTMLSelectElement);
  element("play-question").textContent = game.question;
  pretended.replaceChildren(...game.answers.map((answer, index) => make("option", { value: index }, answer)));
  const play = new Play(game);
  pretended.addEventListener("change", () => play.flip(0, 0));
  for (const button of element("play").querySelectorAll("button")) {
    button.addEventListener("click", () => play.flip(pretended.selectedIndex, Number(button.dataset.flips)));
  }
}

/** The flips so far of one pretended answer. */
class Play {
  #game;
  /** @type {Map<string, number>} */
  #counts = new Map();
  #flips = 0;

  /** @param {Game} game */
  constructor(game) {
    this.#game = game;
  }

  /**
   * @param {number} index the index of the pretended answer.
   * @param {number} times 0 starts again.
   */
  flip(index, times) {
    if (times === 0) {
      this.#flips = 0;
      this.#counts.clear();
    }
    const { mechanism, words } = this.#game;
    for (let flip = 0; flip < times; flip += 1) {
      const value = mechanism.randomize(index, new RandomIntegers(undefined, mechanism.draws));
      for (const answer of words(value)) {
        this.#counts.set(answer, (this.#counts.get(answer) ?? 0) + 1);
      }
    }
    this.#flips += times;
    this.#show();
  }

  #show() {
    const written = new Intl.NumberFormat(numberLocale());
    // In the question's order; other words, for ranges, in the order of the draws.
    const said = this.#game.answers.filter((answer) => this.#counts.has(answer));
    const answers = [...new Set([...said, ...this.#counts.keys()])];
    element("play-rows").replaceChildren(
      ...answers.map((answer) => row(answer, this.#counts.get(answer) ?? 0, this.#flips)),
    );
    element("play-result").hidden = this.#flips === 0;
    element("play-clear").hidden = this.#flips === 0;
    element("played").textContent =
      this.#flips === 0 ? "" : text("played", { count: written.format(this.#flips) });
  }
}

/**
 * @param {string} answer
 * @param {number} count
 * @param {number} flips
 */
function row(answer, count, flips) {
  const written = new Intl.NumberFormat(numberLocale());
  const share = new Intl.NumberFormat(numberLocale(), { style: "percent", maximumFractionDigits: 1 });
  return make(
    "tr", {},
    make("th", { scope: "row", dir: "auto" }, answer),
    make("td", { class: "number-cell" }, written.format(count)),
    make("td", { class: "number-cell" }, share.format(count / flips)),
    make("td", {}, make("progress", { max: flips, value: count, "aria-hidden": "true" })),
  );
}

/**
 * The first closed question that is randomized by itself, or an example.
 *
 * @param {PublishedSurvey} survey
 * @returns {Game}
 */
function gameOf(survey) {
  const block = survey.blocks.find(isPlayable);
  const question = block?.questions[0];
  if (!block || !question) return exampleGame(survey);
  return {
    question: legend(element(`q-${question.id}`)),
    mechanism: block.mechanism,
    answers: question.names.map((_, index) => label(question, index)),
    words: (value) => inWords(block, value).values,
  };
}

/** @param {Block} block */
function isPlayable({ questions }) {
  const [question] = questions;
  if (!question || questions.length > 1) return false;
  const isClosed = "options" in question && !("atMost" in question);
  return isClosed && question.names.length <= MOST_ANSWERS;
}

/**
 * A yes-or-no question with the weights of the survey's first block.
 *
 * @param {PublishedSurvey} survey
 * @returns {Game}
 */
function exampleGame(survey) {
  const [spent] = /** @type {Block} */ (survey.blocks[0]).mechanism.spends;
  const { high, low } = spent ?? { high: 3, low: 1 };
  const { yes = "", no = "" } = element("pretended").dataset;
  const answers = [yes, no];
  return {
    question: element("play-question").dataset.sample ?? "",
    mechanism: mechanismFromDocument({ name: "subset", domain_size: 2, size: 1, weights: [high, low] }),
    answers,
    words: (value) => [answers[Number(value)] ?? ""],
  };
}
