/* What Material for MkDocs leaves out for people who use a keyboard or a screen reader. */
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");

/** Lets the keyboard scroll tables that are wider than the page. */
function reach() {
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap")) table.tabIndex = 0;
}

new MutationObserver(reach).observe(document.body, { childList: true, subtree: true });
reach();
