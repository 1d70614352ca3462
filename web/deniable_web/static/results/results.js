/** The results of a survey, kept up to date while somebody looks at them. */
import { all, element } from "../form/page.js";
import { Refusal, getJson, send, tried } from "../manage/access.js";
import { save } from "../manage/saving.js";
import { whenSignedIn } from "../manage/sign_in.js";
import { watch } from "../manage/watching.js";
import { fillMoments, keepCounting } from "./moments.js";
import { arrivingElements, elementsOf, fetchPart, keepParts, replaceParts } from "./replacing.js";

/**
 * Before results are released to a reader, the numbers are missing.
 * @typedef {object} State
 * @property {boolean} is_released
 * @property {number} [reports]
 * @property {string} [reports_in_words]
 * @property {number} [shown] how many reports a page fetched now would include
 * @property {boolean} is_closed
 * @property {string} state
 */

const EVERY_MS = 4_000;
const SETTLE_MS = 250;
const REFUSES_TOKEN = [401, 403];

const page = element("results-page");
const base = `manage/surveys/${encodeURIComponent(page.dataset.slug ?? "")}/results`;
const looks = element("looks", HTMLFormElement);
const planning = element("planning", HTMLDetailsElement);
const margin = element("margin", HTMLInputElement);
const problem = element("problem");
const KEY = "deniable-looks";
/** How the answers are shown: as charts or tables, in which order. @type {{ [name: string]: string }} */
const chosenLooks = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
/** The groups that count as one, as a value of the query; "" if none do. */
let merged = "";
let newest = 0;
let settling = 0;

/** @param {Record<string, string>} [more] */
function query(more = {}) {
  const asked = new URLSearchParams({ lang: document.documentElement.lang, ...more });
  const edition = new URLSearchParams(location.search).get("edition");
  if (edition) asked.set("edition", edition);
  for (const name of ["confidence", "interval"]) {
    asked.set(name, String(new FormData(looks).get(name)));
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

/** What the page shows as a whole; a head without its content does not count. */
function shown() {
  const isWhole = element("content").hasChildNodes();
  return (isWhole && document.getElementById("head")?.dataset) || {};
}

async function fetchContent() {
  const mine = ++newest;
  const response = await send(`${base}/content${query()}`, { mayKeep: true });
  const fresh = [];
  for await (const each of arrivingElements(response)) {
    // A response is dropped if the reader has chosen something else meanwhile.
    if (mine !== newest) return;
    fillMoments([each]);
    fresh.push(each);
    // What was found is painted before the rest of the page has arrived.
    if (!document.getElementById("head")) {
      showHead(fresh);
      await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
    }
  }
  sortRows(fresh);
  const rest = fresh.slice(1);
  showHead(fresh.slice(0, 1));
  keepParts(rest);
  replaceParts(element("content"), rest);
  keepCounting();
  document.title = document.querySelector("h1[dir]")?.textContent ?? document.title;
  const isReleased = !document.getElementById("not-released");
  for (const id of ["wanted", "files"]) element(id).hidden = !isReleased;
  looks.hidden = !document.getElementById("questions");
  element("looks-percent").hidden = !document.querySelector("[data-percent]:not(#content)");
}

/** @param {Element[]} head */
function showHead(head) {
  element("status").classList.add("for-screen-readers");
  replaceParts(element("title"), head);
}

async function fetchGroups() {
  await fetchPart("response", `${base}/response${query()}`);
  await fetchPart("by-group", `${base}/groups${query()}`);
}

async function fetchPlan() {
  if (!planning.open) return;
  const answer = await send(`${base}/plan${query({ margin: margin.value })}`);
  replaceParts(element("plan"), elementsOf(await answer.text()));
}

/** Gets everything anew. */
async function refresh() {
  await fetchContent();
  await fetchPlan();
  await fetchGroups();
}

/** Gets what is new; resolves to whether more can come. */
async function look() {
  let isOpen = true;
  await shownIfRefused(async () => {
    /** @type {State} */
    const state = await getJson(`${base}/state${query()}`);
    if (!state.is_released) return;
    const isChanged = String(state.shown) !== shown().shown || state.state !== shown().state;
    if (isChanged) await refresh();
    const isStale = String(state.reports) !== shown().shown;
    const status = element("status");
    const said = (page.dataset.counted ?? "").replace("{reports}", state.reports_in_words ?? "");
    status.classList.toggle("for-screen-readers", !isStale);
    if (status.textContent !== said) status.textContent = said;
    element("stale").hidden = !isStale;
    isOpen = !state.is_closed || isStale;
  });
  return isOpen;
}

/** Lets the chosen groups count as one. */
function merge() {
  const chosen = /** @type {HTMLInputElement[]} */ (all("#merging input:checked", page));
  const groups = chosen.map(({ value }) => value);
  merged = groups.length > 1 ? groups.join(",") : "";
  shownIfRefused(fetchGroups);
}

/** Saves a file; what takes long says so meanwhile. @param {HTMLButtonElement} button */
async function saveFile(button) {
  const { file, busy } = button.dataset;
  const name = button.textContent;
  const status = element("status");
  const isFocused = document.activeElement === button;
  button.disabled = true;
  if (busy) status.textContent = button.textContent = busy;
  await shownIfRefused(() => save(`${base}/${file}${query()}`));
  button.disabled = false;
  if (busy) status.textContent = "";
  button.textContent = name;
  // A button that is disabled loses the focus.
  if (isFocused && document.activeElement === document.body) button.focus();
}

/**
 * Shows the choice of this tab, and changes what is shown with it.
 *
 * @param {HTMLFormElement} form with a radio button for each look.
 */
function offerLooks(form) {
  for (const [name, value] of Object.entries(chosenLooks)) {
    const radio = form.querySelector(`input[name="${name}"][value="${value}"]`);
    if (radio instanceof HTMLInputElement) radio.checked = true;
  }
  showLooks();
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement && target.type === "radio")) return;
    chosenLooks[target.name] = target.value;
    sessionStorage.setItem(KEY, JSON.stringify(chosenLooks));
    showLooks();
    sortRows([element("content")]);
  });
}

/**
 * Puts the rows of all answers within elements into the chosen order.
 *
 * @param {Iterable<Element>} elements
 */
function sortRows(elements) {
  const key = chosenLooks.order === "share" ? "rank" : "place";
  for (const each of elements) {
    for (const body of each.querySelectorAll("[data-sorted]")) {
      const rows = /** @type {HTMLElement[]} */ ([...body.children]);
      const sorted = [...rows].sort((one, other) => Number(one.dataset[key]) - Number(other.dataset[key]));
      if (sorted.some((row, place) => row !== rows[place])) body.append(...sorted);
    }
  }
}

function showLooks() {
  Object.assign(element("content").dataset, { view: "chart", percent: "all", ...chosenLooks });
}

page.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLSelectElement)) return;
  if (target.id === "edition") {
    const chosen = new URL(location.href);
    chosen.searchParams.set("edition", target.value);
    history.replaceState(null, "", chosen);
  }
  shownIfRefused(refresh);
});
looks.addEventListener("submit", (event) => event.preventDefault());
planning.addEventListener("toggle", () => shownIfRefused(fetchPlan));
margin.addEventListener("input", () => {
  clearTimeout(settling);
  settling = window.setTimeout(() => shownIfRefused(fetchPlan), SETTLE_MS);
});
page.addEventListener("click", (event) => {
  const pressed = event.target instanceof Element ? event.target : null;
  if (pressed?.id === "merge-now") merge();
  const button = pressed?.closest("button[data-file]");
  if (button instanceof HTMLButtonElement) saveFile(button);
});

/** The first request: its response also shows whether the token is accepted. */
async function enter() {
  let refused;
  await shownIfRefused(() =>
    fetchContent().catch((error) => {
      if (!(error instanceof Refusal && REFUSES_TOKEN.includes(error.status))) throw error;
      refused = error;
    }),
  );
  if (refused) throw refused;
}

/** What follows the first content. */
async function begin() {
  await shownIfRefused(fetchGroups);
  if (await look()) watch(look, EVERY_MS);
}

offerLooks(looks);
whenSignedIn(begin, enter);
