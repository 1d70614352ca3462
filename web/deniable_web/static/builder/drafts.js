/** The list of drafts. */
import { getJson, send, sendJson, tried } from "../manage/access.js";
import { whenSignedIn } from "../manage/sign_in.js";
import { watch } from "../manage/watching.js";
import { at } from "../root.js";
import { button, element, make } from "./dom.js";
import { shownText } from "./fields.js";
import { addressOf, newestOf } from "./keeping.js";
import { moment, text } from "./texts.js";

/**
 * A draft, as the server lists it.
 *
 * @typedef {{ id: string, version: number, title: unknown, slug: string, changed: string, changed_by: string, is_published: boolean }} Listed
 */

const DRAFTS = "manage/drafts";
const EVERY_MS = 10_000;

const status = element("status");
const dialog = element("remove-dialog", HTMLDialogElement);
let shown = "";
let isRefused = false;

/** @param {string} id */
function openAt(id) {
  const address = new URL(at("build"));
  const language = new URLSearchParams(location.search).get("lang");
  if (language) address.searchParams.set("lang", language);
  address.searchParams.set("draft", id);
  return `${address.pathname}${address.search}`;
}

/** @param {string} words a refusal, or what was done; they stay until the list changes. */
function say(words) {
  status.textContent = words;
}

async function look() {
  await tried(async () => {
    const { drafts } = await getJson(DRAFTS);
    const now = JSON.stringify(drafts);
    if (now === shown && !isRefused) return;
    isRefused = false;
    say(drafts.length > 0 ? "" : text("drafts_none"));
    shown = now;
    element("drafts").hidden = drafts.length === 0;
    element("draft-rows").replaceChildren(...drafts.map(row));
  }, refuse);
}

/** @param {string} refusal */
function refuse(refusal) {
  isRefused = true;
  say(refusal);
}

/** @param {Listed} draft */
function row(draft) {
  const title = shownText(draft.title) || text("untitled");
  return make(
    "tr", {},
    make("th", { scope: "row" }, make("a", { href: openAt(draft.id) }, make("bdi", {}, title)), make("br"), make("code", { dir: "ltr" }, draft.slug), mark(draft)),
    make("td", {}, moment(draft.changed)),
    make("td", {}, make("bdi", {}, draft.changed_by)),
    make("td", {}, make("div", { class: "tools" },
      button(text("draft_copy"), () => copy(draft), { class: "small", "aria-label": text("draft_copy_of", { title }) }),
      button(text("draft_remove"), () => askToRemove(draft, title), { class: "small", "aria-label": text("draft_remove_of", { title }) }))),
  );
}

/** Says that the name belongs to a published survey. @param {Listed} draft */
function mark({ slug, is_published }) {
  if (!is_published) return null;
  const link = make("a", { href: at(`surveys/${slug}/share${location.search}`) }, text("draft_published"));
  return make("span", { class: "hint" }, " \u00b7 ", link);
}

/** @param {Listed} draft */
async function copy({ id }) {
  await tried(async () => {
    const { definition, facts } = await newestOf(id);
    const { id: copied } = await sendJson(DRAFTS, { definition: { ...definition, slug: "" }, facts });
    location.assign(openAt(copied));
  }, refuse);
}

/** @param {Listed} draft @param {string} title */
function askToRemove({ id }, title) {
  element("remove-text").textContent = text("draft_remove_text", { title });
  element("remove-confirm").onclick = async () => {
    dialog.close();
    const isGone = await tried(() => send(addressOf(id), { method: "DELETE" }), refuse);
    if (isGone) await look();
    if (isGone && !element("drafts").hidden) say(text("draft_removed", { title }));
    element("new-draft").focus();
  };
  dialog.showModal();
}

element("remove-cancel").addEventListener("click", () => dialog.close());

whenSignedIn(async () => {
  await look();
  watch(look, EVERY_MS);
});
