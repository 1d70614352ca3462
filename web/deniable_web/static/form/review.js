/** What will leave the device, in words and in bytes; then sending it. */
import { element, fail, setStatus, text } from "./page.js";
import { inWords } from "./words.js";

/** @typedef {import("../sdk/index.js").Block} Block */
/** @typedef {import("../sdk/index.js").PublishedSurvey} PublishedSurvey */
/** @typedef {import("../sdk/index.js").Report} Report */

// A block of many answers may be reported as a group of hundreds; all of them
// stand in the bytes.
const MOST_SHOWN = 24;

/**
 * The form gives way to the report. There is no way back: a second draw of
 * the same answers would say more about them than one report may.
 *
 * @param {PublishedSurvey} survey
 * @param {Report} report
 */
export function showReview(survey, report) {
  const bytes = report.toBytes();
  element("survey").hidden = true;
  element("review-values").replaceChildren(
    ...Object.entries(report.answers).flatMap(([id, value]) => describe(survey.block(id), value)),
  );
  element("review-bytes").textContent = new TextDecoder().decode(bytes);
  element("review").hidden = false;
  element("review-title").focus();
  element("send").addEventListener("click", () => send(survey.slug, bytes));
  element("discard").addEventListener("click", discard);
}

/**
 * @param {Block} block
 * @param {unknown} value
 */
function describe(block, value) {
  const { lead, values } = inWords(block, value);
  const legends = block.questions.map(
    ({ id }) => element(`q-${id}`).querySelector("legend")?.textContent ?? "",
  );
  const beyond = values.length - MOST_SHOWN;
  return [
    part("dt", "", legends.join(" · ")),
    part("dd", "lead", lead),
    ...values.slice(0, MOST_SHOWN).map((words) => part("dd", "value", words)),
    ...(beyond > 0 ? [part("dd", "lead", text("more", { count: String(beyond) }))] : []),
  ];
}

/**
 * @param {string} tag
 * @param {string} className
 * @param {string} words
 */
function part(tag, className, words) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = words;
  return made;
}

/**
 * Sends the same bytes on every try, so that a retry is never a second draw.
 *
 * @param {string} slug
 * @param {Uint8Array} bytes
 */
async function send(slug, bytes) {
  const buttons = element("review").querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  fail("");
  setStatus(text("sending"));
  const refusal = await post(bytes);
  setStatus("");
  if (refusal === undefined) {
    location.replace(`/s/${slug}/thanks`);
    return;
  }
  fail(refusal);
  for (const button of buttons) button.disabled = false;
}

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<string | undefined>} why it was not taken, if it was not
 */
async function post(bytes) {
  try {
    const response = await fetch("/api/reports", {
      method: "POST",
      body: /** @type {BodyInit} */ (bytes),
      headers: { "Content-Type": "application/json" },
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      cache: "no-store",
    });
    if (response.ok) return undefined;
    if (response.status === 410) return text("closed");
    const problem = await response.json().catch(() => ({}));
    return `${text("refused")}${problem.detail ?? response.status}`;
  } catch {
    return text("unreachable");
  }
}

function discard() {
  element("review").hidden = true;
  element("review-values").replaceChildren();
  element("review-bytes").textContent = "";
  fail("");
  element("discarded").hidden = false;
  element("discarded-title").focus();
}
