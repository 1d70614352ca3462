/** Sharing a published survey: link, QR code and snippets; and closing it. */
import { send, tried } from "../manage/access.js";
import { keepFile } from "../manage/saving.js";
import { whenSignedIn } from "../manage/sign_in.js";
import { SITE } from "../root.js";
import { offerCopies } from "./copying.js";
import { all, element, tell } from "./dom.js";
import { isLocal } from "./names.js";
import { offerReaderLinks } from "./reader_link.js";
import { moment, text } from "./texts.js";

const page = document.getElementById("share");
const slug = page?.dataset.slug ?? "";

/** @param {"svg" | "png"} kind */
async function code(kind) {
  const body = JSON.stringify({ site: SITE });
  const path = `manage/surveys/${slug}/code/${kind}`;
  return (await send(path, { method: "POST", body, type: "application/json" })).blob();
}

async function showCode() {
  const drawn = new DOMParser().parseFromString(await (await code("svg")).text(), "image/svg+xml");
  const svg = document.importNode(drawn.documentElement, true);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", text("code_label"));
  element("code").replaceChildren(svg);
}

async function close() {
  await tried(async () => {
    await (await send(`api/surveys/${slug}/close`, { method: "POST" })).text();
    location.reload();
  }, (refusal) => tell("close-problem", refusal));
}

function begin() {
  if (!page) return;
  // This server's address, as the browser knows it.
  for (const part of all("[data-template]")) {
    part.textContent = (part.dataset.template ?? "").replaceAll("SITE", SITE);
  }
  for (const part of all("time[data-moment]")) part.textContent = moment(part.getAttribute("datetime") ?? "");
  for (const link of all("a[data-template]")) link.setAttribute("href", link.textContent ?? "");
  const warning = document.getElementById("code-local");
  if (warning) warning.hidden = !isLocal(location.hostname);
  offerCopies();
  offerReaderLinks(slug);
  for (const kind of /** @type {const} */ (["svg", "png"])) {
    document.getElementById(`code-${kind}`)?.addEventListener("click", async () => {
      keepFile(await code(kind), `${slug}.${kind}`);
    });
  }
  const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("close-dialog"));
  document.getElementById("close")?.addEventListener("click", () => dialog?.showModal());
  document.getElementById("close-cancel")?.addEventListener("click", () => dialog?.close());
  document.getElementById("close-confirm")?.addEventListener("click", close);
  if (document.getElementById("code")) showCode();
}

await whenSignedIn(begin);
