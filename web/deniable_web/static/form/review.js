/** What will leave the device, in words and in bytes; then sending it. */
import { element, fail, setStatus, texts } from "./page.js";

/** @typedef {import("../sdk/index.js").PublishedSurvey} PublishedSurvey */
/** @typedef {import("../sdk/index.js").Report} Report */

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
    ...Object.entries(report.answers).flatMap(([id, value]) => describe(survey, id, value)),
  );
  element("review-bytes").textContent = new TextDecoder().decode(bytes);
  element("review").hidden = false;
  element("review-title").focus();
  element("send").addEventListener("click", () => send(survey.slug, bytes));
  element("discard").addEventListener("click", discard);
}

/**
 * @param {PublishedSurvey} survey
 * @param {string} blockId
 * @param {unknown} value
 */
function describe(survey, blockId, value) {
  const [question] = survey.block(blockId).questions;
  const fields = element(`q-${question?.id}`);
  const labels = [...fields.querySelectorAll(".choice span")].map((label) => label.textContent);
  const term = document.createElement("dt");
  term.textContent = fields.querySelector("legend")?.textContent ?? "";
  const chosen = Array.isArray(value) ? value : [value];
  const lead = document.createElement("dd");
  lead.className = "lead";
  lead.textContent = (Array.isArray(value) ? texts().reviewSeveral : texts().reviewSingle) ?? "";
  const names = chosen.map((index) => {
    const name = document.createElement("dd");
    name.className = "value";
    name.textContent = labels[Number(index)] ?? "";
    return name;
  });
  return [term, lead, ...names];
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
  setStatus(texts().sending ?? "");
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
    if (response.status === 410) return texts().closed;
    const problem = await response.json().catch(() => ({}));
    return `${texts().refused}${problem.detail ?? response.status}`;
  } catch {
    return texts().unreachable;
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
