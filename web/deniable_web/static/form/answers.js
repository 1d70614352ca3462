/**
 * The answers that were given, to be looked over before they are randomized.
 *
 * They stand on the page in words only as long as they are looked at, and are
 * marked so that browsers hand them to no translator.
 */
import { inputWords } from "./inputs.js";
import { element, part, text } from "./page.js";
import { legend } from "./words.js";

/** Every question that is asked, with its answer. */
export function fillAnswers() {
  const asked = document.querySelectorAll(".question:not([hidden])");
  element("own-answers").replaceChildren(...[...asked].map(describe));
}

/** No answer is left in words. */
export function emptyAnswers() {
  element("own-answers").replaceChildren();
}

/** @param {Element} fields of a question */
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
