/** The part of every page for people who run surveys that asks for their token. */
import { all, element, tell } from "../form/page.js";
import { accountName, forget, isFor, isSignedIn, ownAccount, send, signIn, signOut, signOutEverywhere, tried } from "./access.js";

const CHECK = "/manage/token";
/** What the server adds to the address if a provider did not sign somebody in. */
const FAILED = /^#sign-in=([a-z]+)$/;

/**
 * Shows the page's main part once there is a token that the server accepts.
 *
 * @param {() => unknown} begin called once, when there is such a token.
 * @param {() => Promise<unknown>} [fill] fills the page with what needs the token, and throws the
 *   refusal; the main part is shown meanwhile. Without it, a request of its own checks the token.
 */
export async function whenSignedIn(begin, fill) {
  const form = element("sign-in");
  const field = element("token", HTMLInputElement);
  const stays = /** @type {HTMLInputElement | null} */ (document.getElementById("stays"));
  const enter = async () => {
    const hasToken = await isSignedIn();
    if (fill && hasToken) show(true);
    const refusal = hasToken ? await refused(fill ?? (() => send(CHECK))) : failure();
    show(refusal === undefined);
    const account = accountName();
    if (document.getElementById("account")) element("account").textContent = account;
    for (const part of all("#account, #sign-out-everywhere")) part.hidden = account === "";
    tell("token-problem", refusal ?? "");
    if (refusal === undefined) {
      begin();
      await showLinks();
    } else field.focus();
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = field.value;
    field.value = "";
    await signIn(given, stays?.checked ?? false);
    await enter();
  });
  for (const [id, end] of Object.entries({ "sign-out": signOut, "sign-out-everywhere": signOutEverywhere })) {
    document.getElementById(id)?.addEventListener("click", async () => {
      await end();
      location.reload();
    });
  }
  const provider = /** @type {HTMLAnchorElement | null} */ (document.getElementById("provider"));
  if (provider) provider.search = `?to=${encodeURIComponent(location.pathname + location.search)}`;
  await enter();
}

/** Shows the links to the pages that not everybody may open. */
async function showLinks() {
  const links = all("[data-for]");
  if (links.length === 0) return;
  await tried(async () => {
    const account = await ownAccount();
    for (const link of links) link.hidden = !isFor(account, link.dataset.for);
  }, () => {});
}

/** Why a provider did not sign somebody in; empty if it was not asked. */
function failure() {
  const reason = FAILED.exec(location.hash)?.[1];
  if (!reason) return "";
  history.replaceState(null, "", location.pathname + location.search);
  return document.getElementById("provider")?.dataset[reason] ?? "";
}

/** @param {boolean} isIn whether to show the main part, or to ask for the token. */
function show(isIn) {
  for (const part of all("[data-signed-in]")) part.hidden = (part.dataset.signedIn === "yes") !== isIn;
}

/**
 * @param {() => Promise<unknown>} check
 * @returns {Promise<string | undefined>} the reason if the token is not accepted
 */
async function refused(check) {
  /** @type {string | undefined} */
  let reason;
  await tried(check, (message, { status }) => {
    if (status === 401 || status === 403) forget();
    reason = message;
  });
  return reason;
}
