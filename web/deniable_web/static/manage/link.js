/**
 * A link that signs somebody in. Its secret is in the fragment, which browsers never send, and
 * is sent once the person agrees: nobody works under another name without having been asked.
 */
import { decoded, element, sayVariant, tell } from "../form/page.js";
import { exchangeLink, presentAccount, signIn, tried } from "./access.js";
import { copy } from "./clipboard.js";

// Whose link it is, after its time and its secret. Only the server knows whether that is true.
const LINK = /^#link=(\d+\.[\w-]+\.([\w.~%-]{1,800}))$/;

/** Asks whether to use the link in the address, if there is one; then it is in the address no longer. */
export async function offerLink() {
  addEventListener("hashchange", () => {
    if (LINK.test(location.hash)) location.reload();
  });
  const [, secret = "", named = ""] = LINK.exec(location.hash) ?? [];
  if (!secret) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  await ask(secret, decoded(named), (await presentAccount())?.name ?? "");
}

/**
 * @param {string} secret
 * @param {string} name whose token the link hands over.
 * @param {string} present the name under which this page works now; empty if it is signed out.
 */
function ask(secret, name, present) {
  const dialog = element("offer", HTMLDialogElement);
  const names = { name: isolated(name), present: isolated(present) };
  const variant = present ? "change" : "begin";
  sayVariant("offer-title", "text", names);
  sayVariant("offer-text", variant, names);
  sayVariant("offer-confirm", "text", names);
  sayVariant("offer-cancel", variant, names);
  element("offer-cancel").addEventListener("click", () => dialog.close());
  element("offer-confirm").addEventListener("click", async () => {
    tell("offer-problem", "");
    await tried(async () => {
      await use(secret, name);
      dialog.close();
    }, (message) => tell("offer-problem", message));
  });
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", resolve));
}

/**
 * Signs in, and shows the token, with which the person can sign in later.
 *
 * @param {string} secret
 * @param {string} name
 */
async function use(secret, name) {
  const token = await exchangeLink(secret);
  const stays = /** @type {HTMLInputElement | null} */ (document.getElementById("offer-stays"));
  await signIn(token, stays?.checked ?? false);
  const shown = element("new-token-text");
  shown.textContent = token;
  sayVariant("new-token-title", "text", { name: isolated(name) });
  element("new-token").hidden = false;
  element("new-token-copy").addEventListener("click", async () => {
    tell("new-token-said", await copy(shown));
  });
  element("new-token-done").addEventListener("click", () => {
    shown.textContent = "";
    element("new-token").hidden = true;
  });
}

/** A name that keeps its own direction of writing. @param {string} name */
function isolated(name) {
  return `\u2068${name}\u2069`;
}
