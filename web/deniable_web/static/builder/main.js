/** The builder: a definition in this tab, its fields, and beside them the forecast. */
import { ownAccount, tried } from "../manage/access.js";
import { whenSignedIn } from "../manage/sign_in.js";
import { beginWithPublished } from "./beginnings.js";
import { showCrosstabs } from "./crosstab_list.js";
import { all, element, toast } from "./dom.js";
import { Draft, useDraftOf } from "./draft.js";
import { exportDraft, importFile } from "./files.js";
import { showForecasts } from "./forecast.js";
import { Keeper } from "./keeping.js";
import { showKept } from "./kept.js";
import { Watch } from "./outlook.js";
import { Problems } from "./problems.js";
import { listenToPreview, offerPublishing, publish, showPreview } from "./publish.js";
import { QuestionList } from "./question_list.js";
import { Settings } from "./settings.js";
import { showSight } from "./sight.js";
import { listenToTabs } from "./tabs.js";
import { text } from "./texts.js";
import { listenToUndo } from "./undoing.js";

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
  listenToTabs();
  showSight(draft, watch, questions);
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
    toast(text("started_over"));
  });
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
