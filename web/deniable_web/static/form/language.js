/** The languages of a page: it contains all of them, and only the device knows the choice. */
import { all, element, text } from "./page.js";

const templates = /** @type {HTMLTemplateElement[]} */ (all("template[data-language]"));
const parts = /** @type {HTMLTemplateElement[]} */ (all("template[data-part]"));
const picker = /** @type {HTMLSelectElement | null} */ (document.getElementById("language"));

/** The first language of the device that the page has, exactly or by its main part. */
export function preferredLanguage() {
  const codes = templates.map((template) => template.dataset.language ?? "");
  for (const tag of navigator.languages) {
    const exact = codes.find((code) => code.toLowerCase() === tag.toLowerCase());
    const found = exact ?? codes.find((code) => mainPart(code) === mainPart(tag));
    if (found !== undefined) return found;
  }
  return codes[0] ?? "";
}

/**
 * Show the main part of the page in a language, with empty fields, as the server rendered it.
 *
 * @param {string} code
 */
export function showLanguage(code) {
  const template = templates.find(({ dataset }) => dataset.language === code);
  if (template === undefined) return;
  const root = document.documentElement;
  root.lang = code;
  root.dir = template.dataset.direction ?? "ltr";
  document.title = template.dataset.title ?? "";
  const main = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  for (const place of all("[data-part]", main)) {
    const part = parts.find(({ dataset }) => dataset.part === place.dataset.part);
    const own = part?.content.querySelector(`[data-language="${code}"]`);
    place.replaceWith(...(own?.cloneNode(true).childNodes ?? []));
  }
  element("main").replaceChildren(main);
  picker?.setAttribute("aria-label", text("language"));
}

/** Let people choose another language. @param {(code: string) => void} choose */
export function offerLanguages(choose) {
  if (picker === null) return;
  for (const option of picker.options) {
    const names = new Intl.DisplayNames([option.value], { type: "language" });
    if (option.text === option.value) option.text = names.of(option.value) ?? option.value;
  }
  picker.value = document.documentElement.lang;
  picker.addEventListener("change", () => choose(picker.value));
  element("picker").hidden = false;
}

/** @param {string} tag */
function mainPart(tag) {
  return tag.toLowerCase().split("-")[0];
}
