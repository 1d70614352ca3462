/**
 * Shows a person's answers for checking before they are randomized.
 *
 * The answers are on the page in words only while the person checks them. They are marked
 * so that browsers do not send them to a translator.
 */
import { inputWords } from "./inputs.js";
import { element, part, text } from "./page.js";
import { legend } from "./words.js";

/** Shows every question that was asked, with its answer. */
export function fillAnswers() {
  const asked = document.querySelectorAll(".question:not([hidden])");
  element("own-answers").replaceChildren(...[...asked].map(describe));
}

/** Removes all answers in words from the page. */
export function emptyAnswers() {
  element("own-answers").replaceChildren();
}

/** @param {Element} fields the fields of a question */
function describe(fields) {
  const [asked, change] = [`${fields.id}-asked`, `${fields.id}-change`];
  const answers = inputWords(fields).map((answer) => part("dd", answer, { class: "value", dir: "auto" }));
  const button = part("button", text("change"), {
    type: "button", id: change, "data-action": "revise", "data-question": fields.id,
    "aria-labelledby": `${change} ${asked}`,
  });
  const way = part("dd", "");
  way.append(button);
  const group = part("div", "");
  group.append(
    part("dt", legend(fields), { id: asked, dir: "auto" }),
    ...(answers.length > 0 ? answers : [part("dd", text("noAnswer"), { class: "lead" })]),
    way,
  );
  return group;
}
