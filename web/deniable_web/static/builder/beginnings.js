/** Starts a draft from a published survey, as its next edition or as a copy. */
import { getJson, tried } from "../manage/access.js";
import { announce, tell } from "./dom.js";
import { text } from "./texts.js";

/** @import { Draft } from "./draft.js" */
/** @import { Keeper } from "./keeping.js" */
/** @import { Definition } from "./paths.js" */

/**
 * Starts from the survey in the page's address, if there is one.
 *
 * Its name is then removed from the address, so that a reload keeps later changes.
 *
 * @param {Draft} draft
 * @param {Keeper} keeper
 */
export async function beginWithPublished(draft, keeper) {
  const wanted = new URLSearchParams(location.search);
  const edition = wanted.get("edition");
  const slug = edition ?? wanted.get("copy");
  if (!slug) return;
  wanted.delete("edition");
  wanted.delete("copy");
  const query = wanted.toString();
  history.replaceState(null, "", `${location.pathname}${query && `?${query}`}`);
  await tried(async () => {
    const { definition: published } = await getJson(`manage/surveys/${encodeURIComponent(slug)}/definition`);
    const definition = toBeFielded(published);
    keeper.leave();
    const facts = definition.questions.flatMap((/** @type {Definition} */ { fixed, id }) => (fixed ? id : []));
    draft.replace(edition ? definition : { ...definition, slug: "" }, edition ? facts : []);
    say(text(edition ? "began_edition" : "began_copy", { slug }));
  }, say);
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

/** Says what the draft is now, above its fields. @param {string} words */
export function say(words) {
  tell("begun", words);
  announce(words);
}
