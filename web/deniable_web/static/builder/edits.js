/** Edits of a whole definition; each changes the given document. */
import { free } from "./names.js";
import { ruledQuestions } from "./stop_rule.js";
import { divideTexts, languagesOf } from "./translations.js";
import { TYPES, optionId, optionIds } from "./types.js";

/** @import { Definition } from "./paths.js" */

const SHARED = ["id", "type", "text", "help", "image", "section", "required", "fixed", "new_page", "show_if"];
/** The keys of what begins with a question and goes on after it. */
const BEGINNINGS = ["section", "new_page"];

/** @param {Definition} document @returns {string[]} */
export function questionIds({ questions }) {
  return questions.map((/** @type {Definition} */ { id }) => String(id));
}

/**
 * The names that a new question cannot have: those of all questions, and of the items of scores.
 *
 * @param {readonly Definition[]} questions
 * @param {string} type the type of the new one: the items of a score have names, too.
 */
export function takenNames(questions, type) {
  const names = questions.flatMap(({ id, items }) => [String(id), ...(Array.isArray(items) ? itemNames(id, items) : [])]);
  return type === "score" ? [...names, ...names.map((name) => name.replace(/_\d+$/, ""))] : names;
}

/** @param {string} id of a score. @param {readonly any[]} items Some are questions elsewhere. */
function itemNames(id, items) {
  return items.flatMap((item, place) => (item?.question ? [] : String(item?.id ?? `${id}_${place + 1}`)));
}

/**
 * A new question of a type, with its required keys and empty texts.
 *
 * @param {Definition} document
 * @param {string} type
 * @returns {Definition}
 */
export function newQuestion(document, type) {
  return { id: neutralId(document, type), type, text: "", ...needed(document, type) };
}

/** A name that its question's text will replace. @param {Definition} document @param {string} type */
function neutralId({ questions }, type) {
  return free(`question_${questions.length + 1}`, takenNames(questions, type));
}

/**
 * Inserts questions that belong together; a name that is already used is replaced, and their
 * texts become those of the first language.
 *
 * @param {Definition} document
 * @param {readonly Definition[]} questions a score may refer to the questions before it.
 * @param {number} [before] the index of the question before which they come; the end if left out.
 */
export function addQuestions(document, questions, before = document.questions.length) {
  /** @type {{ [before: string]: string }} */
  const names = {};
  let place = before;
  for (const question of structuredClone(questions)) {
    const id = free(question.id, takenNames(document.questions, question.type));
    names[question.id] = id;
    // What they refer to among themselves keeps its meaning under new names.
    for (const part of [...(question.items ?? []), question.show_if ?? {}]) {
      if (part.question) part.question = names[part.question] ?? part.question;
    }
    document.questions.splice(place, 0, { ...question, id });
    place += 1;
  }
  divideTexts(document);
}

/**
 * An option with an empty text, or one for each language.
 *
 * @param {Definition} document
 * @param {unknown[]} others the other options of the same question.
 */
export function newOption(document, others) {
  const codes = languagesOf(document);
  if (codes.length === 0) return "";
  const id = free(`option_${others.length + 1}`, others.map(optionId));
  return { id, text: Object.fromEntries(codes.map((code) => [code, ""])) };
}

/** @param {Definition} document @param {string} type */
function needed(document, type) {
  const twoOptions = () => {
    const first = newOption(document, []);
    return [first, newOption(document, [first])];
  };
  return TYPES[type]?.needed(twoOptions) ?? {};
}

/**
 * Changes a question's type; options are kept if both types have them.
 *
 * @param {Definition} document
 * @param {number} index
 * @param {string} type
 */
export function changeType(document, index, type) {
  const before = document.questions[index];
  const kept = Object.fromEntries(Object.entries(before).filter(([key]) => SHARED.includes(key)));
  const fresh = needed(document, type);
  if (fresh.options && before.options) fresh.options = before.options;
  document.questions[index] = { ...kept, type, ...fresh };
  dropStaleReferences(document);
}

/**
 * Moves questions, which keep their order among themselves.
 *
 * @param {Definition} document
 * @param {readonly number[]} indexes
 * @param {number} before the index of the question before which they come, as it is now.
 * @returns {number[]} their indexes afterwards.
 */
export function moveQuestions(document, indexes, before) {
  /** @type {{ questions: Definition[] }} */
  const { questions } = /** @type {any} */ (document);
  leaveBeginnings(questions, indexes);
  const moved = questions.filter((_, index) => indexes.includes(index));
  const place = before - indexes.filter((index) => index < before).length;
  removeAt(questions, indexes);
  questions.splice(place, 0, ...moved);
  return moved.map((_, offset) => place + offset);
}

/** @param {Definition} document @param {number} index */
export function duplicateQuestion(document, index) {
  const copy = structuredClone(document.questions[index]);
  for (const key of BEGINNINGS) delete copy[key];
  copy.id = neutralId(document, copy.type);
  if (Array.isArray(copy.items)) for (const item of copy.items) delete item?.id;
  document.questions.splice(index + 1, 0, copy);
}

/** @param {Definition} document @param {readonly number[]} indexes */
export function deleteQuestions(document, indexes) {
  leaveBeginnings(document.questions, indexes);
  removeAt(document.questions, indexes);
  dropStaleReferences(document);
}

/**
 * Lets sections and pages begin with the first of their questions that stays; those of which none
 * stays go with their questions.
 *
 * @param {Definition[]} questions
 * @param {readonly number[]} leaving the indexes of questions that are moved or deleted.
 */
function leaveBeginnings(questions, leaving) {
  for (const key of BEGINNINGS) {
    for (const index of leaving) {
      const question = questions[index];
      if (!question?.[key]) continue;
      let next = index + 1;
      while (leaving.includes(next) && !questions[next]?.[key]) next += 1;
      const heir = questions[next];
      if (!heir || heir[key] || leaving.includes(next)) continue;
      heir[key] = question[key];
      delete question[key];
    }
  }
}

/** @param {unknown[]} list @param {readonly number[]} indexes */
function removeAt(list, indexes) {
  for (const index of [...indexes].sort((one, other) => other - one)) list.splice(index, 1);
}

/**
 * Renames a question, and changes everything that refers to it.
 *
 * @param {Definition} document
 * @param {number} index
 * @param {string} id
 */
export function renameQuestion(document, index, id) {
  const before = document.questions[index].id;
  document.questions[index].id = id;
  if (questionIds(document).includes(before)) return;
  for (const question of document.questions) {
    for (const part of [question.show_if, ...(question.items ?? [])]) {
      if (part?.question === before) part.question = id;
    }
  }
  const joined = JOINING.flatMap((key) => document[key] ?? []);
  /** @type {string[][]} */
  const lists = [...joined.map(crossed), document.apart ?? [], ruledQuestions(document) ?? []];
  for (const list of lists) {
    list.forEach((each, place) => {
      if (each === before) list[place] = id;
    });
  }
}

/**
 * Renames an option, and changes the conditions that name it.
 *
 * @param {Definition} document
 * @param {number} index
 * @param {number} place
 * @param {string} name
 */
export function renameOption(document, index, place, name) {
  const question = document.questions[index];
  const option = question.options[place];
  const before = optionId(option);
  if (typeof option === "string") question.options[place] = name;
  else option.id = name;
  for (const other of document.questions) {
    if (other.show_if?.question !== question.id) continue;
    other.show_if.is = wantedOptions(other).map((each) => (each === before ? name : each));
  }
}

/**
 * The options that a condition names, as texts.
 *
 * @param {Definition} question
 * @returns {string[]}
 */
export function wantedOptions(question) {
  const wanted = question.show_if?.is ?? [];
  return (Array.isArray(wanted) ? wanted : [wanted]).map(String);
}

/**
 * The questions of a crosstab, in either of its two forms.
 *
 * @param {any} crosstab
 * @returns {string[]}
 */
export function crossed(crosstab) {
  return Array.isArray(crosstab) ? crosstab : (crosstab?.questions ?? []);
}

/** The keys whose members are lists of questions that share a block. */
const JOINING = ["crosstabs", "together"];

/**
 * Removes conditions, joint blocks and parts of rules that name something that no longer exists.
 *
 * @param {Definition} document
 */
export function dropStaleReferences(document) {
  const ids = questionIds(document);
  for (const question of document.questions) {
    const asked = document.questions[ids.indexOf(question.show_if?.question)];
    if (!question.show_if || asked === undefined) {
      delete question.show_if;
      continue;
    }
    const kept = wantedOptions(question).filter((each) => optionIds(asked).includes(each));
    if (kept.length === 0) delete question.show_if;
    else question.show_if.is = kept;
  }
  /** @param {string} id */
  const isKnown = (id) => ids.includes(id);
  for (const key of [...JOINING, "apart"]) {
    const kept = (document[key] ?? []).filter((/** @type {any} */ each) =>
      key === "apart" ? isKnown(each) : crossed(each).every(isKnown));
    if (kept.length > 0) document[key] = kept;
    else delete document[key];
  }
  // If none is left, the author has to choose others.
  const ruled = ruledQuestions(document)?.filter((id) => ids.includes(id));
  if (ruled) document.stop_when.questions = ruled;
}
