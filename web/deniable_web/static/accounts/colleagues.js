/** The page of colleagues: who may do what here, and an owner who changes that. */
import { offerCopies } from "../builder/copying.js";
import { button, element, focusOn, keepingFocus, make, tell } from "../builder/dom.js";
import { moment, text } from "../builder/texts.js";
import { send, sendJson, signOutEverywhere, tried } from "../manage/access.js";
import { watch } from "../manage/watching.js";
import { SITE } from "../root.js";
import { attempted, whenOwner } from "./owners.js";
import { askForRights } from "./rights.js";

/** @import { Rights } from "./rights.js" */

/**
 * Somebody, as the server lists them.
 *
 * @typedef {Rights & { signs_in_with: "token" | "provider", signed_in: string | null }} Colleague
 * @typedef {"secret" | "sign_out" | "remove"} Act what is asked about first.
 */

const COLLEAGUES = "manage/colleagues";
const EVERY_MS = 10_000;
const PROBLEM = "ask-problem";

const status = element("status");
const asking = element("ask-dialog", HTMLDialogElement);
const showing = element("secret-dialog", HTMLDialogElement);

/** @type {{ you: string, colleagues: Colleague[], surveys: string[] }} */
let found = { you: "", colleagues: [], surveys: [] };
let shown = "";
let refusal = status.textContent ?? "";

/** @param {string} message */
function say(message) {
  status.textContent = message;
}

async function look() {
  const isDone = await tried(async () => {
    const now = await (await send(COLLEAGUES)).text();
    if (now === shown) return;
    [shown, found] = [now, JSON.parse(now)];
    keepingFocus(() => element("people").replaceChildren(...found.colleagues.map(card)));
  }, (words) => {
    refusal = words;
    say(words);
  });
  if (isDone && status.textContent === refusal) say("");
}

/** @param {Colleague} person */
function card(person) {
  const { name, role, surveys, signs_in_with, signed_in } = person;
  const { provider, ...labels } = element("people").dataset;
  const facts = {
    role: text(`role_${role}`),
    surveys: surveys ? surveys.join(" \u00b7 ") : text("all_surveys"),
    signsIn: signs_in_with === "token" ? text("with_token") : provider ?? "",
    last: signed_in ? moment(signed_in) : text("unknown"),
  };
  const shownFacts = Object.entries(facts).flatMap(([label, fact]) => [
    make("dt", {}, labels[label] ?? ""), make("dd", {}, make("bdi", {}, fact)),
  ]);
  return make(
    "li", { class: "card stack" },
    make("h2", {}, make("bdi", {}, name), name === found.you ? ` (${text("you")})` : ""),
    make("dl", { class: "facts" }, ...shownFacts),
    make("div", { class: "tools" }, ...actions(person)),
  );
}

/** @param {Colleague} person */
function actions(person) {
  const isOwn = person.name === found.you;
  const hasToken = person.signs_in_with === "token";
  const keep = (/** @type {Rights} */ { role, surveys }) => sendJson(addressOf(person.name), { role, surveys }, undefined, "PUT");
  const change = () => askForRights(person, found.surveys, keep, () => finish("change", person.name));
  return [
    hasToken && !isOwn && person.role !== "reader" ? action("change", person, change) : null,
    hasToken && !isOwn ? action("secret", person, () => ask("secret", person)) : null,
    person.signed_in ? action("sign_out", person, () => ask("sign_out", person)) : null,
    isOwn ? null : action("remove", person, () => ask("remove", person)),
  ];
}

/**
 * @param {"change" | Act} what
 * @param {Colleague} person
 * @param {() => void} act
 */
function action(what, { name }, act) {
  const look = what === "remove" ? "small danger" : "small";
  return button(text(what), act, { id: idOf(what, name), class: look, "aria-label": `${text(what)}: ${name}` });
}

/** @param {string} what @param {string} name */
function idOf(what, name) {
  return `person-${what}-${encodeURIComponent(name)}`;
}

/** @param {string} name */
function addressOf(name) {
  return `${COLLEAGUES}/${encodeURIComponent(name)}`;
}

function add() {
  let name = "", link = "";
  askForRights(null, found.surveys, async (rights) => {
    ({ name, link } = await sendJson(COLLEAGUES, rights));
  }, async () => {
    await finish("add", name);
    showLink(name, link);
  });
}

/**
 * Asks before it does something that ends somebody's access.
 *
 * @param {Act} what
 * @param {Colleague} person
 */
function ask(what, person) {
  const { name, signs_in_with } = person;
  const isAccount = what === "remove" && signs_in_with === "provider";
  element("ask-title").textContent = text(`${what}_title`, { name });
  element("ask-text").textContent = text(isAccount ? "remove_account_text" : `${what}_text`, { name });
  const confirm = element("ask-confirm", HTMLButtonElement);
  confirm.textContent = text(what);
  tell(PROBLEM, "");
  confirm.onclick = async () => {
    let link = "";
    const isDone = await attempted(async () => {
      link = await perform(what, name);
    }, PROBLEM, confirm);
    if (!isDone) return;
    asking.close();
    await finish(what, name);
    if (link) showLink(name, link);
  };
  asking.showModal();
}

/**
 * @param {Act} what
 * @param {string} name
 * @returns {Promise<string>} the path of the new link; empty if there is none.
 */
async function perform(what, name) {
  if (what === "secret") {
    const { link } = await sendJson(`${addressOf(name)}/link`, {});
    return link;
  }
  if (what === "sign_out" && name === found.you) {
    await signOutEverywhere();
    location.reload();
  } else await send(what === "remove" ? addressOf(name) : `${addressOf(name)}/sessions`, { method: "DELETE" });
  return "";
}

/**
 * Shows what has changed, and moves the focus to where it was.
 *
 * @param {"add" | "change" | Act} what
 * @param {string} name
 */
async function finish(what, name) {
  await look();
  say(text(`done_${what}`, { name }));
  focusOn(idOf(what, name), "add");
}

/** @param {string} name @param {string} path */
function showLink(name, path) {
  element("secret-title").textContent = text("shown_title", { name });
  element("secret-text").textContent = text("shown_text", { name });
  element("secret").textContent = `${SITE}${path}`;
  showing.showModal();
}

whenOwner("owner-of-all", async () => {
  offerCopies();
  element("add").addEventListener("click", add);
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.querySelector("[data-cancels]")?.addEventListener("click", () => dialog.close());
  }
  showing.addEventListener("close", () => {
    element("secret").textContent = "";
  });
  await look();
  watch(look, EVERY_MS);
});
