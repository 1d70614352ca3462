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
  const { question, mechanism, answers, words } = gameOf(survey);
  const pretended = element("pretended", HTMLSelectElement);
  element("play-question").textContent = question;
  pretended.replaceChildren(...answers.map((answer, index) => make("option", { value: index }, answer)));
  /** @type {Map<string, number>} */
  const counts = new Map();
  let flips = 0;
  // 0 times starts again.
  const flip = (/** @type {number} */ times) => {
    if (times === 0) {
      flips = 0;
      counts.clear();
    }
    for (let count = 0; count < times; count += 1) {
      const integers = new RandomIntegers(undefined, mechanism.draws);
      for (const answer of words(mechanism.randomize(pretended.selectedIndex, integers))) {
        counts.set(answer, (counts.get(answer) ?? 0) + 1);
      }
    }
    flips += times;
    show(answers, counts, flips);
  };
  pretended.addEventListener("change", () => flip(0));
  for (const button of element("play").querySelectorAll("button")) {
    button.addEventListener("click", () => flip(Number(button.dataset.flips)));
  }
}

/**
 * @param {readonly string[]} answers
 * @param {ReadonlyMap<string, number>} counts how often each was reported.
 * @param {number} flips
 */
function show(answers, counts, flips) {
  // In the question's order; other words, for ranges, in the order of the draws.
  const reported = new Set([...answers.filter((answer) => counts.has(answer)), ...counts.keys()]);
  const written = new Intl.NumberFormat(numberLocale());
  const share = new Intl.NumberFormat(numberLocale(), { style: "percent", maximumFractionDigits: 1 });
  element("play-rows").replaceChildren(...[...reported].map((answer) => {
    const count = counts.get(answer) ?? 0;
    return make(
      "tr", {},
      make("th", { scope: "row", dir: "auto" }, answer),
      make("td", { class: "number-cell" }, written.format(count)),
      make("td", { class: "number-cell" }, share.format(count / flips)),
      make("td", {}, make("progress", { max: flips, value: count, "aria-hidden": "true" })),
    );
  }));
  for (const id of ["play-result", "play-clear"]) element(id).hidden = flips === 0;
  element("played").textContent = flips === 0 ? "" : text("played", { count: written.format(flips) });
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
