/** What a new survey begins with: each template, in the chosen languages. */
import { ownAccount } from "../manage/access.js";
import { whenSignedIn } from "../manage/sign_in.js";
import { all, element } from "./dom.js";
import { hasDraft, useDraftOf } from "./draft.js";

const BOXES = /** @type {HTMLInputElement[]} */ (all("input", element("spoken")));
const LINKS = /** @type {HTMLAnchorElement[]} */ (all("a[data-template]"));

/** The links lead to the templates in the chosen languages; without any, in that of the page. */
function choose() {
  const chosen = BOXES.filter(({ checked }) => checked);
  for (const link of LINKS) {
    const address = new URL(link.href);
    address.searchParams.delete("in");
    for (const { value } of chosen) address.searchParams.append("in", value);
    link.href = `${address.pathname}${address.search}`;
  }
}

element("spoken").addEventListener("change", choose);
whenSignedIn(async () => {
  choose();
  useDraftOf((await ownAccount()).name);
  element("continue").hidden = !hasDraft();
});
