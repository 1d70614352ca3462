/** Tabs, of which one shows its panel: by click, and with the arrow keys. */
import { all, element } from "./dom.js";

/** Lets every list of tabs on the page choose between its panels. */
export function listenToTabs() {
  for (const list of all("[role=tablist]")) {
    const tabs = all("[role=tab]", list);
    list.addEventListener("click", ({ target }) => {
      if (target instanceof HTMLElement && tabs.includes(target)) choose(tabs, target);
    });
    list.addEventListener("keydown", ({ key }) => {
      const forward = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
      if (key !== "ArrowLeft" && key !== "ArrowRight") return;
      const now = tabs.findIndex((tab) => tab.ariaSelected === "true");
      const next = tabs.at((now + (key === forward ? 1 : -1)) % tabs.length);
      next?.click();
      next?.focus();
    });
  }
}

/** @param {readonly HTMLElement[]} tabs @param {HTMLElement} chosen */
function choose(tabs, chosen) {
  for (const tab of tabs) {
    tab.ariaSelected = String(tab === chosen);
    tab.tabIndex = tab === chosen ? 0 : -1;
    element(tab.getAttribute("aria-controls") ?? "").hidden = tab !== chosen;
  }
}
