/** Starts a draft from a published survey, as its next edition or as a copy. */
import { Refusal, send } from "../manage/access.js";
import { announce, element } from "./dom.js";
import { text } from "./texts.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./paths.js").Definition} Definition */

/**
 * Starts from the survey in the page's address, if there is one.
 *
 * Its name is then removed from the address, so that a reload keeps later changes.
 *
 * @param {Draft} draft
 */
export async function beginWithPublished(draft) {
  const wanted = new URLSearchParams(location.search);
  const edition = wanted.get("edition");
  const slug = edition ?? wanted.get("copy");
  if (!slug) return;
  wanted.delete("edition");
  wanted.delete("copy");
  const query = wanted.toString();
  history.replaceState(null, "", `${location.pathname}${query && `?${query}`}`);
  try {
    const response = await send(`/manage/surveys/${encodeURIComponent(slug)}/definition`);
    const { definition: published } = await response.json();
    const definition = toBeFielded(published);
    draft.replace(edition ? definition : { ...definition, slug: "" }, edition ? facts(definition) : []);
    say(text(edition ? "began_edition" : "began_copy", { slug }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(error.message);
  }
}

/**
 * The definition without what belongs to one edition: its dates, and the keys of its groups,
 * which sign tokens for no other survey.
 *
 * @param {Definition} definition
 */
function toBeFielded({ opens, closes, invited, ...others }) {
  if (!invited) return others;
  const { collect_until, groups, ...kept } = invited;
  const unsigned = Object.entries(groups).map(([id, { modulus, ...group }]) => [id, group]);
  return { ...others, invited: { ...kept, groups: Object.fromEntries(unsigned) } };
}

/** @param {Definition} definition */
function facts(definition) {
  return definition.questions
    .filter((/** @type {Definition} */ question) => question.fixed)
    .map((/** @type {Definition} */ question) => question.id);
}

/** @param {string} words */
function say(words) {
  element("begun").textContent = words;
  element("begun").hidden = false;
  announce(words);
}
