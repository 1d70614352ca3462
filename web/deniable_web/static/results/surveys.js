/** The list of surveys. */
import { all, element } from "../form/page.js";
import { send, tried } from "../manage/access.js";
import { whenSignedIn } from "../manage/sign_in.js";
import { watch } from "../manage/watching.js";
import { elementsOf, fetchPart, keepParts, replaceParts } from "./replacing.js";

const EVERY_MS = 10_000;

const list = element("surveys");
const status = element("status");

const language = encodeURIComponent(document.documentElement.lang);

/** @param {() => Promise<void>} ask Refusals are shown until the next success. */
async function shownIfRefused(ask) {
  const isDone = await tried(ask, (refusal) => {
    status.textContent = refusal;
  });
  if (isDone) status.textContent = "";
}

/** @param {HTMLElement} fold that shows who took part in a survey. */
async function fill({ id, dataset }) {
  const path = `manage/surveys/${encodeURIComponent(dataset.slug ?? "")}/results/response`;
  await fetchPart(id, `${path}?lang=${language}`);
}

async function look() {
  await shownIfRefused(async () => {
    const answer = await send(`manage/surveys?lang=${language}`);
    const fresh = elementsOf(await answer.text());
    keepParts(fresh);
    replaceParts(list, fresh);
    for (const fold of all("details[data-slug][open]", list)) await fill(fold);
  });
}

// The event does not bubble.
list.addEventListener(
  "toggle",
  ({ target }) => {
    const fold = /** @type {HTMLDetailsElement} */ (target);
    if (fold.open && fold.dataset.slug) shownIfRefused(() => fill(fold));
  },
  true,
);

whenSignedIn(async () => {
  await look();
  watch(look, EVERY_MS);
});
