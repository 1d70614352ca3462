/** The page of the audit trail: who changed what, and on which day. */
import { element, make } from "../builder/dom.js";
import { day, text, whole } from "../builder/texts.js";
import { getJson, tried } from "../manage/access.js";
import { whenOwner } from "./owners.js";

/** @typedef {{ day: string, who: string, what: string, about: string }} Entry */

const TRAIL = "manage/trail";
const ON_A_PAGE = 50;

/** @type {Entry[]} */
let entries = [];
let first = 0;

/** @param {Entry} entry */
function row({ day: date, who, what, about }) {
  return make(
    "tr", {},
    make("td", {}, day(date)),
    make("td", {}, make("bdi", {}, who)),
    make("td", {}, text(`act_${what.replaceAll(" ", "_")}`)),
    make("td", {}, make("bdi", {}, about)),
  );
}

function show() {
  const end = Math.min(first + ON_A_PAGE, entries.length);
  element("rows").replaceChildren(...entries.slice(first, end).map(row));
  element("status").textContent = entries.length === 0 ? text("trail_empty") : text("trail_range", {
    first: whole(first + 1), last: whole(end), count: whole(entries.length),
  });
  element("trail").hidden = entries.length === 0;
  element("turning").hidden = entries.length <= ON_A_PAGE;
  element("newer").setAttribute("aria-disabled", String(first === 0));
  element("older").setAttribute("aria-disabled", String(end === entries.length));
}

/** @param {number} steps */
function turn(steps) {
  const wanted = first + steps * ON_A_PAGE;
  if (wanted < 0 || wanted >= entries.length) return;
  first = wanted;
  show();
}

whenOwner("owner", async () => {
  element("newer").addEventListener("click", () => turn(-1));
  element("older").addEventListener("click", () => turn(1));
  await tried(async () => {
    const found = await getJson(TRAIL);
    entries = found.entries;
    element("oldest").hidden = entries.length < found.most;
    show();
  }, (refusal) => {
    element("status").textContent = refusal;
  });
});
