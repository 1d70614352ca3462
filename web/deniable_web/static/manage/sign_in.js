/** The part of every page for people who run surveys that asks for their token. */
import { Refusal, send, signIn, signOut, token } from "./access.js";

const CHECK = "/manage/token";

/**
 * Shows the page's main part once there is a token that the server accepts.
 *
 * @param {() => unknown} begin called once, when there is such a token.
 * @param {() => Promise<unknown>} [fill] fills the page with what needs the token, and throws the
 *   refusal; the main part is shown meanwhile. Without it, a request of its own checks the token.
 */
export async function whenSignedIn(begin, fill) {
  const form = /** @type {HTMLFormElement} */ (document.getElementById("sign-in"));
  const field = /** @type {HTMLInputElement} */ (document.getElementById("token"));
  const enter = async () => {
    if (fill && token() !== null) show(true);
    const refusal = token() === null ? "" : await refused(fill ?? (() => send(CHECK)));
    show(refusal === undefined);
    const problem = /** @type {HTMLElement} */ (document.getElementById("token-problem"));
    problem.textContent = refusal ?? "";
    problem.hidden = !refusal;
    if (refusal === undefined) begin();
    else field.focus();
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    signIn(field.value);
    field.value = "";
    await enter();
  });
  document.getElementById("sign-out")?.addEventListener("click", () => {
    signOut();
    location.reload();
  });
  await enter();
}

/** @param {boolean} isIn whether to show the main part, or to ask for the token. */
function show(isIn) {
  for (const part of document.querySelectorAll("[data-signed-in]")) {
    /** @type {HTMLElement} */ (part).hidden = (part.getAttribute("data-signed-in") === "yes") !== isIn;
  }
}

/**
 * @param {() => Promise<unknown>} check
 * @returns {Promise<string | undefined>} the reason if the token is not accepted
 */
async function refused(check) {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 401 || error.status === 403) signOut();
    return error.message;
  }
}
