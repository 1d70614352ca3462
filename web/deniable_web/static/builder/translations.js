/** The languages of a definition's texts: adds and removes languages. */

import { putAt, valueAt } from "./paths.js";
import { inOrder } from "./score_lines.js";

/** @import { Definition } from "./paths.js" */

const SURVEY_TEXTS = ["title", "introduction", "thanks"];

/**
 * The languages of the texts; empty if every text is for all languages.
 *
 * @param {Definition} document
 * @returns {string[]}
 */
export function languagesOf(document) {
  const found = new Set();
  eachText(document, (value) => {
    if (typeof value === "object" && value !== null) Object.keys(value).forEach((code) => found.add(code));
    return value;
  });
  return [...found];
}

/**
 * Adds an empty text in one more language to every text.
 *
 * @param {Definition} document
 * @param {string} present the language of the present texts, if that was not stated yet.
 * @param {string} added
 */
export function addLanguage(document, present, added) {
  const known = languagesOf(document);
  const codes = known.length > 0 ? known : [present];
  eachText(document, (value) => {
    const texts = typeof value === "object" && value !== null ? value : { [codes[0] ?? present]: value ?? "" };
    for (const code of [...codes, added]) texts[code] ??= "";
    return texts;
  });
}

/**
 * Gives each single text one entry for every language, if there are several languages.
 *
 * This is only done for texts with letters, because numbers are the same in all languages.
 * The present text becomes the entry for the first language.
 *
 * @param {Definition} document
 */
export function divideTexts(document) {
  const codes = languagesOf(document);
  if (codes.length < 2) return;
  eachText(document, (value) => {
    if (typeof value !== "string" || !hasLetters(value)) return value;
    return Object.fromEntries(codes.map((code, place) => [code, place === 0 ? value : ""]));
  });
}

/**
 * Removes a language; if one language is left, its texts become single texts.
 *
 * @param {Definition} document
 * @param {string} removed
 */
export function removeLanguage(document, removed) {
  const left = languagesOf(document).filter((code) => code !== removed);
  eachText(document, (value) => {
    if (typeof value !== "object" || value === null) return value;
    delete value[removed];
    return left.length === 1 ? (value[left[0] ?? ""] ?? "") : value;
  });
}

/**
 * Replaces each text with the result of a function.
 *
 * @param {Definition} document
 * @param {(text: any) => any} make
 */
export function eachText(document, make) {
  replaceTexts(document, SURVEY_TEXTS, make);
  replaceTexts(document.operator, ["purpose"], make);
  for (const part of [document.thanks_link, document.logo]) replaceTexts(part, ["text"], make);
  for (const groups of [document.invited?.groups, document.groups]) {
    for (const group of Object.values(groups ?? {})) replaceTexts(group, ["text"], make);
  }
  for (const question of document.questions ?? []) {
    replaceTexts(question, ["text", "help", "unit"], make);
    replaceTexts(question.image, ["text"], make);
    const { texts = {}, links = [] } = question.feedback ?? {};
    for (const part of [question.section, question.labels, texts]) replaceTexts(part, Object.keys(part ?? {}), make);
    for (const link of links) replaceTexts(link, ["text"], make);
    if (question.type === "score") replaceScoreTexts(question, make);
    question.options?.forEach((/** @type {any} */ option, /** @type {number} */ place) => {
      const id = typeof option === "string" ? option : option.id;
      const made = make(option.text ?? id);
      // If its text is its name, it stays a plain name until it is translated.
      question.options[place] = made === id ? id : { id, text: made };
    });
  }
}

/**
 * Replaces the texts of items, answers and bands. While an answer or a band is its name, or has
 * no letters, it has no text.
 *
 * @param {Definition} question
 * @param {(text: any) => any} make
 */
function replaceScoreTexts(question, make) {
  if (Array.isArray(question.items)) {
    question.items = question.items.map((item) => {
      if (typeof item !== "string" && item?.text === undefined) return item;
      const made = make(item.text ?? item);
      const isAlone = typeof item === "string" || Object.keys(item).length === 1;
      return typeof made === "string" && isAlone ? made : { ...(typeof item === "string" ? {} : item), text: made };
    });
  }
  const { levels, cutoffs } = question;
  const list = Array.isArray(levels) ? levels : Object.entries(levels ?? {}).map(([id, points]) => ({ id, points }));
  const named = list.map((level) => {
    const { text, ...others } = level ?? {};
    const made = nameIn(text, others.id, make);
    return made === undefined ? others : { ...others, text: made };
  });
  if (named.some((level, place) => level.text !== list[place]?.text)) question.levels = inOrder(named);
  const { labels = {} } = question;
  if (Array.isArray(cutoffs) || typeof labels !== "object" || labels === null) return;
  for (const band of Object.keys(cutoffs ?? {})) {
    const path = ["labels", band];
    putAt(question, path, nameIn(valueAt(question, path), band, make));
  }
}

/**
 * The text of what has a name; undefined while it is the name.
 *
 * @param {any} text
 * @param {unknown} name
 * @param {(text: any) => any} make
 */
function nameIn(text, name, make) {
  if (text === undefined && !hasLetters(String(name))) return undefined;
  const made = make(text ?? name);
  return made === name ? undefined : made;
}

/** @param {string} text */
function hasLetters(text) {
  return /\p{L}/u.test(text);
}

/**
 * Replaces the texts that a part of a draft has under some keys. A draft may have something else
 * in the place of a part, which the server reports.
 *
 * @param {any} part
 * @param {readonly string[]} keys
 * @param {(text: any) => any} make
 */
function replaceTexts(part, keys, make) {
  if (typeof part !== "object" || part === null) return;
  for (const key of keys) if (key in part) part[key] = make(part[key]);
}
