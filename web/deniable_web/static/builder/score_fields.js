/** The fields of a score: its items, the points of its answers and its bands, as lines. */
import { announce, button, focusOn, make } from "./dom.js";
import { ADDRESS, byLanguage, labelled, more, numberField, plainField, selectInput, spoken, textField, worded } from "./fields.js";
import { fieldId, putAt } from "./paths.js";
import { PARTS, followBands, pastedItems, rowsInLanguage, rowsOfLines, writtenRows } from "./score_lines.js";
import { signButton, tellDeleted } from "./signs.js";
import { languageName, text } from "./texts.js";
import { languagesOf } from "./translations.js";
import { optionIds } from "./types.js";

/** @import { Draft } from "./draft.js" */
/** @import { Path } from "./paths.js" */
/** @import { Row } from "./score_lines.js" */

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
    linesField(draft, path, "items", 6),
    linesField(draft, path, "levels", 4, [0, 1, 2, 3].map((points) => `${text(`score_level_${points}`)} = ${points}`)),
    linesField(draft, path, "cutoffs", 3, [`${text("score_low")} = 0`, `${text("score_high")} = 3`], feedback.follow),
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
 * The lines of a part of a score; in several languages they are side by side.
 *
 * @param {Draft} draft
 * @param {Path} path of the score.
 * @param {keyof typeof PARTS} key
 * @param {number} height in lines.
 * @param {readonly string[]} [example]
 * @param {() => void} [changed]
 */
function linesField(draft, path, key, height, example = [], changed) {
  const part = PARTS[key];
  const [label, hint] = [text(`score_${key}`), text(`score_${key}_hint`)];
  const place = [...path, key];
  const codes = languagesOf(draft.document);
  const read = part.read(draft.at(path), codes);
  if (read === null) {
    return make("p", { class: "hint", id: fieldId(place), tabindex: "-1" }, `${label}: ${text("score_in_file")}`);
  }
  let rows = read;
  const areas = (codes.length > 0 ? codes : [""]).map((code, language) => linesArea({
    id: fieldId(code ? [...place, code] : place),
    height,
    example: language === 0 ? example : [],
    isItems: key === "items" && language === 0,
    changed(lines) {
      rows = language === 0 ? rowsOfLines(part, rows, lines, codes.length) : rowsInLanguage(rows, lines, language);
      const written = writtenRows(rows);
      const keys = { ...part.write(written, codes), ...(written.length === 0 ? { [key]: undefined } : {}) };
      for (const [name, value] of Object.entries(keys)) draft.set([...path, name], value);
      fill(language);
      changed?.();
    },
  }));
  /** @param {number} [edited] the language whose lines stay as they are. */
  const fill = (edited) => areas.forEach((area, language) => {
    if (language !== edited) area.value = rows.map((row) => lineOf(part, row, language)).join("\n");
  });
  fill();
  const [only] = areas;
  if (codes.length === 0 && only) return labelled(label, only, hint);
  const fields = areas.map((area, place) => labelled(languageName(codes[place] ?? ""), spoken(area, codes[place] ?? "")));
  const first = languageName(codes[0] ?? "");
  return byLanguage({ path: place, label, hint: `${hint} ${text("score_translated", { language: first })}` }, fields);
}

/** @param {import("./score_lines.js").Part} part @param {Row} row @param {number} language */
function lineOf(part, row, language) {
  return language === 0 ? part.line(row) : row.words[language];
}

/**
 * @param {{ id: string, height: number, example: readonly string[], isItems: boolean, changed: (lines: string[]) => void }} described
 */
function linesArea({ id, height, example, isItems, changed }) {
  const area = make("textarea", {
    dir: "auto", id, autocomplete: "off", rows: height, placeholder: example.length > 0 ? example.join("\n") : undefined,
  });
  /** @type {string[] | null} the lines before the last paste. */
  let before = null;
  area.addEventListener("paste", () => {
    before = linesOf(area);
  });
  area.addEventListener("input", () => {
    const isMarked = before !== null && afterPaste(area, before, isItems);
    before = null;
    changed(linesOf(area));
    if (isMarked) announce(text("reversals_kept"));
  });
  return area;
}

/**
 * Removes blank lines from a list that was pasted over another one; true if its marks were kept.
 *
 * @param {HTMLTextAreaElement} area
 * @param {readonly string[]} before
 * @param {boolean} isItems
 */
function afterPaste(area, before, isItems) {
  const typed = linesOf(area).filter(Boolean);
  const kept = isItems ? pastedItems(before.filter(Boolean), typed) : typed;
  if (!before.some(Boolean) || typed.length === before.length) area.value = kept.join("\n");
  return kept.join() !== typed.join();
}

/** @param {HTMLTextAreaElement} area */
function linesOf(area) {
  return area.value.split(/\r?\n/).map((line) => line.trim());
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
  const addId = `${fieldId(path)}-add`;
  const add = button(text("link_add"), () => {
    const count = links().length;
    draft.set(path, [...links(), { text: "", url: "" }]);
    show();
    list.children[count]?.querySelector("input")?.focus();
  }, { class: "small", id: addId });
  const remove = (/** @type {number} */ index) => {
    const left = links().filter((/** @type {unknown} */ _, /** @type {number} */ other) => other !== index);
    draft.restructure((document) => putAt(document, path, left.length > 0 ? left : undefined));
    focusOn(addId);
    tellDeleted(text("link", { name: index + 1 }));
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

