/** Makes names that a definition allows from texts. */

// Two of these, joined, are short enough to be the name of a crosstab.
const LONGEST_ID = 28;
const LONGEST_SLUG = 64;
const LOCAL = /^(localhost$|127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|\[(::1\]|f[cd]|fe80))|\.(local|localhost|internal)$/;

/** @param {string} words */
function plain(words) {
  return words
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replaceAll("ß", "ss");
}

/**
 * A survey's slug, made from its title; a neutral one if the title has no Latin letter.
 *
 * @param {string} title
 */
export function suggestSlug(title) {
  const words = plain(title).replace(/[^a-z0-9]+/g, "-");
  return words.replace(/^-+/, "").slice(0, LONGEST_SLUG).replace(/-+$/, "") || "survey";
}

/**
 * A question's name in results: its first words, and a number if the name is already used.
 *
 * @param {string} words
 * @param {readonly string[]} taken
 */
export function suggestId(words, taken) {
  const name = plain(words).replace(/[^a-z0-9]+/g, "_").replace(/^[^a-z]+/, "");
  const short = name.slice(0, LONGEST_ID).replace(/_[^_]*$/, (end) => (name.length > LONGEST_ID ? "" : end));
  return free(short.replace(/_+$/, "") || "question", taken);
}

/** @param {string} name @param {readonly string[]} taken */
export function free(name, taken) {
  if (!taken.includes(name)) return name;
  let count = 2;
  while (taken.includes(`${name}_${count}`)) count += 1;
  return `${name}_${count}`;
}

/**
 * Whether a host's name or address is valid only on this machine or in its network.
 *
 * @param {string} hostname as a browser writes it.
 */
export function isLocal(hostname) {
  return LOCAL.test(hostname);
}
