/** What is undone and redone, alone and beside others. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { History } from "../../../web/deniable_web/static/builder/history.js";

const draft = (/** @type {string} */ title, /** @type {string} */ text = "Were you?") =>
  ({ definition: { title, questions: [{ id: "one", text }] }, facts: [] });

test("writing at one place is one change, and another place begins a new one", () => {
  const history = new History(draft(""));
  for (const title of ["S", "St", "Str"]) history.note(draft(title), "title");
  history.note(draft("Str", "Are you?"), "questions/0/text");
  assert.deepEqual(history.step("back")?.merged, draft("Str"));
  assert.deepEqual(history.step("back")?.merged, draft(""));
  assert.equal(history.step("back"), undefined);
  assert.deepEqual(history.step("again")?.merged, draft("Str"));
  history.note(draft("Stress"), "title");
  assert.equal(history.hasFuture, false);
  assert.deepEqual(history.step("back")?.merged, draft("Str"));
});

test("a change that changed nothing is none", () => {
  const history = new History(draft("Stress"));
  history.note(draft("Stress"), "");
  assert.equal(history.hasPast, false);
});

test("what others changed stays, unless it is the same place", () => {
  const history = new History(draft("Stress"));
  history.note(draft("Mine"), "title");
  history.take(draft("Mine", "Theirs?"));
  assert.deepEqual(history.step("back"), { merged: draft("Stress", "Theirs?"), conflicts: [] });
  assert.deepEqual(history.step("again")?.merged, draft("Mine", "Theirs?"));
  history.take(draft("Theirs"));
  const found = history.step("back");
  assert.deepEqual(found?.merged, draft("Theirs"));
  assert.equal(found?.conflicts.length, 1);
});
