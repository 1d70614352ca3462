/** The builder: a definition in this tab, its fields, and beside them the forecast. */
import { ownAccount, tried } from "../manage/access.js";
import { whenSignedIn } from "../manage/sign_in.js";
import { beginWithPublished } from "./beginnings.js";
import { showCrosstabs } from "./crosstab_list.js";
import { all, announce, element, keepingFocus } from "./dom.js";
import { Draft, useDraftOf } from "./draft.js";
import { exportDraft, importFile } from "./files.js";
import { showForecasts } from "./forecast.js";
import { Keeper } from "./keeping.js";
import { showKept } from "./kept.js";
import { Watch } from "./outlook.js";
import { Problems } from "./problems.js";
import { listenToPreview, offerPublishing, publish, showPreview } from "./publish.js";
import { fieldId } from "./paths.js";
import { QuestionList } from "./question_list.js";
import { Settings } from "./settings.js";
import { text } from "./texts.js";

/** @import { Problem } from "./outlook.js" */

async function begin() {
  useDraftOf((await ownAccount()).name);
  const draft = new Draft(JSON.parse(element("example").dataset.definition ?? "{}"));
  const questions = new QuestionList(draft);
  const watch = new Watch(draft);
  const problems = new Problems(draft, watch, questions);
  const keeper = new Keeper(draft);
  const settings = new Settings(draft);
  showForecasts(draft, watch);
  settings.show();
  questions.show();
  showCrosstabs(draft);
  listenToTools(draft, keeper);
  listenToSteps(draft, watch, problems);
  askBeforeLeaving(draft);
  watch.look();
  showKept(draft, keeper);
  if (new URLSearchParams(location.search).has("new")) startOver(draft, keeper);
  await beginWithPublished(draft, keeper);
  await tried(() => keeper.begin(), sayState);
}

/** @param {Draft} draft @param {Keeper} keeper */
function listenToTools(draft, keeper) {
  listenToUndo(draft);
  const file = element("import-file", HTMLInputElement);
  element("import").addEventListener("click", () => file.click());
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    if (chosen) await importFile(draft, chosen);
    file.value = "";
  });
  element("import-close").addEventListener("click", () => {
    element("import-report").hidden = true;
    element("import").focus();
  });
  element("export").addEventListener("click", () => tried(() => exportDraft(draft), sayState));
  element("start-over").addEventListener("click", () => {
    startOver(draft, keeper);
    announce(text("started_over"));
  });
}

/**
 * The button and the keys that undo. A confirmation stays until the next change.
 *
 * @param {Draft} draft
 */
function listenToUndo(draft) {
  const button = element("undo", HTMLButtonElement);
  // The keys undo no change of the list if something was written since: that would be lost.
  let isLast = false;
  const follow = (/** @type {Event} */ { type }) => {
    isLast = type === "restructured";
    button.setAttribute("aria-disabled", String(!draft.canUndo));
    announce("");
  };
  for (const change of ["edited", "restructured"]) draft.addEventListener(change, follow);
  button.addEventListener("click", () => undo(draft));
  addEventListener("keydown", (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "z";
    const isElsewhere = document.querySelector("dialog[open]") !== null || writes(event.target);
    if (!isUndo || !isLast || isElsewhere) return;
    event.preventDefault();
    undo(draft);
  });
}

/** Whether the browser itself undoes what is typed there. @param {EventTarget | null} target */
function writes(target) {
  return target instanceof HTMLTextAreaElement
    || (target instanceof HTMLInputElement && !["checkbox", "radio", "range", "color", "file"].includes(target.type));
}

/** @param {Draft} draft */
function undo(draft) {
  if (!draft.canUndo) return;
  const before = draft.document.questions.map((question) => JSON.stringify(question));
  keepingFocus(() => draft.undo());
  announce(text("undone"));
  const changed = draft.document.questions.findIndex((question, place) => JSON.stringify(question) !== before[place]);
  document.getElementById(fieldId(["questions", changed]))?.scrollIntoView({ block: "nearest" });
}

/**
 * @param {Draft} draft
 * @param {Watch} watch
 * @param {Problems} problems
 */
function listenToSteps(draft, watch, problems) {
  /**
   * @param {() => unknown} go
   * @param {(problem: Problem) => boolean} [isInTheWay]
   */
  const ifReady = (go, isInTheWay = () => true) => () =>
    tried(async () => {
      await watch.look();
      if (watch.failure) sayState(watch.failure);
      else if (problems.found.some(isInTheWay)) problems.insist();
      else await go();
    }, sayState);
  listenToPreview(draft);
  // What is only unfinished can be looked at.
  element("show-preview").addEventListener("click", ifReady(() => showPreview(draft), ({ is_unfinished }) => !is_unfinished));
  element("publish").addEventListener("click", ifReady(() => offerPublishing(draft, watch.latest?.forecast)));
  element("publish-confirm").addEventListener("click", () => publish(draft));
  for (const close of all("[data-closes]")) {
    close.addEventListener("click", () => element(close.dataset.closes ?? "", HTMLDialogElement).close());
  }
}

/**
 * Begins another draft.
 *
 * @param {Draft} draft
 * @param {Keeper} keeper
 */
function startOver(draft, keeper) {
  keeper.leave();
  draft.startOver();
}

/**
 * Lets the browser ask before the page is left with unsaved changes.
 *
 * A change of the page's language does not count: the draft is loaded again.
 *
 * @param {Draft} draft
 */
function askBeforeLeaving(draft) {
  let staysHere = false;
  for (const link of document.querySelectorAll("a[href^='?lang=']")) {
    link.addEventListener("click", () => {
      staysHere = true;
    });
  }
  addEventListener("beforeunload", (event) => {
    if (draft.isUnsaved && !staysHere) event.preventDefault();
  });
}

/** @param {string} refusal It takes the place of the state. */
function sayState(refusal) {
  element("state").textContent = refusal;
}

await whenSignedIn(begin);
