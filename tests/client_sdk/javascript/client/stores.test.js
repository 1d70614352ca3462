/** The stores that come with the SDK, and one that an app may write, keep the contract. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { memoryStore } from "../../../../client_sdk/javascript/src/client/storage/memory.js";
import { fileStore } from "../../../../examples/relay/file_store.js";
import { PROMISES, record } from "./store_contract.js";

/** @import { TestContext } from "node:test" */

/** @param {TestContext} context */
async function newFolder(context) {
  const folder = await mkdtemp(join(tmpdir(), "deniable-"));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

for (const [promise, holds] of Object.entries(PROMISES)) {
  test(`in memory: ${promise}`, () => holds(memoryStore()));
  test(`in a folder: ${promise}`, async (context) => {
    await holds(await fileStore(await newFolder(context)));
  });
}

test("a folder outlives its process, and memory says that it does not", async (context) => {
  const folder = await newFolder(context);
  const store = await fileStore(folder);
  await store.add(record("a", 1));
  await store.close();
  assert.deepEqual(await (await fileStore(folder)).all(), [record("a", 1)]);
  assert.deepEqual([store.isDurable, memoryStore().isDurable], [true, false]);
});
