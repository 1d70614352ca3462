/** The store of the mobile example keeps what every store promises. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { preferencesStore } from "../../examples/mobile/src/preferences_store.js";
import { PROMISES, record } from "../client_sdk/javascript/client/store_contract.js";

/** Preferences as a phone has them, with another app's key among them. */
function phone() {
  /** @type {Map<string, string>} */
  const items = new Map([["agreed", "yes"]]);
  return {
    items,
    preferences: {
      get: async (/** @type {{ key: string }} */ { key }) => ({ value: items.get(key) ?? null }),
      set: async (/** @type {{ key: string, value: string }} */ { key, value }) => {
        items.set(key, value);
      },
      remove: async (/** @type {{ key: string }} */ { key }) => {
        items.delete(key);
      },
      keys: async () => ({ keys: [...items.keys()] }),
    },
  };
}

for (const [promise, holds] of Object.entries(PROMISES)) {
  test(`in preferences: ${promise}`, () => holds(preferencesStore(phone().preferences)));
}

test("forgetting leaves the app's other preferences alone", async () => {
  const { items, preferences } = phone();
  const store = preferencesStore(preferences);
  await store.add(record("a", 1));
  assert.equal(items.size, 2);
  await store.clear();
  assert.deepEqual([...items.keys()], ["agreed"]);
});

test("a phone that cannot keep one thing goes on with the next", async () => {
  const { preferences } = phone();
  const { set } = preferences;
  preferences.set = async () => Promise.reject(new Error("no room"));
  const store = preferencesStore(preferences);
  await assert.rejects(store.add(record("a", 1)), /no room/);
  preferences.set = set;
  assert.equal(await store.add(record("a", 1)), true);
});
