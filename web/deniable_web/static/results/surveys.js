/** The list of surveys. */
import { Refusal, send } from "../manage/access.js";
import { whenSignedIn } from "../manage/sign_in.js";
import { fetchPart, keepParts } from "./parts.js";
import { elementsOf, replaceParts } from "./replacing.js";
import { watch } from "./watching.js";

const EVERY_MS = 10_000;

const list = /** @type {HTMLElement} */ (document.getElementById("surveys"));
const status = /** @type {HTMLElement} */ (document.getElementById("status"));

const language = encodeURIComponent(document.documentElement.lang);

/** Runs a function that sends requests, and shows refusals.
 * @param {() => Promise<void>} ask
 */
async function tried(ask) {
  try {
    await ask();
    status.textContent = "";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    status.textContent = error.message;
  }
}

/** @param {HTMLElement} fold that shows who took part in a survey. */
async function fill({ id, dataset }) {
  const path = `/manage/surveys/${encodeURIComponent(dataset.slug ?? "")}/results/response`;
  await fetchPart(id, `${path}?lang=${language}`);
}

async function look() {
  await tried(async () => {
    const answer = await send(`/manage/surveys?lang=${language}`);
    const fresh = elementsOf(await answer.text());
    keepParts(fresh);
    replaceParts(list, fresh);
    /** @type {NodeListOf<HTMLElement>} */
    const open = list.querySelectorAll("details[data-slug][open]");
    for (const fold of open) await fill(fold);
  });
  return true;
}

// The event does not bubble.
list.addEventListener(
  "toggle",
  ({ target }) => {
    const fold = /** @type {HTMLDetailsElement} */ (target);
    if (fold.open && fold.dataset.slug) tried(() => fill(fold));
  },
  true,
);

whenSignedIn(async () => {
  await look();
  watch(look, EVERY_MS);
});
