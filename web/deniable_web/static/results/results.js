/** The results of a survey, kept up to date while somebody looks at them. */
import { element } from "../form/page.js";
import { send, tried } from "../manage/access.js";
import { save } from "../manage/saving.js";
import { whenSignedIn } from "../manage/sign_in.js";
import { fetchPart, keepParts } from "./parts.js";
import { elementsOf, replaceParts } from "./replacing.js";
import { watch } from "./watching.js";

/**
 * @typedef {object} State
 * @property {number} reports
 * @property {string} reports_in_words
 * @property {number} shown how many reports a page fetched now would include
 * @property {boolean} is_closed
 * @property {number} edition
 * @property {[number, string][]} editions
 */

const EVERY_MS = 4_000;
const SETTLE_MS = 250;

const page = element("results-page");
const base = `/manage/surveys/${encodeURIComponent(page.dataset.slug ?? "")}/results`;
const reading = /** @type {HTMLFormElement} */ (element("reading"));
const editions = /** @type {HTMLSelectElement} */ (element("edition"));
const margin = /** @type {HTMLInputElement} */ (element("margin"));
const problem = element("problem");
/** @type {number | undefined} */
let shown;
let isClosed = false;
/** The groups that count as one, as a value of the query; "" if none do. */
let merged = "";
let newest = 0;
let settling = 0;

/** @param {Record<string, string>} [more] */
function query(more = {}) {
  const asked = new URLSearchParams({ lang: document.documentElement.lang, ...more });
  const wanted = editions.value || new URLSearchParams(location.search).get("edition");
  if (wanted) asked.set("edition", wanted);
  for (const name of ["confidence", "interval"]) {
    asked.set(name, String(new FormData(reading).get(name)));
  }
  if (merged) asked.set("merge", merged);
  return `?${asked}`;
}

/** @param {() => Promise<void>} ask Refusals are shown. */
async function shownIfRefused(ask) {
  problem.hidden = await tried(ask, (refusal) => {
    problem.textContent = refusal;
    element("status").textContent = "";
  });
}

/** @param {State} state */
function offerEditions(state) {
  const isNew = editions.options.length !== state.editions.length;
  if (isNew) {
    const options = state.editions.map(([number, name]) => new Option(name, String(number)));
    editions.replaceChildren(...options);
    editions.value = String(state.edition);
  }
  element("edition-field").hidden = state.editions.length < 2;
}

async function fetchContent() {
  const mine = ++newest;
  const markup = await (await send(`${base}/content${query()}`)).text();
  // A response is dropped if the reader has chosen something else meanwhile.
  if (mine !== newest) return;
  const [head, ...rest] = elementsOf(markup);
  replaceParts(element("title"), head ? [head] : []);
  keepParts(rest);
  replaceParts(element("content"), rest);
  shown = Number(element("head").dataset.shown);
  document.title = document.querySelector("h1[dir]")?.textContent ?? document.title;
  element("wanted").hidden = element("files").hidden = false;
}

async function fetchGroups() {
  await fetchPart("response", `${base}/response${query()}`);
  await fetchPart("by-group", `${base}/groups${query()}`);
}

async function fetchPlan() {
  const answer = await send(`${base}/plan${query({ margin: margin.value })}`);
  replaceParts(element("plan"), elementsOf(await answer.text()));
}

async function fetchState() {
  return (await send(`${base}/state${query()}`)).json();
}

async function look() {
  let isOpen = true;
  await shownIfRefused(async () => {
    const state = await fetchState();
    const isChanged = state.shown !== shown || state.is_closed !== isClosed;
    offerEditions(state);
    if (isChanged) {
      await fetchContent();
      isClosed = state.is_closed;
      await fetchPlan();
    }
    if (isChanged || element("status").dataset.reports !== String(state.reports)) {
      element("status").dataset.reports = String(state.reports);
      element("status").classList.toggle("for-screen-readers", state.reports === shown);
      const said = page.dataset.counted ?? "";
      element("status").textContent = said.replace("{reports}", state.reports_in_words);
    }
    element("stale").hidden = state.reports === shown;
    if (isChanged) await fetchGroups();
    isOpen = !state.is_closed || state.reports !== shown;
  });
  return isOpen;
}

/** Lets the chosen groups count as one. */
function merge() {
  const chosen = [...page.querySelectorAll("#merging input:checked")];
  const groups = chosen.map((each) => /** @type {HTMLInputElement} */ (each).value);
  merged = groups.length > 1 ? groups.join(",") : "";
  shownIfRefused(fetchGroups);
}

reading.addEventListener("change", () => {
  const chosen = new URL(location.href);
  if (editions.value) chosen.searchParams.set("edition", editions.value);
  history.replaceState(null, "", chosen);
  shown = undefined;
  look();
});
reading.addEventListener("submit", (event) => event.preventDefault());
margin.addEventListener("input", () => {
  clearTimeout(settling);
  settling = window.setTimeout(() => shownIfRefused(fetchPlan), SETTLE_MS);
});
page.addEventListener("click", (event) => {
  const pressed = event.target instanceof Element ? event.target : null;
  if (pressed?.id === "merge-now") merge();
  const file = pressed?.closest("button[data-file]")?.getAttribute("data-file");
  if (file) shownIfRefused(() => save(`${base}/${file}${query()}`));
});

whenSignedIn(async () => {
  if (await look()) watch(look, EVERY_MS);
});
