/**
 * The problems that prevent publishing: in a list, and beside the fields.
 *
 * A field is marked only after somebody has left it or tried to publish, so nobody sees a
 * problem in a field that they have not filled in yet.
 */
import { element, make, unfold } from "./dom.js";
import { groupIds, groupsWithoutKey, withPlace } from "./groups.js";
import { EXAMPLE } from "./moments.js";
import { isUnclear } from "./numbers.js";
import { fieldId } from "./paths.js";
import { PARTS } from "./score_lines.js";
import { hasText, languageName, text, whole } from "./texts.js";
import { languagesOf } from "./translations.js";

/** @import { Draft } from "./draft.js" */
/** @import { Problem, Watch } from "./outlook.js" */
/** @import { Definition, Path } from "./paths.js" */
/** @import { QuestionList } from "./question_list.js" */

const WINDOW = ["opens", "closes", "at_most_reports", "stop_when", "respondents", "results"];
const MOMENTS = ["opens", "closes", "collect_until"];
const OF_A_GROUP = ["text", "invited", "number"];

export class Problems {
  #draft;
  #watch;
  #questions;
  /** @type {Set<string>} */
  #touched = new Set();
  #isPublishing = false;
  /** @type {{ field: HTMLElement, note: HTMLElement }[]} */
  #marked = [];

  /**
   * @param {Draft} draft
   * @param {Watch} watch
   * @param {QuestionList} questions
   */
  constructor(draft, watch, questions) {
    this.#draft = draft;
    this.#watch = watch;
    this.#questions = questions;
    watch.addEventListener("looked", () => this.#show());
    questions.addEventListener("opened", () => this.#show());
    addEventListener("focusout", ({ target }) => {
      if (target instanceof HTMLElement && target.id) this.#touched.add(target.id);
    });
  }

  /** What is to be done, each once: the lines of a score are one field. */
  get found() {
    const all = (this.#watch.latest?.problems ?? []).map(atMissingKey).flatMap((problem) => atLines(problem, this.#draft));
    const said = (/** @type {Problem} */ problem) => `${place(problem, this.#draft)}: ${this.#words(problem).textContent}`;
    return [...new Map(all.map((problem) => [said(problem), problem])).values()];
  }

  /** Marks every field from now on, and moves to the list. */
  insist() {
    this.#isPublishing = true;
    this.#show();
    element("problems", HTMLDetailsElement).open = true;
    element("problems-title").focus();
  }

  #show() {
    for (const { field, note } of this.#marked.splice(0)) unmark(field, note);
    const { found } = this;
    element("problem-list").replaceChildren(...found.map((problem) => this.#item(problem)));
    const ready = text(groupsWithoutKey(this.#draft.document).length > 0 ? "ready_but_keys" : "ready");
    const known = found.length > 0 ? text("problem_count", { count: whole(found.length) }) : ready;
    // A draft that was not checked is not ready.
    element("state").textContent = this.#watch.failure || (this.#watch.latest ? known : "");
    found.forEach((problem, place) => this.#mark(problem, place));
  }

  /** @param {Problem} problem */
  #item(problem) {
    const link = make("a", { href: `#${fieldId(problem.field ?? problem.path)}` }, place(problem, this.#draft));
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const [key, index] = problem.path;
      if (key === "questions" && typeof index === "number") this.#questions.open(index);
      const field = fieldOf(problem, this.#draft);
      unfold(field);
      field?.focus();
      field?.scrollIntoView({ block: "center" });
    });
    return make("li", {}, link, ": ", this.#words(problem));
  }

  /** @param {Problem} problem a message without a text in the page's language is in English. */
  #words(problem) {
    const rule = this.#rule(problem);
    return rule ? make("span", {}, rule) : make("span", { lang: "en", dir: "ltr" }, problem.message);
  }

  /** What is allowed; empty if the page has no words for that. @param {Problem} problem */
  #rule({ path, field = path, code, facts }) {
    if (isUnclear(this.#draft.at(path))) return text("number_unclear");
    const lacks = code === "no_text" && languagesAt(field, this.#draft).length > 0;
    if (lacks || ["missing", "empty"].includes(code) || this.#draft.at(path) === "") return text("still_empty");
    if (comesTooEarly(path, this.#draft)) return text("problem_order");
    if (code === "small_groups" && path[0] === "groups") return text("group_number_rule");
    if (path[0] === "stop_when") return fieldworkRule(path, code);
    if (hasText(`problem_${code}`)) return text(`problem_${code}`, facts);
    const isLink = path.includes("links") || path[0] === "thanks_link";
    if (isLink && path.at(-1) === "url") return text("link_url_rule");
    if (path[0] === "accent") return text("accent_rule");
    if (path[1] === "contact") return text("operator_contact_rule");
    return fieldworkRule(path, code);
  }

  /** @param {Problem} problem @param {number} index */
  #mark(problem, index) {
    const field = fieldOf(problem, this.#draft);
    if (!field || (!this.#isPublishing && !this.#touched.has(field.id))) return;
    const note = make("p", { class: "field-problem", id: `problem-${index}` }, this.#words(problem));
    const described = field.getAttribute("aria-describedby");
    field.dataset.described ??= described ?? "";
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", [described, note.id].filter(Boolean).join(" "));
    (field.closest(".head") ?? field).after(note);
    this.#marked.push({ field, note });
  }
}

/** @param {HTMLElement} field @param {HTMLElement} note */
function unmark(field, note) {
  note.remove();
  field.removeAttribute("aria-invalid");
  const before = field.dataset.described;
  if (before) field.setAttribute("aria-describedby", before);
  else field.removeAttribute("aria-describedby");
  delete field.dataset.described;
}

/**
 * The field that a problem is about, or the nearest element around it.
 *
 * @param {Problem} problem
 * @param {Draft} draft
 */
function fieldOf({ path: named, field = named }, draft) {
  const path = withPlace(draft.document, field);
  for (let length = path.length; length > 0; length -= 1) {
    const found = document.getElementById(fieldId(path.slice(0, length)));
    if (found) return found;
  }
  return null;
}

/** A problem at the field that is empty, rather than around it. @param {Problem} problem */
function atMissingKey(problem) {
  if (problem.code !== "missing") return problem;
  const key = String(problem.facts.key);
  const place = problem.path.length > 0 ? `${problem.place}.${key}` : key;
  return { ...problem, path: [...problem.path, key], place };
}

/**
 * A problem with an item, an answer or a band, at the lines in which it is written: one for each
 * language that has it.
 *
 * @param {Problem} problem
 * @param {Draft} draft
 * @returns {readonly Problem[]}
 */
function atLines(problem, draft) {
  const [key, index, part, ...rest] = problem.path;
  const question = [key ?? "", index ?? 0];
  if (rest.length === 0 || draft.at([...question, "type"]) !== "score") return [problem];
  const isLevel = part === "items" && rest.at(-2) === "options";
  const written = isLevel ? [...question, "levels", rest.at(-1) ?? 0] : problem.path;
  const lines = part === "labels" ? "cutoffs" : String(written[2]);
  if (!(lines in PARTS)) return [problem];
  const codes = languagesAt(written, draft);
  const fields = codes.length > 0 ? codes.map((code) => [...question, lines, code]) : [[...question, lines]];
  return fields.map((field) => ({ ...problem, field }));
}

/**
 * Whether a problem is about a question that refers to a later one, or to itself.
 *
 * @param {import("./paths.js").Path} path
 * @param {Draft} draft
 */
function comesTooEarly([key, index, part, item], draft) {
  if (key !== "questions" || typeof index !== "number") return false;
  const refers = part === "show_if" ? ["show_if"] : part === "items" && typeof item === "number" ? ["items", item] : [];
  const named = refers.length > 0 ? draft.at([key, index, ...refers, "question"]) : undefined;
  return named !== undefined && draft.indexOf(named) >= index;
}

/** The page's names for the keys of a definition. */
const NAMES = new Map([
  ["text", "question_text"], ["id", "question_id"],
  ...["title", "help", "introduction", "thanks", "thanks_link", "logo", "accent", "image", "slug", "unit", "levels", "lowest", "min", "max", "step", "at_most"]
    .map((key) => /** @type {[string, string]} */ ([key, key])),
]);

/**
 * The place of a problem in the page's words: question, field or option, language.
 *
 * @param {Problem} problem
 * @param {Draft} draft
 */
function place({ path: named, field: path = named, place: written }, draft) {
  const isQuestion = path[0] === "questions" && typeof path[1] === "number";
  const [key, name] = isQuestion ? path.slice(2) : path;
  const names = isQuestion ? [text("place_question", { place: whole(Number(path[1]) + 1) })] : [];
  const isScore = isQuestion && draft.at([...path.slice(0, 2), "type"]) === "score";
  const known = isScore && String(key) in PARTS ? `score_${key}` : NAMES.get(String(key));
  if (key === "options" && typeof name === "number") names.push(text("option", { place: whole(name + 1) }));
  else if (key === "labels" && (name === "yes" || name === "no")) names.push(text(name));
  else if (key === "labels" && name !== undefined) names.push(text("level_words", { level: name }));
  else if (key === "feedback") names.push(feedbackName(path.slice(3)));
  else if (key === "section") names.push(text(name ? `section_${name}` : "section"));
  else if (key === "operator" && name) names.push(text(`operator_${name}`));
  else if (key === "crosstabs" && typeof name === "number") names.push(text("crosstab", { place: whole(name + 1) }));
  else if (known) names.push(text(known));
  else names.push(...fieldworkNames(path, draft.document));
  if (names.length === 0) return written;
  return [...names, ...languagesAt(path, draft).map(languageName)].join(" \u00b7 ");
}

/** @param {import("./paths.js").Path} path the path of a part of a score's feedback */
function feedbackName([kind, name]) {
  if (kind === "texts" && name !== undefined) return text("feedback_band", { band: String(name) });
  if (kind === "links" && typeof name === "number") return text("link", { name: whole(name + 1) });
  return text("feedback");
}

/**
 * The language at the end of a path, or the languages that the text there lacks.
 *
 * @param {import("./paths.js").Path} path
 * @param {Draft} draft
 */
function languagesAt(path, draft) {
  const codes = languagesOf(draft.document);
  const found = draft.at(path);
  const texts = found?.text ?? found;
  if (typeof texts === "object" && texts !== null && Object.keys(texts).some((code) => codes.includes(code))) {
    return codes.filter((code) => !texts[code]);
  }
  return codes.filter((code) => code === path.at(-1));
}

/**
 * The names of the field at a path, from outside to inside; empty if it is elsewhere.
 *
 * @param {Path} path
 * @param {Definition} document
 */
function fieldworkNames(path, document) {
  const [key, name, group, part] = atGroups(path);
  if (key === "results") return [text("sealed")];
  if (key === "stop_when" && (name === "margin" || name === "questions")) return [text(`stop_${name}`)];
  if (WINDOW.includes(String(key))) return [text(String(key))];
  if (key !== "invited") return [];
  if (name !== "groups") return [text(String(name ?? key))];
  const all = text(path[0] === "groups" ? "link_groups" : "groups");
  const place = groupIds(document).indexOf(String(group)) + 1;
  // A group that was renamed since the check is no longer found.
  const names = [place > 0 ? text("group", { place }) : all];
  return OF_A_GROUP.includes(String(part)) ? [...names, text(`group_${part}`)] : names;
}

/**
 * What is allowed at a path; empty if the page has no words for the problem there.
 *
 * @param {Path} path
 * @param {string} code
 */
function fieldworkRule(path, code) {
  const [key, name, group, part] = atGroups(path);
  if (code === "group_name") return text("question_id_hint");
  if (MOMENTS.includes(String(path.at(-1)))) return text("moment_rule", { example: EXAMPLE });
  if (key === "at_most_reports" || key === "respondents") return text("at_most_reports_rule");
  if (key === "stop_when") return text(name === "margin" ? "stop_margin_rule" : "stop_questions_rule");
  if (key !== "invited") return "";
  if (name === "issuer") return text("issuer_rule");
  return group !== undefined && (part === "invited" || part === "number") ? text(`group_${part}_rule`) : "";
}

/** A path to groups by link as if they were of invited people. @param {Path} path @returns {Path} */
function atGroups(path) {
  return path[0] === "groups" ? ["invited", ...path] : path;
}
