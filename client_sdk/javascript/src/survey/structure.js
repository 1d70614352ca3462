/** The parts of a published survey, read from its JSON and checked together. */

import { InvalidSurvey, quote } from "../errors.js";
import { InvalidParameters } from "../mechanisms/base.js";
import { OneOf } from "../mechanisms/domains.js";
import { mechanismFromDocument } from "../mechanisms/index.js";
import { EPSILON_RANGE, readEpsilon } from "../weights.js";
import { readQuestion } from "./questions.js";
import { ID, SLUG, Section } from "./reading.js";
import { readOptionalText, readText } from "./text.js";

/** @import { JSONValue } from "../canonical.js" */
/** @import { Mechanism } from "../mechanisms/base.js" */
/** @import { Question } from "./questions.js" */
/** @import { Text } from "./text.js" */

const FORMAT = "deniable-survey/1";
const MAX_QUESTIONS = 200;
const KEYS = ["format", "slug", "title", "introduction", "thanks", "questions", "privacy"];

/**
 * @typedef {object} SurveyParts
 * @property {string} slug
 * @property {Text} title
 * @property {Text | null} introduction
 * @property {Text | null} thanks
 * @property {readonly Question[]} questions
 * @property {string} epsilon
 * @property {number} asked
 * @property {readonly Block[]} blocks
 */

/** Questions that are randomized together, and how. */
export class Block {
  /**
   * @param {string} id
   * @param {readonly Question[]} questions
   * @param {Mechanism} mechanism
   */
  constructor(id, questions, mechanism) {
    this.id = id;
    this.questions = Object.freeze(questions);
    this.mechanism = mechanism;
    /** All combinations of the questions' answers. */
    this.domain = new OneOf(
      questions.reduce((product, question) => product * question.domain.length, 1),
    );
    Object.freeze(this);
  }

  /**
   * The place of the answers in the block's domain.
   *
   * With several questions the last one varies fastest.
   *
   * @param {ReadonlyMap<string, unknown>} answers
   * @throws {InvalidAnswer} an answer does not fit its question.
   */
  index(answers) {
    return this.questions.reduce(
      (place, question) =>
        place * question.domain.length + question.index(answers.get(question.id)),
      0,
    );
  }
}

/**
 * The parts of a survey; InvalidSurvey names every problem and its place.
 *
 * @param {JSONValue} value
 * @returns {SurveyParts}
 */
export function readSurvey(value) {
  /** @type {string[]} */
  const problems = [];
  const section = new Section(value, [], problems);
  if (section.value("format") !== FORMAT) {
    throw new InvalidSurvey(
      `got the format ${quote(section.value("format"))}; this version reads ${FORMAT}`,
    );
  }
  section.refuseUnknown(KEYS);
  const questions = section.sections("questions", 1, MAX_QUESTIONS).map(readQuestion);
  if (hasTwins(questions)) section.refuse("an id stands twice", "questions");
  const privacy = new Section(section.require("privacy", "an object"), ["privacy"], problems);
  const survey = {
    slug: section.identifier("slug", SLUG),
    title: readText(section, "title"),
    introduction: readOptionalText(section, "introduction"),
    thanks: readOptionalText(section, "thanks"),
    questions,
    ...readPrivacy(privacy, questions),
  };
  if (problems.length > 0) throw new InvalidSurvey(problems.join("\n"));
  return survey;
}

/**
 * @param {Section} section
 * @param {readonly Question[]} questions
 */
function readPrivacy(section, questions) {
  section.refuseUnknown(["epsilon", "asked", "blocks"]);
  const sections = section.sections("blocks", 1, MAX_QUESTIONS);
  const blocks = sections.flatMap((block) => readBlock(block, questions) ?? []);
  if (hasTwins(blocks)) section.refuse("an id stands twice", "blocks");
  for (const question of questions) {
    if (!blocks.some((block) => block.questions.includes(question))) {
      section.refuse(`no block asks the question ${quote(question.id)}`, "blocks");
    }
  }
  return {
    epsilon: checkEpsilon(section),
    asked: section.integer("asked", 1, Math.max(1, sections.length)),
    blocks,
  };
}

/**
 * @param {Section} section
 * @param {readonly Question[]} questions
 */
function readBlock(section, questions) {
  section.refuseUnknown(["id", "questions", "mechanism"]);
  const id = section.identifier("id", ID);
  const members = section.members("questions", 1, 1, "question ids");
  const asked = members.flatMap((member) => questions.find(({ id: own }) => own === member) ?? []);
  if (asked.length < members.length) {
    section.refuse("names a question that the survey does not have", "questions");
  }
  const mechanism = readMechanism(section);
  if (!mechanism || asked.length === 0) return null;
  const block = new Block(id, asked, mechanism);
  if (!mechanism.fits(block.domain)) {
    section.refuse(
      `does not fit its questions, which have ${block.domain.size} different answers`,
      "mechanism",
    );
  }
  return block;
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

/** @param {Section} section */
function checkEpsilon(section) {
  const value = section.require("epsilon", EPSILON_RANGE);
  try {
    readEpsilon(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if (section.has("epsilon")) section.refuse(error.message, "epsilon");
  }
  return String(value);
}

/** @param {readonly { id: string }[]} members */
function hasTwins(members) {
  return new Set(members.map((member) => member.id)).size < members.length;
}
