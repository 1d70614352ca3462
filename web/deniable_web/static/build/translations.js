/** The languages of a definition's texts: adding one, taking one away. */

/** @typedef {import("./paths.js").Definition} Definition */

const SURVEY_TEXTS = ["title", "introduction", "thanks"];

/**
 * The languages that texts are given in; none where every text is for all.
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
 * Gives every text a place for one more language, empty until somebody writes it.
 *
 * @param {Definition} document
 * @param {string} present what the texts are in, where that was not said yet.
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
 * Gives a text that is one for all languages a place for each, where there are several.
 *
 * Only what has letters: numbers are the same in all of them. What is written
 * stands in the first.
 *
 * @param {Definition} document
 */
export function divideTexts(document) {
  const codes = languagesOf(document);
  if (codes.length < 2) return;
  eachText(document, (value) => {
    if (typeof value !== "string" || !/\p{L}/u.test(value)) return value;
    return Object.fromEntries(codes.map((code, place) => [code, place === 0 ? value : ""]));
  });
}

/**
 * Takes a language away; where one is left, its texts are for all.
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
 * Puts in the place of each text what is made of it.
 *
 * @param {Definition} document
 * @param {(text: any) => any} make
 */
function eachText(document, make) {
  for (const key of SURVEY_TEXTS) if (key in document) document[key] = make(document[key]);
  const { operator } = document;
  if (operator && "purpose" in operator) operator.purpose = make(operator.purpose);
  for (const question of document.questions ?? []) {
    for (const key of ["text", "unit"]) if (key in question) question[key] = make(question[key]);
    for (const key of Object.keys(question.labels ?? {})) question.labels[key] = make(question.labels[key]);
    const { texts = {}, links = [] } = question.feedback ?? {};
    for (const band of Object.keys(texts)) texts[band] = make(texts[band]);
    for (const link of links) if ("text" in link) link.text = make(link.text);
    question.options?.forEach((/** @type {any} */ option, /** @type {number} */ place) => {
      question.options[place] = translatedOption(option, make);
    });
  }
}

/**
 * An option whose text is its name stays so while nothing is to be translated.
 *
 * @param {any} option
 * @param {(text: any) => any} make
 */
function translatedOption(option, make) {
  const isPlain = typeof option === "string";
  const id = isPlain ? option : option.id;
  const made = make(isPlain ? option : (option.text ?? option.id));
  return made === id ? id : { id, text: made };
}
