/** The page's words for the window and the invitation: their fields, and what is wrong there. */
import { groupIds } from "./groups.js";
import { EXAMPLE } from "./moments.js";
import { text } from "./texts.js";

/** @import { Definition, Path } from "./paths.js" */

const WINDOW = ["opens", "closes", "at_most_reports", "stop_when"];
const MOMENTS = ["opens", "closes", "collect_until"];
const OF_A_GROUP = ["text", "invited"];

/**
 * The names of the field at a path, from outside to inside; empty if it is elsewhere.
 *
 * @param {Path} path
 * @param {Definition} document
 */
export function fieldworkNames([key, name, group, part], document) {
  if (key === "stop_when" && (name === "margin" || name === "questions")) return [text(`stop_${name}`)];
  if (WINDOW.includes(String(key))) return [text(String(key))];
  if (key !== "invited") return [];
  if (name !== "groups") return [text(String(name ?? key))];
  const place = groupIds(document).indexOf(String(group)) + 1;
  // A group that was renamed since the check is no longer found.
  const names = [place > 0 ? text("group", { place }) : text("groups")];
  return OF_A_GROUP.includes(String(part)) ? [...names, text(`group_${part}`)] : names;
}

/**
 * What is allowed at a path; empty if the page has no words for the problem there.
 *
 * @param {Path} path
 * @param {string} message the server's, in English.
 */
export function fieldworkRule(path, message) {
  const [key, name, group, part] = path;
  if (![...WINDOW, "invited"].includes(String(key))) return "";
  if (message.startsWith("is not after ")) return text("closes_rule");
  if (message.startsWith("is not before ")) return text("collect_until_rule");
  if (MOMENTS.includes(String(path.at(-1)))) return text("moment_rule", { example: EXAMPLE });
  if (key === "at_most_reports") return text("at_most_reports_rule");
  if (key === "stop_when") return text(name === "margin" ? "stop_margin_rule" : "stop_questions_rule");
  if (name === "issuer") return text("issuer_rule");
  if (name !== "groups") return "";
  if (group === undefined && message.startsWith("fewer than ")) return text("small_groups_rule");
  if (group === undefined) return message.includes("allowed are 1 to ") ? text("groups_rule") : "";
  if (part === undefined && message.startsWith("got the group ")) return text("question_id_hint");
  return part === "invited" ? text("group_invited_rule") : "";
}
