/** Blocks: the questions that are randomized together, how, and what of them devices repeat. */

import { InvalidParameters } from "../mechanisms/base.js";
import { OneOf } from "../mechanisms/domains.js";
import { mechanismFromDocument } from "../mechanisms/index.js";
import { MAX_DOMAIN_SIZE } from "../mechanisms/parameters.js";
import { ClosedQuestion } from "./questions/closed.js";
import { NO_ANSWER } from "./options.js";
import { BLOCK_ID } from "./reading.js";

/** @import { Mechanism } from "../mechanisms/base.js" */
/** @import { Answer } from "../mechanisms/domains.js" */
/** @import { Question } from "./questions/index.js" */
/** @import { Section } from "./reading.js" */

const MAX_QUESTIONS = 9;
/** The largest draw of a block. */
const MOST_DRAWS = 1_000_000;
const DRAWS_RULE = "have draws, not all the same, only if one is asked and none is fixed";
const QUESTIONS_RULE =
  "allowed are known questions, each once; several are all fixed or none, and yes_no, choice or scale";
/** How many outputs all fixed blocks may have together. */
export const MOST_FIXED_OUTPUTS = 16;

/** Questions that are randomized together, and how; several are all closed. */
export class Block {
  /**
   * @param {string} id
   * @param {readonly Question[]} questions
   * @param {Mechanism} mechanism
   * @param {number} [draw]
   */
  constructor(id, questions, mechanism, draw = 0) {
    this.id = id;
    /** How often it is drawn, beside the draws of the others; 0 if all are drawn equally often. */
    this.draw = draw;
    this.questions = Object.freeze(questions);
    this.mechanism = mechanism;
    /** Whether its questions, all or none, ask for facts that do not change. */
    this.fixed = questions.some((question) => question.fixed);
    /** What subset selects from: the answers to all questions that can occur together. */
    this.cells = mechanism.name === "subset" ? cellsOf(questions) : undefined;
    this.domain = this.cells ? new OneOf(this.cells.length) : /** @type {Question} */ (questions[0]).domain;
    Object.freeze(this);
  }

  /**
   * The answers as the block's domain has them.
   *
   * @param {ReadonlyMap<string, unknown>} answers of the questions that were reached.
   * @returns {Answer} or -1, which no mechanism takes, for answers that cannot occur together.
   * @throws {InvalidAnswer} an answer does not fit its question.
   */
  encode(answers) {
    const encoded = this.questions.map((question) => question.encode(answers.get(question.id)));
    if (!this.cells) return /** @type {Answer} */ (encoded[0]);
    return this.cells.findIndex((cell) => String(cell) === String(encoded));
  }
}

/**
 * The combinations of answers to some questions that can occur together.
 *
 * A question whose router stands before it is not reached by some of them: then "no answer"
 * is its only answer, and else it is none if the question is required. The last question
 * varies fastest.
 *
 * @param {readonly Question[]} questions
 */
function cellsOf(questions) {
  /** @type {readonly Answer[][]} */
  let found = [[]];
  for (const question of questions) {
    const { names, required, showIf } = question;
    /** @type {readonly Answer[]} */
    const answers = "answers" in question ? question.answers : [...names.keys()];
    const router = questions.findIndex(({ id }) => id === showIf?.question);
    // More questions make no fewer cells.
    found = found.slice(0, MAX_DOMAIN_SIZE + 1).flatMap((cell) => {
      // Only closed questions stand before others.
      const chosen = /** @type {number} */ (cell[router]);
      const isLed = showIf?.is.includes(questions[router]?.names[chosen] ?? "");
      return answers.flatMap((answer) =>
        chosen === undefined || isLed === (names[/** @type {number} */ (answer)] !== NO_ANSWER) || (isLed && !required)
          ? [[...cell, answer]]
          : [],
      );
    });
  }
  return found;
}

/**
 * A block of a published survey; problems go to the section.
 *
 * @param {Section} section
 * @param {readonly Question[]} questions
 * @returns {Block | null}
 */
export function readBlock(section, questions) {
  section.refuseUnknown(["id", "questions", "mechanism", "crosstab", "draw"]);
  const id = section.identifier("id", BLOCK_ID);
  const asked = readQuestions(section, questions);
  const mechanism = readMechanism(section);
  if (section.has("crosstab") && (section.value("crosstab") !== true || !asked[1])) {
    section.refuse("is true for several questions, or left out", "crosstab");
  }
  const draw = section.has("draw") ? section.integer("draw", 1, MOST_DRAWS) : 0;
  if (!mechanism || !asked[0]) return null;
  const block = new Block(id, asked, mechanism, draw);
  if (asked[1] && mechanism.name !== "subset") {
    section.refuse(`got ${mechanism.name}; several questions take only subset`, "mechanism");
  } else if (!mechanism.fits(block.domain)) {
    const takes = JSON.stringify(block.domain);
    section.refuse(`does not fit its questions, which take ${takes}`, "mechanism");
  }
  return block;
}

/** @param {Section} section @param {readonly Question[]} questions */
function readQuestions(section, questions) {
  const members = section.members("questions", 1, MAX_QUESTIONS, "question ids");
  const asked = members.flatMap((member) => questions.find(({ id }) => id === member) ?? []);
  const areLegal =
    new Set(asked).size === members.length &&
    new Set(asked.map(({ fixed }) => fixed)).size < 2 &&
    (!asked[1] || asked.every((question) => question instanceof ClosedQuestion));
  if (areLegal) return asked;
  section.refuse(QUESTIONS_RULE, "questions");
  return [];
}

/** @param {Section} section */
function readMechanism(section) {
  try {
    return mechanismFromDocument(section.value("mechanism"));
  } catch (error) {
    if (!(error instanceof InvalidParameters)) throw error;
    section.refuse(error.message, "mechanism");
    return null;
  }
}

/**
 * Notes draws that say nothing, or more than the number of asked blocks allows.
 *
 * @param {Section} section
 * @param {readonly Block[]} blocks
 * @param {number} asked
 */
export function checkDraws(section, blocks, asked) {
  const draws = new Set(blocks.map(({ draw }) => draw));
  const areAllowed = asked === 1 && draws.size > 1 && !draws.has(0) && !blocks.some(({ fixed }) => fixed);
  if (Math.max(...draws) > 0 && !areAllowed) section.refuse(DRAWS_RULE, "blocks");
}

/**
 * How many outputs the fixed ones of these blocks have together; 1 without any.
 *
 * @param {readonly Block[]} blocks
 */
export function fixedOutputs(blocks) {
  return blocks.reduce((all, { fixed, mechanism }) => all * (fixed ? mechanism.outputs : 1), 1);
}
