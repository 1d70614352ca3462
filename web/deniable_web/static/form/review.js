/** Shows what will leave the device, in words and in bytes. */
import { element, make, text } from "./page.js";
import { inWords, legend } from "./words.js";

/** @import { Block, PublishedSurvey, Report } from "../sdk/index.js" */

// A block with many answers may be reported as a group of hundreds; the bytes contain all
// of them.
const MOST_SHOWN = 24;

/** @param {PublishedSurvey} survey @param {Report} report */
export function fillReview(survey, report) {
  element("review-values").replaceChildren(
    ...Object.entries(report.answers).flatMap(([id, value]) => describe(survey.block(id), value)),
  );
  element("review-bytes").textContent = new TextDecoder().decode(report.toBytes());
}

/** Removes the report from the page. */
export function emptyReview() {
  element("review-values").replaceChildren();
  element("review-bytes").textContent = "";
}

/** @param {Block} block @param {unknown} value */
function describe(block, value) {
  const { lead, values } = inWords(block, value);
  const beyond = values.length - MOST_SHOWN;
  return [
    make("dt", { dir: "auto" }, block.questions.map(({ id }) => legend(element(`q-${id}`))).join(" · ")),
    make("dd", { class: "lead" }, lead),
    ...values.slice(0, MOST_SHOWN).map((words) => make("dd", { class: "value", dir: "auto" }, words)),
    ...(beyond > 0 ? [make("dd", { class: "lead" }, text("more", { count: beyond }))] : []),
  ];
}
