/** The forecast in words and bars, and its warnings. */
import { all, element, make, tell } from "./dom.js";
import { shownText } from "./fields.js";
import { readMoment } from "./moments.js";
import { dayOf, decimal, percent, percentAtLeast, percentAtMost, short, text, whole } from "./texts.js";

/** @import { Draft } from "./draft.js" */
/** @import { Block, Estimate, Forecast, Offer, Warning, Watch, Words } from "./outlook.js" */

const TOLD_PRIOR = 0.1;
/** The names of the protection, each for epsilons up to a limit. */
const STRENGTHS = [
  { name: "strong", most: 1 },
  { name: "fair", most: 2 },
  { name: "weak", most: 4 },
  { name: "hardly", most: Infinity },
];

/** How precise a result is, by the part of the wanted precision that it reaches. */
const GRADES = [
  { name: "precise", least: 1 },
  { name: "rough", least: 0.5 },
  { name: "unknown", least: 0 },
];

/**
 * Shows each result of the watch.
 *
 * @param {Draft} draft
 * @param {Watch} watch
 */
export function showForecasts(draft, watch) {
  watch.addEventListener("looked", () => {
    const forecast = watch.latest?.forecast ?? null;
    element("no-forecast").hidden = forecast !== null && watch.failure === "";
    element("no-forecast").textContent = watch.failure || text(watch.latest?.is_too_large ? "too_large" : "no_forecast");
    element("forecast").hidden = forecast === null;
    element("asking-words").textContent = askingWords(forecast);
    element("worst").textContent = forecast ? worstWords(draft, forecast) : "";
    element("epsilon-words").hidden = forecast === null;
    if (forecast === null) return;
    element("epsilon-words").replaceChildren(...epsilonWords(forecast), make("p", { id: "closed-file" }, watch.latest?.words?.closed_file ?? ""));
    const { stop_when: rule } = forecast;
    const margin = decimal(100 * (rule?.margin ?? 0));
    tell("stop-words", rule ? `${places(draft, rule.questions)}${text("stop_words", { margin })}` : "");
    element("margins").replaceChildren(...rows(draft, forecast, watch.latest?.incomplete ?? []));
    element("design-words").replaceChildren(...designItems(draft, forecast, watch.latest?.words?.design ?? []));
    element("margins-for").textContent = text("margin_for", { count: whole(forecast.respondents) });
    element("needed-for").textContent = text("needed_for", { margin: short(100 * forecast.wanted_margin) });
    const redrawn = watch.latest?.redrawn ?? [];
    element("no-warnings").hidden = forecast.warnings.length + redrawn.length > 0;
    element("warnings").replaceChildren(
      ...(redrawn.length > 0 ? [adviceItem("redrawn", places(draft, redrawn) + text("advice_redrawn"))] : []),
      ...forecast.warnings.map((each) => warning(draft, forecast, each)),
    );
    showStops(forecast, watch.latest?.trade_off ?? []);
  });
}

/** What each stop of the protection would give. @param {Forecast} forecast @param {readonly Offer[]} offers */
function showStops({ blocks, respondents }, offers) {
  const shares = blocks.filter(({ estimates }) => estimates[0]?.unit === "share").flatMap(({ questions }) => questions);
  for (const stop of stops()) {
    const margins = offers.find(({ epsilon }) => epsilon === Number(stop.value))?.margins ?? {};
    const worst = Math.max(...shares.map((question) => margins[question] ?? 0));
    const words = text("points", { margin: short(100 * worst) });
    element(`stop-${stop.value}`).textContent = worst > 0 ? text("stop_gives", { margin: words, count: whole(respondents) }) : "";
  }
}

/** The named stops of the protection. */
export function stops() {
  return /** @type {HTMLInputElement[]} */ (all("#stops input"));
}

/** How much of the survey one respondent is asked. @param {Forecast | null | undefined} forecast */
export function askingWords(forecast) {
  if (!forecast) return text("asking_unknown");
  const { asked, blocks } = forecast;
  const name = asked < blocks.length ? "asking_words" : "asking_all";
  return text(name, { asked: whole(asked), all: whole(blocks.length) });
}

/** The widest margin, and when the survey ends. @param {Draft} draft @param {Forecast} forecast */
function worstWords(draft, { blocks, respondents }) {
  const estimates = blocks.flatMap(shownOf);
  const shares = estimates.filter(({ unit }) => unit === "share");
  const [worst] = shares.length > 0 ? shares.sort((one, other) => other.margin - one.margin) : estimates;
  return worst ? text("worst", { margin: marginWords(worst), count: whole(respondents), end: endWords(draft) }) : "";
}

/** @param {Draft} draft */
function endWords({ document: { closes, at_most_reports: most, stop_when: rule, results } }) {
  const moment = readMoment(closes);
  if (moment) return text("ends_on", { day: dayOf(moment) });
  if (typeof most === "number") return text("ends_with", { count: whole(most) });
  return text(rule ? "ends_early" : results ? "ends_sealed" : "ends_never");
}

/** @param {Forecast} forecast */
function epsilonWords(forecast) {
  const epsilon = Number(forecast.epsilon);
  const told = forecast.beliefs.find(({ prior }) => prior === TOLD_PRIOR);
  const strength = STRENGTHS.find(({ most }) => epsilon <= most)?.name ?? "hardly";
  return [
    make("p", { class: `strength ${strength}` }, text(`strength_${strength}`, { epsilon: decimal(epsilon) })),
    make("p", {}, text("belief", { prior: percent(TOLD_PRIOR), high: percentAtMost(told?.high ?? 1), low: percentAtLeast(told?.low ?? 0) })),
  ];
}

/**
 * The design in sentences; what empty answers cost has a button that makes the answers required.
 *
 * @param {Draft} draft
 * @param {Forecast} forecast
 * @param {Words["design"]} sentences
 */
function designItems(draft, { optional }, sentences) {
  return sentences.map(({ about, text: sentence }) => {
    const item = make("li", {}, sentence);
    if (about !== "optional") return item;
    const button = make("button", { type: "button", class: "small", id: "require-answers" }, text("require_answers"));
    button.addEventListener("click", () => {
      draft.restructure(({ questions }) => {
        for (const question of questions) if (optional.includes(String(question.id))) question.required = true;
      });
      element("design-title").focus();
    });
    item.append(" ", button);
    return item;
  });
}

/**
 * A row for each question or crosstab, and for each question that has a mistake, in order.
 *
 * @param {Draft} draft
 * @param {Forecast} forecast
 * @param {readonly number[]} incomplete
 */
function rows(draft, forecast, incomplete) {
  const found = [
    ...forecast.blocks.flatMap((block) => shownOf(block).map((estimate) => ({
      place: draft.indexOf(estimate.question ?? block.questions[0]),
      made: row(draft, forecast, block, estimate),
    }))),
    ...incomplete.map((place) => ({ place, made: waitingRow(draft, place) })),
  ];
  return found.sort((one, other) => one.place - other.place).map(({ made }) => made);
}

/** @param {Draft} draft @param {number} index */
function waitingRow(draft, index) {
  const name = make("th", { scope: "row" }, questionName(draft, index), make("span", { class: "what" }, text("forecast_waits")));
  const empty = () => make("td", {}, "\u2013");
  return make("tr", { class: "waiting" }, name, empty(), empty());
}

/** The first estimate of a block, or those of all questions that share it. @param {Block} block */
function shownOf({ estimates }) {
  return estimates[0]?.estimate === "marginal" ? estimates : estimates.slice(0, 1);
}

/** @param {Draft} draft @param {Forecast} forecast @param {Block} block @param {Estimate} estimate */
function row(draft, forecast, block, estimate) {
  const { question, estimate: kind } = estimate;
  const isShared = kind === "marginal" && question !== null;
  const name = isShared ? questionName(draft, draft.indexOf(question)) : blockName(draft, block);
  const needed = estimate.respondents_for_margin;
  // The margin shrinks with the root of the number of respondents.
  const part = Math.min(1, Math.sqrt(forecast.respondents / needed));
  const grade = GRADES.find(({ least }) => part >= least)?.name ?? "unknown";
  const made = make(
    "tr",
    { class: grade },
    make("th", { scope: "row" }, name, make("span", { class: "what" }, `${text(`grade_${grade}`)} · ${text(`estimate_${kind}`)}`)),
    make("td", {}, marginWords(estimate)),
    make("td", { class: "hint" }, text("needed", { count: whole(needed), margin: short(100 * forecast.wanted_margin) })),
  );
  made.style.setProperty("--part", String(part));
  return made;
}

/** @param {Estimate} estimate */
function marginWords(estimate) {
  if (estimate.unit === "share") return text("points", { margin: short(100 * estimate.margin) });
  const unit = estimate.unit === "levels" ? text("unit_levels") : estimate.unit;
  return `±${short(estimate.margin)} ${unit}`.trim();
}

/** @param {Draft} draft @param {Block} block */
function blockName(draft, block) {
  const between = block.estimates[0]?.estimate === "cell" ? " × " : " + ";
  return block.questions.map((id) => questionName(draft, draft.indexOf(id))).join(between);
}

/** @param {Draft} draft @param {number} index */
function questionName(draft, index) {
  return `${whole(index + 1)}. ${shownText(draft.at(["questions", index, "text"]))}`;
}

/** @param {string} kind @param {string} advice */
function adviceItem(kind, advice) {
  return make("li", {}, make("strong", {}, text(`warning_${kind}`)), make("p", {}, advice));
}

/**
 * The questions that something is about, as text; empty if there are none.
 *
 * @param {Draft} draft
 * @param {readonly string[]} ids
 */
function places(draft, ids) {
  const about = ids.map((id) => draft.indexOf(id) + 1);
  return about.length > 0 ? `${text("about_questions", { places: about.map(whole).join(", ") })} ` : "";
}

/**
 * @param {Draft} draft
 * @param {Forecast} forecast
 * @param {Warning} found
 */
function warning(draft, forecast, { warning: kind, blocks, numbers }) {
  const about = forecast.blocks.filter(({ block }) => blocks.includes(block)).flatMap(({ questions }) => questions);
  const fillings = Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, decimal(value ?? 1)]),
  );
  const item = adviceItem(kind, `${places(draft, about)}${text(`advice_${kind}`, fillings)}`);
  if (numbers.respondents) {
    const remedies = [...(numbers.options ? ["remedy_options"] : []), numbers.epsilon ? "remedy_epsilon" : "remedy_respondents"];
    item.append(make("p", {}, remedies.map((name) => text(name, fillings)).join(" ")));
  }
  return item;
}
