/**
 * Where the site of this page begins: a proxy may serve it below a path.
 *
 * Relative to the base address, because the location of a preview is about:srcdoc.
 */
const ROOT = new URL(document.documentElement.dataset.root ?? "", document.baseURI);

/** The address of the site, without a slash at its end. */
export const SITE = ROOT.href.slice(0, -1);

/** The address of a path of the site. @param {string} path without a slash in front. */
export function at(path) {
  return `${ROOT.href}${path}`;
}
