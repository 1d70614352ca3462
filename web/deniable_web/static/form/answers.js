/**
 * Shows a person's answers for checking before they are randomized.
 *
 * The answers are on the page in words only while the person checks them. They are marked
 * so that browsers do not send them to a translator.
 */
import { inputWords } from "./inputs.js";
import { all, element, make, text } from "./page.js";
import { legend } from "./words.js";

/** Shows every question that was asked, with its answer. */
export function fillAnswers() {
  element("own-answers").replaceChildren(...all(".question:not([hidden])").map(describe));
}

/** Removes all answers in words from the page. */
export function emptyAnswers() {
  element("own-answers").replaceChildren();
}

/** @param {Element} fields the fields of a question */
function describe(fields) {
  const [asked, change] = [`${fields.id}-asked`, `${fields.id}-change`];
  const answers = inputWords(fields).map((answer) => make("dd", { class: "value", dir: "auto" }, answer));
  const button = make("button", {
    type: "button", id: change, "data-action": "revise", "data-question": fields.id,
    "aria-labelledby": `${change} ${asked}`,
  }, text("change"));
  return make(
    "div", {},
    make("dt", { id: asked, dir: "auto" }, legend(fields)),
    ...(answers.length > 0 ? answers : [make("dd", { class: "lead" }, text("noAnswer"))]),
    make("dd", {}, button),
  );
}
