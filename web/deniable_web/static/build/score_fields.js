/** The fields of a score: its items, the points of its answers and its bands, as lines. */
import { announce, button, make } from "./dom.js";
import { ADDRESS, labelled, more, numberField, plainField, selectInput, textField, worded } from "./fields.js";
import { fieldId } from "./paths.js";
import { ITEM_LINES, LEVEL_LINES, NUMBER_LINES, followBands } from "./score_lines.js";
import { signButton } from "./signs.js";
import { text } from "./texts.js";
import { optionIds } from "./types.js";

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

/**
 * The fields, and a function to call after the bands have changed.
 *
 * @param {Draft} draft
 * @param {Path} path the path of the score.
 * @returns {{ fields: HTMLElement, follow: () => void }}
 */
function feedbackFields(draft, path) {
  const place = [...path, "feedback"];
  const texts = make("div", { class: "stack" });
  const bands = () => optionIds(draft.at(path));
  let shown = bands();
  /** @type {{ [band: string]: unknown }} the texts of removed bands, which may come back. */
  let written = {};
  const field = (/** @type {string} */ band) => ({
    path: [...place, "texts", band], label: text("feedback_band", { band }), rows: 2, isOptional: true,
  });
  const show = () => texts.replaceChildren(...shown.map((band) => textField(draft, field(band))));
  const follow = () => {
    const now = bands();
    const present = Object.fromEntries(shown.map((band) => [band, draft.at([...place, "texts", band])]));
    written = followBands({ ...written, ...present }, shown, now);
    shown = now;
    for (const [band, value] of Object.entries(written)) {
      draft.set([...place, "texts", band], shown.includes(band) ? value : undefined);
    }
    show();
  };
  show();
  const hint = make("p", { class: "hint" }, text("feedback_hint"));
  const fields = more(text("feedback"), [hint, texts, linkList(draft, place)]);
  fields.id = fieldId(place);
  return { fields, follow };
}

/** @param {Draft} draft @param {Path} place */
function linkList(draft, place) {
  const path = [...place, "links"];
  const list = make("div", { class: "stack", id: fieldId(path), tabindex: "-1" });
  const links = () => draft.at(path) ?? [];
  const add = button(text("link_add"), () => {
    const count = links().length;
    draft.set(path, [...links(), { text: "", url: "" }]);
    show();
    list.children[count]?.querySelector("input")?.focus();
  }, { class: "small" });
  const remove = (/** @type {number} */ index) => {
    const left = links().filter((/** @type {unknown} */ _, /** @type {number} */ other) => other !== index);
    draft.set(path, left.length > 0 ? left : undefined);
    show();
    add.focus();
  };
  const fields = (/** @type {unknown} */ _, /** @type {number} */ index) => make(
    "div",
    { class: "side-by-side link", role: "group", "aria-label": text("link", { name: index + 1 }) },
    textField(draft, { path: [...path, index, "text"], label: text("link_text") }),
    plainField(draft, { path: [...path, index, "url"], label: text("link_url"), attributes: ADDRESS }),
    signButton("delete", text("link_delete", { name: index + 1 }), () => remove(index)),
  );
  const show = () => list.replaceChildren(...links().map(fields));
  show();
  return make("fieldset", {}, make("legend", {}, text("links")), list, add);
}

