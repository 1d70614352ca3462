/** Makes a link to the results of a survey for somebody, and shows it once. */
import { sendJson, tried } from "../manage/access.js";
import { SITE } from "../root.js";
import { element, tell } from "./dom.js";
import { text } from "./texts.js";

/** The page's words for what the server refuses. */
const REFUSALS = new Map([
  ["urn:deniable:problem:name-taken", "reader_taken"],
  ["urn:deniable:problem:invalid-colleague", "reader_wrong"],
]);

/** Listens to the form, if the page has it. @param {string} slug */
export function offerReaderLinks(slug) {
  const form = document.getElementById("reader");
  if (!form) return;
  // The section is shown once it is known whose page this is.
  if (location.hash === "#readers") element("reader-name").focus();
  const when = element("reader-when", HTMLSelectElement);
  const count = element("reader-count", HTMLInputElement);
  when.addEventListener("change", () => {
    const waits = when.value === "reports";
    element("reader-count-field").hidden = !waits;
    count.disabled = !waits;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    make(slug, when.value === "reports" ? Number(count.value) : null);
  });
}

/** @param {string} slug @param {number | null} afterReports null for after the end. */
async function make(slug, afterReports) {
  const confirm = element("reader-make", HTMLButtonElement);
  const name = element("reader-name", HTMLInputElement);
  tell("reader-problem", "");
  confirm.disabled = true;
  await tried(async () => {
    const sent = { name: name.value, after_reports: afterReports };
    const made = await sendJson(`manage/surveys/${slug}/readers`, sent);
    element("reader-text").textContent = text("reader_made", { name: made.name });
    element("reader-link").textContent = `${SITE}${made.link}`;
    element("reader-made").hidden = false;
    element("reader-text").focus();
    name.value = "";
  }, (message, { problem }) => {
    const words = REFUSALS.get(String(problem.type));
    tell("reader-problem", words ? text(words) : message);
    name.focus();
  });
  confirm.disabled = false;
}
