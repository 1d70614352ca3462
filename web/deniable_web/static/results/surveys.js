/** The list of surveys. */
import { Refusal, send } from "../manage/access.js";
import { whenSignedIn } from "../manage/sign_in.js";
import { elementsOf, replaceParts } from "./replacing.js";
import { watch } from "./watching.js";

const EVERY_MS = 10_000;

const list = /** @type {HTMLElement} */ (document.getElementById("surveys"));
const status = /** @type {HTMLElement} */ (document.getElementById("status"));

async function look() {
  try {
    const language = encodeURIComponent(document.documentElement.lang);
    const answer = await send(`/manage/surveys?lang=${language}`);
    replaceParts(list, elementsOf(await answer.text()));
    status.textContent = "";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    status.textContent = error.message;
  }
  return true;
}

whenSignedIn(async () => {
  await look();
  watch(look, EVERY_MS);
});
