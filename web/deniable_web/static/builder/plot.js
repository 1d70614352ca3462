/** Respondents against margin for several epsilons: curves, and the same as a table. */
import { draw, element, make } from "./dom.js";
import { decimal, short, text, whole } from "./texts.js";

/** @import { Block, Forecast, Offer } from "./outlook.js" */
/** @typedef {{ epsilon: number, marginOf: (respondents: number) => number }} Curve */

const WIDTH = 420;
const HEIGHT = 280;
const EDGE = { left: 46, right: 48, top: 12, bottom: 40 };
const LARGEST_MARGIN = 0.5;
const STEPS = [100, 300, 1000, 3000, 10_000, 30_000, 100_000];
const FEWEST = 100;
const MOST = 100_000;

/**
 * @param {readonly Offer[]} offers
 * @param {Block} block
 * @param {Forecast} forecast
 */
export function drawTradeOff(offers, block, forecast) {
  const own = Number(forecast.epsilon);
  const curves = offers.map(({ epsilon, margins }) => {
    const margin = Math.max(...block.questions.map((question) => margins[question] ?? 1));
    return {
      epsilon,
      marginOf: (/** @type {number} */ respondents) => margin * Math.sqrt(forecast.respondents / respondents),
    };
  });
  element("plot").replaceChildren(chart(curves, own, forecast.respondents));
  element("plot-table").replaceChildren(...table(curves));
}

/**
 * @param {readonly Curve[]} curves
 * @param {number} own the draft's epsilon.
 * @param {number} respondents
 */
function chart(curves, own, respondents) {
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-labelledby": "plot-title" });
  for (const margin of [0, 0.1, 0.2, 0.3, 0.4, 0.5]) {
    const y = up(margin);
    svg.append(draw("line", { x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y, y2: y, class: "grid" }));
    svg.append(label(EDGE.left - 6, y + 4, `±${whole(100 * margin)}`, "end"));
  }
  for (const count of [100, 1000, 10_000, 100_000]) {
    svg.append(label(across(count), HEIGHT - EDGE.bottom + 18, whole(count), "middle"));
  }
  svg.append(label((EDGE.left + WIDTH - EDGE.right) / 2, HEIGHT - 4, text("plot_respondents"), "middle"));
  for (const curve of curves) svg.append(...curveParts(curve, curve.epsilon === own));
  const mine = curves.find(({ epsilon }) => epsilon === own);
  if (mine && respondents >= FEWEST && respondents <= MOST) {
    const margin = Math.min(LARGEST_MARGIN, mine.marginOf(respondents));
    svg.append(draw("circle", { cx: across(respondents), cy: up(margin), r: 5, class: "here" }));
  }
  return svg;
}

/** @param {Curve} curve @param {boolean} isOwn */
function curveParts(curve, isOwn) {
  const counts = Array.from({ length: 61 }, (_, step) => FEWEST * (MOST / FEWEST) ** (step / 60));
  const seen = counts.filter((count) => curve.marginOf(count) <= LARGEST_MARGIN);
  const points = seen.map((count) => `${across(count).toFixed(1)},${up(curve.marginOf(count)).toFixed(1)}`);
  const end = up(Math.min(LARGEST_MARGIN, curve.marginOf(MOST)));
  return [
    draw("polyline", { points: points.join(" "), class: isOwn ? "curve own" : "curve" }),
    // The ends of curves may be close together, so only the draft's own curve is named there.
    ...(isOwn ? [label(WIDTH - EDGE.right + 6, end + 4, `ε ${decimal(curve.epsilon)}`, "start", "own")] : []),
    ...(!isOwn && seen[0] ? [label(across(seen[0]) + 4, up(curve.marginOf(seen[0])) + 4, decimal(curve.epsilon), "start")] : []),
  ];
}

/** @param {number} respondents on a scale of powers of ten. */
function across(respondents) {
  const part = Math.log(respondents / FEWEST) / Math.log(MOST / FEWEST);
  return EDGE.left + part * (WIDTH - EDGE.left - EDGE.right);
}

/** @param {number} margin */
function up(margin) {
  return HEIGHT - EDGE.bottom - (margin / LARGEST_MARGIN) * (HEIGHT - EDGE.top - EDGE.bottom);
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {"start" | "middle" | "end"} anchor
 * @param {string} [className]
 */
function label(x, y, words, anchor, className = "") {
  const made = draw("text", { x, y, "text-anchor": anchor, class: className, direction: "ltr" });
  made.textContent = words;
  return made;
}

/** @param {readonly Curve[]} curves */
function table(curves) {
  const steps = STEPS.map((count) => make("th", { scope: "col", class: "number-cell" }, whole(count)));
  const head = make("tr", {}, make("th", { scope: "col" }, text("plot_epsilon")), ...steps);
  const rows = curves.map(({ epsilon, marginOf }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, decimal(epsilon)),
      ...STEPS.map((count) => make("td", { class: "number-cell" }, `±${short(100 * marginOf(count))}`)),
    ),
  );
  return [make("thead", {}, head), make("tbody", {}, ...rows)];
}
