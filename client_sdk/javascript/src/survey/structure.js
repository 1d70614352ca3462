/** The parts of a published survey, read from its JSON and checked together. */

import { InvalidSurvey, quote } from "../errors.js";
import { EPSILON_RANGE, parseEpsilon } from "../weights.js";
import { readAccent, readImage, readLink } from "./appearance.js";
import { MOST_FIXED_OUTPUTS, checkDraws, fixedOutputs, readBlock } from "./block.js";
import { itemsOf } from "./questions/base.js";
import { readQuestion } from "./questions/index.js";
import { SLUG, Section } from "./reading.js";
import { SHORT_TEXT_RULE, isShortText, readOptionalText, readText } from "./text.js";

/** @import { JSONValue } from "../canonical.js" */
/** @import { Image, Link } from "./appearance.js" */
/** @import { Block } from "./block.js" */
/** @import { Invited, Window } from "./fieldwork.js" */
/** @import { Group } from "./groups.js" */
/** @import { Question } from "./questions/index.js" */
/** @import { Text } from "./text.js" */

const FORMAT = "deniable-survey/1";
export const MAX_QUESTIONS = 200;
const MAX_WAVES = 100;
export const KEYS = [
  "format", "slug", "title", "introduction", "thanks", "thanks_link", "logo", "accent",
  "operator", "questions", "privacy",
];
/**
 * What reads the keys that modules add to KEYS, of surveys that not every app answers.
 *
 * @type {((survey: Section, read: Pick<SurveyParts, "asked" | "blocks">) => Pick<SurveyParts, "window" | "invited" | "groups">)[]}
 */
export const READERS = [];
const CONTACT = {
  pattern: /^(?!.{201})([\w.+-]+@[\w-]+\.[\w.-]+|https:\/\/[\w.-]+(\/[!-~]*)?|\+?\d[\d ()/.-]{5,})$/,
  rule: "an e-mail or https address, or a phone number",
};

/**
 * Who runs a survey, how to reach them, and why they ask.
 *
 * @typedef {{ readonly name: string, readonly contact: string, readonly purpose: Text | null }} Operator
 */

/**
 * @typedef {object} SurveyParts
 * @property {string} slug
 * @property {Text} title
 * @property {Text | null} introduction
 * @property {Text | null} thanks
 * @property {Link | null} thanksLink where a respondent can go afterwards.
 * @property {Image | null} logo
 * @property {string | null} accent the colour of buttons and marks, like "#0f5f63".
 * @property {Operator | null} operator
 * @property {Window} [window] with deniable/fieldwork: when it accepts reports.
 * @property {Invited} [invited] with deniable/fieldwork: who may answer.
 * @property {readonly Group[]} [groups] with deniable/fieldwork: of the people who may answer, by
 *   invitation or by link.
 * @property {readonly Question[]} questions
 * @property {string} epsilon
 * @property {number} asked
 * @property {number} waves
 * @property {number} wave
 * @property {readonly Block[]} blocks
 */

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
    throw new InvalidSurvey(`got the format ${quote(section.value("format"))}; this version reads ${FORMAT}`);
  }
  section.refuseUnknown(KEYS);
  const questions = readQuestions(section);
  const read = {
    slug: section.identifier("slug", SLUG),
    title: readText(section, "title"),
    introduction: readOptionalText(section, "introduction"),
    thanks: readOptionalText(section, "thanks"),
    thanksLink: section.optional("thanks_link", readLink),
    logo: section.optional("logo", readImage),
    accent: readAccent(section),
    operator: section.optional("operator", readOperator),
    questions,
    ...readPrivacy(section.inner("privacy"), questions),
  };
  const survey = { ...read, ...READERS[0]?.(section, read) };
  if (problems.length > 0) throw new InvalidSurvey(problems.join("\n"));
  return survey;
}

/** @param {Section} section @returns {Operator} */
function readOperator(section) {
  section.refuseUnknown(["name", "contact", "purpose"]);
  return {
    name: section.read("name", SHORT_TEXT_RULE, isShortText, ""),
    contact: section.identifier("contact", CONTACT),
    purpose: readOptionalText(section, "purpose"),
  };
}

/** @param {Section} section */
function readQuestions(section) {
  /** @type {Question[]} */
  const questions = [];
  for (const member of section.sections("questions", 1, MAX_QUESTIONS)) {
    const question = readQuestion(member, questions);
    if (question) questions.push(question);
  }
  return section.withoutTwins("questions", questions);
}

/** @param {Section} section @param {readonly Question[]} questions */
function readPrivacy(section, questions) {
  section.refuseUnknown(["epsilon", "asked", "blocks", "waves", "wave"]);
  const sections = section.sections("blocks", 1, MAX_QUESTIONS);
  const read = sections.flatMap((block) => readBlock(block, questions) ?? []);
  const blocks = section.withoutTwins("blocks", read);
  const asked = new Set([...blocks.flatMap((block) => block.questions), ...itemsOf(questions)]);
  // A block that cannot be read may ask more, and has its problem noted already.
  const isSure = blocks.length === sections.length;
  for (const question of questions) {
    if (isSure && !asked.has(question)) {
      section.refuse(`no block asks the question ${quote(question.id)}`, "blocks");
    }
  }
  if (fixedOutputs(blocks) > MOST_FIXED_OUTPUTS) {
    section.refuse(`the fixed blocks have more than ${MOST_FIXED_OUTPUTS} outputs together`, "blocks");
  }
  const number = section.integer("asked", 1, Math.max(1, sections.length));
  if (isSure) checkDraws(section, blocks, number);
  const isPanel = section.has("waves") || section.has("wave");
  const waves = isPanel ? section.integer("waves", 2, MAX_WAVES) : 1;
  return {
    epsilon: section.read("epsilon", EPSILON_RANGE, (text) => parseEpsilon(text, waves), ""),
    waves,
    wave: isPanel ? section.integer("wave", 1, waves) : 1,
    asked: number,
    blocks,
  };
}
