/** Shows pages for owners to them, and says to others why they do not see them. */
import { element, tell } from "../builder/dom.js";
import { text } from "../builder/texts.js";
import { isFor, ownAccount, tried } from "../manage/access.js";
import { whenSignedIn } from "../manage/sign_in.js";

/** The page's words for problems with colleagues. */
const REFUSALS = new Map([
  ["urn:deniable:problem:name-taken", "name_taken"],
  ["urn:deniable:problem:unknown-colleague", "gone"],
  ["urn:deniable:problem:rights-fixed", "fixed"],
]);

/**
 * @param {string} whom the page is for, as for isFor.
 * @param {() => unknown} begin called once such an owner is signed in.
 */
export function whenOwner(whom, begin) {
  let isTheirs = false;
  return whenSignedIn(() => isTheirs && begin(), async () => {
    const account = await ownAccount();
    isTheirs = isFor(account, whom);
    element("for-owners").hidden = !isTheirs;
    element("for-others").hidden = isTheirs;
    element("others-text").textContent = text(whom === "owner" ? "others_trail" : "others_colleagues", {
      name: account.name, role: text(`role_${account.role}`),
    });
  });
}

/**
 * Does something that sends requests; false, and the page's words in an alert, if it was refused.
 *
 * @param {() => Promise<unknown>} act
 * @param {string} alert the id of the alert.
 * @param {HTMLButtonElement} button disabled meanwhile.
 */
export async function attempted(act, alert, button) {
  tell(alert, "");
  button.disabled = true;
  const isDone = await tried(act, (message, { problem }) => {
    const words = REFUSALS.get(String(problem.type));
    tell(alert, words ? text(words) : message);
  });
  button.disabled = false;
  return isDone;
}
