/** The form in which an owner chooses a role and surveys for somebody. */
import { all, element, make, tell, tick } from "../builder/dom.js";
import { text } from "../builder/texts.js";
import { personName } from "./names.js";
import { attempted } from "./owners.js";

/** @typedef {{ name: string, role: string, surveys: string[] | null }} Rights */

const SLUG = /^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/;
const PROBLEM = "rights-problem";

const dialog = element("rights-dialog", HTMLDialogElement);
const nameField = element("name", HTMLInputElement);
const role = element("role", HTMLSelectElement);
const scope = element("scope", HTMLSelectElement);
const more = element("more", HTMLInputElement);
const confirm = element("rights-confirm", HTMLButtonElement);

/** @type {(rights: Rights) => Promise<unknown>} */
let keep = async () => {};
let afterwards = async () => {};

/**
 * Opens the form.
 *
 * @param {Rights | null} person null for somebody new.
 * @param {readonly string[]} known the names of published surveys.
 * @param {(rights: Rights) => Promise<unknown>} save
 * @param {() => Promise<void>} then called after the form was closed, if the rights were saved.
 */
export function askForRights(person, known, save, then) {
  [keep, afterwards] = [save, then];
  element("rights-title").textContent = person ? text("change_title", { name: person.name }) : text("add_title");
  confirm.textContent = text(person ? "change_confirm" : "add_confirm");
  element("name-field").hidden = person !== null;
  nameField.value = person?.name ?? "";
  role.value = person?.role ?? "analyst";
  scope.value = person?.surveys ? "some" : "all";
  const chosen = person?.surveys ?? [];
  element("known").replaceChildren(...known.map((slug) => tick(make("input", {
    type: "checkbox", id: `survey-tick-${slug}`, value: slug, checked: chosen.includes(slug),
  }), slug)));
  more.value = chosen.filter((slug) => !known.includes(slug)).join(" ");
  tell(PROBLEM, "");
  showSurveys();
  dialog.showModal();
}

function showSurveys() {
  element("some").hidden = scope.value === "all";
}

/** @returns {Rights} */
function written() {
  const boxes = /** @type {HTMLInputElement[]} */ (all("input:checked", element("known")));
  const named = more.value.split(/[\s,]+/).filter((slug) => slug !== "");
  const surveys = [...new Set([...boxes.map((box) => box.value), ...named])];
  return { name: nameField.value.trim(), role: role.value, surveys: scope.value === "all" ? null : surveys };
}

/**
 * What has to be changed first, and the field for it; null if nothing.
 *
 * @param {Rights} rights
 * @returns {[string, HTMLElement] | null}
 */
function mistake({ name, surveys }) {
  if (personName(name) === null) return [text("name_wrong", { name }), nameField];
  if (surveys?.length === 0) return [text("surveys_none"), scope];
  const wrong = surveys?.find((slug) => !SLUG.test(slug));
  return wrong === undefined ? null : [text("survey_rule", { slug: wrong }), more];
}

async function submit() {
  const rights = written();
  const found = mistake(rights);
  for (const field of [nameField, scope, more]) field.removeAttribute("aria-invalid");
  const place = found ? found[1].closest(".field")?.lastElementChild : confirm.parentElement?.previousElementSibling;
  if (place !== element(PROBLEM)) place?.after(element(PROBLEM));
  if (found) {
    tell(PROBLEM, found[0]);
    found[1].setAttribute("aria-invalid", "true");
    found[1].focus();
    return;
  }
  const then = afterwards;
  if (!(await attempted(() => keep(rights), PROBLEM, confirm))) return;
  dialog.close();
  await then();
}

scope.addEventListener("change", showSurveys);
// A token that was made is shown once, so the form stays until the server has answered.
dialog.addEventListener("cancel", (event) => {
  if (confirm.disabled) event.preventDefault();
});
element("rights").addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
