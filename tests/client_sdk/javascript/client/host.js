/**
 * An app that answers surveys and may be killed at any time.
 *
 * node host.js COLLECTOR FOLDER SLUG...: answers each survey that this device
 * has not answered, sends what waits, and ends when nothing does. Time passes
 * twenty times as fast, so that waiting takes little of it.
 */

import { parseArgs } from "node:util";

import { openClient } from "../../../../client_sdk/javascript/src/client.js";
import { fileStore } from "../../../../examples/relay/file_store.js";

const HASTE = 50;

const { positionals } = parseArgs({ allowPositionals: true });
const [collector = "", folder = "", ...slugs] = positionals;

const client = await openClient({
  collector,
  consent: true,
  yearlyCap: null,
  storage: await fileStore(folder),
  clock: {
    now: () => Date.now() * HASTE,
    after(wait, work) {
      const timer = setTimeout(work, wait / HASTE);
      return () => clearTimeout(timer);
    },
  },
  log: (event) => console.log(JSON.stringify(event)),
});
const known = new Set((await client.reports()).map(({ slug }) => slug));
for (const slug of slugs.filter((name) => !known.has(name))) {
  const survey = await client.getSurvey(slug);
  const { blocks } = await client.draw(survey);
  await client.submit(survey, { canary: "zebrafinch" }, blocks, { again: "first" });
}
for (;;) {
  const { waiting } = await client.flush();
  if (waiting === 0) break;
  await new Promise((resolve) => setTimeout(resolve, 20));
}
await client.shutDown();
