/** The fields of a score: its items, the points of its answers and its bands, as lines. */
import { announce, make } from "./dom.js";
import { labelled, numberField, selectInput, worded } from "./fields.js";
import { fieldId } from "./paths.js";
import { feedbackFields } from "./score_feedback.js";
import { ITEM_LINES, LEVEL_LINES, NUMBER_LINES } from "./score_lines.js";
import { text } from "./texts.js";

/** @import { Draft } from "./draft.js" */
/** @import { Path } from "./paths.js" */
/** @import { Lines } from "./score_lines.js" */

const COMBINATIONS = ["sum", "mean", "largest", "count", "any", "all"];

/** @param {Draft} draft @param {Path} path */
export function scoreFields(draft, path) {
  const combine = [...path, "combine"];
  const chosen = draft.at(combine) ?? "sum";
  // The items of a quotient are separate questions; only imports and files contain such scores.
  const offered = chosen === "quotient" ? [...COMBINATIONS, chosen] : COMBINATIONS;
  const options = offered.map((value) => ({ value, label: text(`combine_${value}`) }));
  const select = selectInput(fieldId(combine), options, chosen, (value) => draft.set(combine, value));
  const feedback = feedbackFields(draft, path);
  return [
    linesField(draft, [...path, "items"], "score_items", ITEM_LINES, { rows: 6 }),
    linesField(draft, [...path, "levels"], "score_levels", LEVEL_LINES, {
      rows: 4,
      placeholder: [0, 1, 2, 3].map((points) => `${text(`score_level_${points}`)} = ${points}`).join("\n"),
    }),
    linesField(draft, [...path, "cutoffs"], "score_cutoffs", NUMBER_LINES, {
      rows: 3,
      placeholder: `${text("score_low")} = 0\n${text("score_high")} = 3`,
    }, feedback.follow),
    make(
      "div",
      { class: "side-by-side" },
      labelled(text("combine"), select),
      numberField(draft, worded([...path, "at_least"])),
    ),
    feedback.fields,
  ];
}

/**
 * @param {Draft} draft
 * @param {Path} path
 * @param {string} name the name of its label and hint among the texts.
 * @param {Lines} lines
 * @param {import("./dom.js").Attributes} attributes
 * @param {() => void} [changed]
 */
function linesField(draft, path, name, lines, attributes, changed) {
  const written = lines.write(draft.at(path));
  if (written === null) {
    return make("p", { class: "hint", id: fieldId(path), tabindex: "-1" }, `${text(name)}: ${text("score_in_file")}`);
  }
  const area = make("textarea", { dir: "auto", id: fieldId(path), autocomplete: "off", ...attributes });
  area.value = written.join("\n");
  /** @type {string[] | null} the lines before the last paste. */
  let before = null;
  area.addEventListener("paste", () => {
    before = linesOf(area);
  });
  area.addEventListener("input", () => {
    const typed = linesOf(area);
    const given = (before && lines.pasted?.(before, typed)) ?? typed;
    before = null;
    if (given.join() !== typed.join()) {
      area.value = given.join("\n");
      announce(text("reversals_kept"));
    }
    draft.set(path, given.length > 0 ? lines.read(given) : undefined);
    changed?.();
  });
  return labelled(text(name), area, text(`${name}_hint`));
}

/** @param {HTMLTextAreaElement} area */
function linesOf(area) {
  return area.value.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
}
