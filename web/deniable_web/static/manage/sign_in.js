/** The part of every page for people who run surveys that asks for their token. */
import { all, element, tell } from "../form/page.js";
import { SITE } from "../root.js";
import {
  forget, hasSession, isFor, isSignedIn, ownAccount, presentAccount, signIn, signInAtProvider, signOut, signOutEverywhere, tried,
} from "./access.js";
import { offerLink } from "./link.js";

/** What the server adds to the address if a provider did not sign somebody in. */
const FAILED = /^#sign-in=([a-z]+)$/;

/**
 * Shows the page's main part once there is a token that the server accepts.
 *
 * @param {() => unknown} begin called once, when there is such a token.
 * @param {() => Promise<unknown>} [fill] fills the page with what needs the token, and throws the
 *   refusal; the main part is shown meanwhile.
 */
export async function whenSignedIn(begin, fill) {
  element("not-loaded").remove();
  const form = element("sign-in");
  const field = element("token", HTMLInputElement);
  const stays = /** @type {HTMLInputElement | null} */ (document.getElementById("stays"));
  const enter = async () => {
    const refusal = await refused(async () => {
      if (!(await isSignedIn())) return failure();
      if (fill) show(true);
      await Promise.all([ownAccount(), fill?.()]);
    });
    show(refusal === undefined);
    await showAccount();
    tell("token-problem", refusal ?? "");
    if (refusal === undefined) begin();
    else field.focus();
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
  document.getElementById("provider")?.addEventListener("click", async () => {
    const { address, reason = "" } = await signInAtProvider(ownPage());
    if (address) location.assign(address);
    else tell("token-problem", providerProblem(reason));
  });
  await offerLink();
  await enter();
}

/** The path of this page, as the site knows it. */
function ownPage() {
  return `${location.origin}${location.pathname}${location.search}`.slice(SITE.length);
}

/** Shows whose account this page uses, and the links to the pages that not everybody may open. */
async function showAccount() {
  const account = await presentAccount();
  tell("account", account?.name ?? "");
  for (const part of all("#sign-out-everywhere")) part.hidden = !hasSession();
  for (const link of all("[data-for]")) link.hidden = account === null || !isFor(account, link.dataset.for, link.dataset.slug);
}

/** Why a provider did not sign somebody in; empty if it was not asked. */
function failure() {
  const reason = FAILED.exec(location.hash)?.[1];
  if (!reason) return "";
  history.replaceState(null, "", location.pathname + location.search);
  return providerProblem(reason);
}

/** @param {string} reason as the server names it. */
function providerProblem(reason) {
  return document.getElementById("provider")?.dataset[reason] ?? "";
}

/** @param {boolean} isIn whether to show the main part, or to ask for the token. */
function show(isIn) {
  for (const part of all("[data-signed-in]")) part.hidden = (part.dataset.signedIn === "yes") !== isIn;
}

/**
 * @param {() => Promise<string | void>} check resolves to the reason if there is no token.
 * @returns {Promise<string | undefined>} the reason if there is no token that is accepted.
 */
async function refused(check) {
  let reason = /** @type {string | void} */ (undefined);
  await tried(async () => {
    reason = await check();
  }, async (message, { status }) => {
    // A token of another role opens other pages.
    if ((status === 401 || status === 403) && !(await presentAccount())) forget();
    reason = message;
  });
  return reason ?? undefined;
}
