/** The part of every page for people who run surveys that asks for their token. */
import { Refusal, send, signIn, signOut, token } from "./access.js";

const CHECK = "/manage/token";

/**
 * Shows the page's main part once there is a token that the server accepts.
 *
 * @param {() => unknown} begin called once, when there is such a token.
 */
export async function whenSignedIn(begin) {
  const form = /** @type {HTMLFormElement} */ (document.getElementById("sign-in"));
  const field = /** @type {HTMLInputElement} */ (document.getElementById("token"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    signIn(field.value);
    field.value = "";
    await enter(begin);
  });
  document.getElementById("sign-out")?.addEventListener("click", () => {
    signOut();
    location.reload();
  });
  await enter(begin);
}

/** @param {() => unknown} begin */
async function enter(begin) {
  const refusal = token() === null ? "" : await refused();
  const isIn = refusal === undefined;
  for (const part of document.querySelectorAll("[data-signed-in]")) {
    /** @type {HTMLElement} */ (part).hidden = (part.getAttribute("data-signed-in") === "yes") !== isIn;
  }
  const problem = /** @type {HTMLElement} */ (document.getElementById("token-problem"));
  problem.textContent = refusal ?? "";
  problem.hidden = !refusal;
  if (isIn) begin();
  else document.getElementById("token")?.focus();
}

/** @returns {Promise<string | undefined>} the reason if the token is not accepted */
async function refused() {
  try {
    await send(CHECK);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 401 || error.status === 403) signOut();
    return error.message;
  }
}
