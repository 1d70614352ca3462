/** What can be asked: one file for each kind, one line here for each type. */

import { readImage, readQuestionSection } from "../appearance.js";
import { ID } from "../reading.js";
import { readShowIf } from "../routing.js";
import { readOptionalText, readText } from "../text.js";
import { ChoiceQuestion, ClosedQuestion } from "./closed.js";
import { MultipleQuestion } from "./multiple.js";
import { NumberQuestion } from "./number.js";

/** @import { Section } from "../reading.js" */
/** @import { Common } from "./base.js" */

/**
 * What reads the questions of some types, and the keys it adds.
 *
 * @typedef {{ keys: readonly string[], read: (section: Section, common: Common, earlier: readonly Question[]) => Question }} Kind
 */

/** @typedef {ClosedQuestion | MultipleQuestion | NumberQuestion} Question */

/** @type {Map<unknown, Kind>} */
export const QUESTION_TYPES = new Map(
  Object.entries({
    yes_no: ClosedQuestion,
    choice: ChoiceQuestion,
    scale: ClosedQuestion,
    multiple: MultipleQuestion,
    number: NumberQuestion,
  }),
);
const COMMON_KEYS = [
  "id", "type", "text", "help", "image", "section", "required", "show_if", "new_page", "fixed",
];

/**
 * A question of a published survey; problems go to the section.
 *
 * @param {Section} section
 * @param {readonly Question[]} earlier the questions before it.
 * @returns {Question | null} null where its type is unknown, and it cannot be
 *   read.
 */
export function readQuestion(section, earlier) {
  const allowed = [...QUESTION_TYPES.keys()].join(", ");
  const type = section.read("type", `one of ${allowed}`, (type) => QUESTION_TYPES.has(type), "");
  const kind = QUESTION_TYPES.get(type);
  if (!kind) return null;
  section.refuseUnknown([...COMMON_KEYS, ...kind.keys]);
  const common = {
    id: section.identifier("id", ID),
    type,
    text: readText(section, "text"),
    help: readOptionalText(section, "help"),
    image: section.optional("image", readImage),
    section: section.optional("section", readQuestionSection),
    required: section.flag("required"),
    showIf: section.optional("show_if", (inner) => readShowIf(inner, earlier)),
    newPage: section.flag("new_page", false),
    randomOrder: section.flag("random_order", false),
    fixed: section.flag("fixed", false),
  };
  return kind.read(section, common, earlier);
}
