/** What the builder says about the kept draft: its state, others' changes, and former versions. */
import { getJson, ownAccount, tried } from "../manage/access.js";
import { say } from "./beginnings.js";
import { announce, button, element, focusOn, make, toast } from "./dom.js";
import { shownText } from "./fields.js";
import { addressOf } from "./keeping.js";
import { settle } from "./merge.js";
import { LANGUAGE, hasText, moment, text } from "./texts.js";

/** @import { Draft } from "./draft.js" */
/** @import { Keeper } from "./keeping.js" */
/** @import { Conflict } from "./merge.js" */

/** @param {Draft} draft @param {Keeper} keeper */
export function showKept(draft, keeper) {
  keeper.addEventListener("state", (event) => {
    const { state, reason } = /** @type {CustomEvent} */ (event).detail;
    const words = text(`kept_${state}`, { time: new Date().toLocaleTimeString(LANGUAGE), reason });
    element("kept").textContent = words;
    element("history").hidden = state === "tab" || keeper.id === undefined;
    if (state === "removed") announce(words);
  });
  keeper.addEventListener("met", (event) => {
    const names = /** @type {CustomEvent} */ (event).detail;
    const words = names.length > 0 ? text("present", { names: new Intl.ListFormat(LANGUAGE).format(names) }) : "";
    if (element("present").textContent !== words) element("present").textContent = words;
  });
  keeper.addEventListener("opened", async (event) => {
    const author = /** @type {CustomEvent} */ (event).detail;
    if (author !== (await ownAccount()).name) say(text("kept_opened", { author }));
  });
  keeper.addEventListener("merged", (event) => {
    const { author, conflicts } = /** @type {CustomEvent} */ (event).detail;
    say(text("kept_merged", { author }));
    for (const conflict of conflicts) addConflict(draft, author, conflict);
  });
  element("history").addEventListener("click", () => showVersions(draft, keeper));
}

/**
 * @param {Draft} draft
 * @param {string} author
 * @param {Conflict} conflict
 */
function addConflict(draft, author, conflict) {
  const decide = (/** @type {unknown} */ value) => {
    draft.restructure((definition) => settle({ definition, facts: draft.facts }, conflict.path, value));
    item.remove();
    element("conflicts").hidden = element("conflict-list").children.length === 0;
    focusOn("conflicts-title", "history");
  };
  const item = make(
    "li", {},
    make("p", {}, text("conflict", { author, place: placeOf(draft, conflict) })),
    make("dl", {},
      make("dt", {}, text("conflict_mine")), make("dd", {}, shownValue(conflict.mine)),
      make("dt", {}, text("conflict_theirs", { author })), make("dd", {}, shownValue(conflict.theirs))),
    make("div", { class: "tools" },
      button(text("conflict_use_mine"), () => decide(conflict.mine), { class: "small" }),
      button(text("conflict_use_theirs", { author }), () => decide(conflict.theirs), { class: "small" })),
  );
  element("conflict-list").append(item);
  element("conflicts").hidden = false;
}

/**
 * The place of a conflict in words: a question, or the label of a field of the survey.
 *
 * @param {Draft} draft
 * @param {Conflict} conflict
 */
function placeOf(draft, { path }) {
  const id = path.find((step) => String(step).startsWith("#"));
  const [, key = "", below = ""] = path.map(String);
  if (key !== "questions") {
    const label = [`${key}_${below}`, key].find(hasText);
    return label ? text(label) : text("conflict_survey");
  }
  const found = draft.document.questions.find((each) => `#${each.id}` === id);
  return found ? shownText(found.text) : text("conflict_questions");
}

/** @param {unknown} value */
function shownValue(value) {
  if (value === undefined) return make("em", {}, text("conflict_removed"));
  if (typeof value === "string" && value.startsWith("data:image/")) return make("img", { src: value, alt: "", class: "thumbnail" });
  const isText = typeof value === "string" || typeof value === "number";
  return isText ? make("bdi", {}, String(value)) : make("code", { dir: "ltr" }, JSON.stringify(value, null, 1));
}

/** @param {Draft} draft @param {Keeper} keeper */
async function showVersions(draft, keeper) {
  const { id } = keeper;
  if (id === undefined) return;
  const dialog = element("history-dialog", HTMLDialogElement);
  await tried(async () => {
    const { versions } = await getJson(`${addressOf(id)}/versions`);
    element("history-list").replaceChildren(
      ...versions.map((/** @type {{ version: number, changed: string, by: string }} */ each, /** @type {number} */ place) =>
        make("li", {},
          make("span", {}, text("version", { time: moment(each.changed), author: each.by })),
          // The first one is what the page shows.
          place > 0 ? button(text("restore"), () => restore(each.version), {
            class: "small", "aria-label": text("restore_version", { time: moment(each.changed) }),
          }) : null)),
    );
    dialog.showModal();
  }, say);

  /** @param {number} version */
  async function restore(version) {
    await tried(async () => {
      const { definition, facts } = await getJson(`${addressOf(id ?? "")}/versions/${version}`);
      draft.replace(definition, facts);
      say(text("restored"));
      toast(text("restored"));
    }, say);
    dialog.close();
  }
}
