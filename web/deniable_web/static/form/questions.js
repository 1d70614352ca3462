/** The questions on the page: shows those that are reached, checks and reads their answers. */
import { InvalidAnswer, reachedQuestions } from "../sdk/index.js";
import { itemsOf } from "../sdk/survey/questions/base.js";
import { choiceInputs, keepApart, numberInput, readInputs } from "./inputs.js";
import { all, announce, element, fail, tell, text } from "./page.js";
import { UNCLEAR } from "./typed_numbers.js";

/** @import { DrawnBlocks } from "../sdk/client.js" */
/** @import { PublishedSurvey, Question } from "../sdk/index.js" */
/** @typedef {ReturnType<typeof readInputs>} Answer */

/** The questions that one respondent may see, for the blocks that were drawn. */
export class Questions {
  #survey;
  #shown;

  /** @param {PublishedSurvey} survey @param {DrawnBlocks} asked */
  constructor(survey, { blocks, questions }) {
    this.#survey = survey;
    this.#shown = questions;
    const sent = blocks.flatMap((block) => survey.block(block).questions);
    const used = new Set([...sent, ...itemsOf(sent)].map(({ id }) => id));
    for (const question of this.#shown) {
      const kept = element(`q-${question.id}-kept`);
      kept.hidden = used.has(question.id) || kept.textContent === "";
      describe(fieldset(question));
    }
    this.follow();
  }

  /**
   * Show the questions that the answers so far lead to, and disable the others.
   *
   * @returns {string} the name of the text about the change; empty if nothing has changed
   */
  follow() {
    const reached = reachedQuestions(this.#survey, this.#fittingAnswers());
    const before = this.#reached().length;
    const moved = this.#shown.filter(
      (question) => fieldset(question).hidden === reached.has(question.id),
    );
    for (const question of moved) {
      const fields = fieldset(question);
      fields.hidden = !fields.hidden;
      fields.disabled = fields.hidden;
      mark(fields, "");
    }
    if (moved.length === 0) return "";
    const more = this.#reached().length - before;
    if (Math.abs(more) < moved.length) return "changed";
    return more > 0 ? "appeared" : "gone";
  }

  /** Update the page while an answer is being given. @param {HTMLInputElement} input */
  changed(input) {
    const question = this.#shown.find((member) => fieldset(member).contains(input));
    if (question === undefined) return;
    const fields = fieldset(question);
    keepApart(fields, input);
    const problem = problemWith(question, readInputs(fields));
    // A number is checked when it is complete: see completed.
    if (problem === "") mark(fields, "");
    else if (!numberInput(fields)) announce(mark(fields, problem));
    const news = this.follow();
    if (news) announce(text(news));
  }

  /** Show what is wrong with an answer after it was given. @param {HTMLInputElement} input */
  completed(input) {
    const question = this.#shown.find((member) => numberInput(fieldset(member)) === input);
    if (question === undefined) return;
    const problem = problemWith(question, readInputs(fieldset(question)));
    if (problem) announce(mark(fieldset(question), problem));
  }

  /**
   * The first question with a missing or wrong answer; all such questions are marked.
   *
   * @param {Element} [within] where to look; everywhere if left out.
   */
  firstOpen(within) {
    const answers = this.answers();
    const open = this.#reached()
      .filter((question) => within?.contains(fieldset(question)) ?? true)
      .filter((question) => {
        const answer = answers.get(question.id) ?? null;
        const isMissing = question.required && answer === null;
        const problem = isMissing ? "missing" : problemWith(question, answer);
        mark(fieldset(question), problem);
        return problem !== "";
      });
    fail(open.length > 0 ? text("missingCount") : "");
    return open[0] && fieldset(open[0]);
  }

  /** The answer to every question that is reached; null if there is none. */
  answers() {
    return new Map(this.#reached().map((question) => [question.id, readInputs(fieldset(question))]));
  }

  #reached() {
    return this.#shown.filter((question) => !fieldset(question).hidden);
  }

  #fittingAnswers() {
    return new Map(
      this.#shown.map((question) => {
        const answer = readInputs(fieldset(question));
        return [question.id, problemWith(question, answer) ? null : answer];
      }),
    );
  }
}

/** @param {Question} question */
function fieldset(question) {
  return element(`q-${question.id}`, HTMLFieldSetElement);
}

/**
 * Why an answer does not fit; empty if it does, or if there is none.
 *
 * @param {Question} question
 * @param {Answer} answer
 */
function problemWith(question, answer) {
  if (answer === null) return "";
  try {
    question.encode(answer);
    return "";
  } catch (error) {
    if (error instanceof InvalidAnswer) return answer === UNCLEAR ? "unclear" : "unfit";
    throw error;
  }
}

/**
 * Show beside a question what is wrong with its answer, or remove the message.
 *
 * @param {HTMLFieldSetElement} fields
 * @param {"missing" | "unfit" | "unclear" | ""} problem
 * @returns {string} the message
 */
function mark(fields, problem) {
  const error = element(`${fields.id}-error`);
  tell(error.id, (problem && error.dataset[problem]) ?? "");
  fields.classList.toggle("invalid", problem !== "");
  numberInput(fields)?.setAttribute("aria-invalid", String(problem !== ""));
  describe(fields);
  return error.textContent;
}

/** @param {HTMLFieldSetElement} fields Its visible notes become its description. */
function describe(fields) {
  const ids = all(".note[id]", fields).filter((note) => !note.hidden).map((note) => note.id);
  for (const described of [fields, numberInput(fields)]) {
    if (ids.length > 0) described?.setAttribute("aria-describedby", ids.join(" "));
    else described?.removeAttribute("aria-describedby");
  }
}

/** @param {HTMLFieldSetElement} fields */
export function focusOn(fields) {
  const choices = choiceInputs(fields);
  (numberInput(fields) ?? choices.find((input) => input.checked) ?? choices[0])?.focus();
}
