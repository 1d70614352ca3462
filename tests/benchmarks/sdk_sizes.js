/** The sizes of what apps ship, as JSON for the benchmark that prints them. */

import { BUNDLES, bundle } from "../client_sdk/javascript/bundles.js";

const sizes = BUNDLES.map(({ name, entries, limitBytes }) => {
  const { bytes, compressedBytes, modules } = bundle(entries);
  return { name, bytes, compressedBytes, limitBytes, modules: modules.length };
});
console.log(JSON.stringify(sizes));
