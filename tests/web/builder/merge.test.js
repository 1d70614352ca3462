/** The changes of two authors, merged. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { merge, settle } from "../../../web/deniable_web/static/builder/merge.js";

/** @import { Definition } from "../../../web/deniable_web/static/builder/paths.js" */

/** @returns {Definition} */
function sample() {
  return {
    definition: {
      title: { en: "Stress", de: "Stress" },
      slug: "stress",
      questions: [
        { id: "harassed", type: "yes_no", text: "Were you?" },
        { id: "where", type: "choice", text: "Where?", options: ["north", "south"] },
        { id: "level", type: "scale", text: "How much?", levels: 3 },
      ],
    },
    facts: [],
  };
}

/**
 * What two changes of the same draft become.
 *
 * @param {(draft: Definition) => unknown} mine
 * @param {(draft: Definition) => unknown} theirs
 */
function merged(mine, theirs) {
  const [base, own, others] = [sample(), sample(), sample()];
  mine(own.definition);
  theirs(others.definition);
  const found = merge(base, own, others);
  assert.deepEqual(base, sample());
  return { definition: found.merged.definition, conflicts: found.conflicts };
}

const ids = (/** @type {Definition} */ { questions }) => questions.map((/** @type {Definition} */ { id }) => id);
const question = (/** @type {string} */ id) => ({ id, type: "yes_no", text: id });

test("changes of different places are both kept", () => {
  const { definition, conflicts } = merged(
    (draft) => {
      draft.questions[0].text = "Were you harassed?";
      draft.title.de = "Belastung";
    },
    (draft) => {
      draft.questions[0].required = true;
      draft.title.en = "Strain";
      draft.epsilon = 1;
    },
  );
  assert.deepEqual(conflicts, []);
  assert.deepEqual(definition.title, { en: "Strain", de: "Belastung" });
  assert.equal(definition.epsilon, 1);
  assert.deepEqual(definition.questions[0], { id: "harassed", type: "yes_no", text: "Were you harassed?", required: true });
});

test("a place that both changed is a conflict, with both values", () => {
  const { definition, conflicts } = merged(
    (draft) => { draft.questions[1].text = "On which ward?"; },
    (draft) => { draft.questions[1].text = "In which place?"; },
  );
  assert.equal(definition.questions[1].text, "On which ward?");
  assert.deepEqual(conflicts, [
    { path: ["definition", "questions", "#where", "text"], mine: "On which ward?", theirs: "In which place?" },
  ]);
});

test("the same change of both is no conflict", () => {
  const change = (/** @type {Definition} */ draft) => { draft.slug = "strain"; };
  assert.deepEqual(merged(change, change).conflicts, []);
});

test("lists of options are one text: half of each would be a question that nobody wrote", () => {
  const { definition, conflicts } = merged(
    (draft) => draft.questions[1].options.push("west"),
    (draft) => draft.questions[1].options.push("east"),
  );
  assert.deepEqual(definition.questions[1].options, ["north", "south", "west"]);
  assert.deepEqual(conflicts[0]?.theirs, ["north", "south", "east"]);
});

test("questions that both add are behind the questions that they were added to", () => {
  const { definition, conflicts } = merged(
    (draft) => draft.questions.splice(1, 0, question("mine")),
    (draft) => {
      draft.questions.splice(0, 0, question("first"));
      draft.questions.push(question("theirs"));
    },
  );
  assert.deepEqual(conflicts, []);
  assert.deepEqual(ids(definition), ["first", "harassed", "mine", "where", "level", "theirs"]);
});

test("one may move questions while the other changes and adds some", () => {
  const move = (/** @type {Definition} */ draft) => draft.questions.reverse();
  const write = (/** @type {Definition} */ draft) => {
    draft.questions[2].levels = 5;
    draft.questions.splice(2, 0, question("new"));
  };
  for (const [one, other] of [[move, write], [write, move]]) {
    const { definition, conflicts } = merged(/** @type {any} */ (one), /** @type {any} */ (other));
    assert.deepEqual(conflicts, []);
    assert.equal(definition.questions.find((/** @type {any} */ { id }) => id === "level").levels, 5);
    assert.deepEqual(ids(definition).filter((/** @type {string} */ id) => id !== "new"), ["level", "where", "harassed"]);
    assert.ok(ids(definition).includes("new"));
  }
});

test("if both move questions differently, one decides", () => {
  const { definition, conflicts } = merged(
    (draft) => draft.questions.reverse(),
    (draft) => draft.questions.push(draft.questions.shift()),
  );
  assert.deepEqual(ids(definition), ["level", "where", "harassed"]);
  assert.deepEqual(conflicts.map(({ path }) => path), [["definition", "questions"]]);
});

test("a removed question stays removed, unless the other changed it meanwhile", () => {
  const remove = (/** @type {Definition} */ draft) => draft.questions.splice(1, 1);
  const change = (/** @type {Definition} */ draft) => { draft.questions[1].text = "On which ward?"; };
  const nothing = () => {};
  assert.deepEqual(ids(merged(remove, nothing).definition), ["harassed", "level"]);
  assert.deepEqual(ids(merged(nothing, remove).definition), ["harassed", "level"]);
  for (const [mine, theirs] of [[remove, change], [change, remove]]) {
    const { definition, conflicts } = merged(/** @type {any} */ (mine), /** @type {any} */ (theirs));
    assert.equal(definition.questions.find((/** @type {any} */ { id }) => id === "where").text, "On which ward?");
    assert.deepEqual(conflicts.map(({ path }) => path), [["definition", "questions", "#where"]]);
  }
});

test("questions without ids of their own are one list", () => {
  const twice = (/** @type {string} */ text) => (/** @type {Definition} */ draft) => {
    draft.questions.push({ ...question("harassed"), text });
  };
  assert.equal(merged(twice("mine"), twice("theirs")).conflicts.length, 1);
});

test("the order of the members of a map is kept, and two orders are a conflict", () => {
  const base = { cutoffs: { none: 0, mild: 3, marked: 6 } };
  const reordered = { cutoffs: { mild: 3, none: 0, marked: 6 } };
  const changed = { cutoffs: { none: 0, mild: 4, marked: 6 } };
  assert.deepEqual(Object.keys(merge(base, structuredClone(base), reordered).merged.cutoffs), ["mild", "none", "marked"]);
  assert.equal(merge(base, changed, reordered).conflicts.length, 1);
});

test("names that every object has are names like others", () => {
  const names = ["constructor", "__proto__", "toString"];
  const map = (/** @type {string} */ value) => JSON.parse(`{${names.map((name) => `"${name}":"${value}"`)}}`);
  const { merged: found, conflicts } = merge(map("a"), map("a"), map("b"));
  assert.deepEqual([JSON.stringify(found), conflicts], [JSON.stringify(map("b")), []]);
  assert.equal(merge(map("a"), map("b"), map("c")).conflicts.length, names.length);
});

test("any changes of two authors: what only one changed is that one's, and nothing is lost", () => {
  let state = 7;
  const draw = (/** @type {number} */ below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const edit = (/** @type {Definition} */ draft, /** @type {string} */ author) => {
    const { questions } = draft;
    const at = draw(questions.length);
    const acts = [
      () => { questions[at].text = `${author} ${draw(9)}`; },
      () => questions.splice(at, 1),
      () => questions.splice(at, 0, question(`${author}${draw(1e6)}`)),
      () => questions.splice(at, 0, ...questions.splice(draw(questions.length), 1)),
      () => { draft.title.en = `${author} ${draw(9)}`; },
    ];
    if (questions.length) acts[draw(acts.length)]?.();
  };
  for (let round = 0; round < 2000; round++) {
    const [base, mine, theirs] = [sample(), sample(), sample()];
    for (let count = draw(4); count > 0; count--) edit(mine.definition, "mine");
    for (let count = draw(4); count > 0; count--) edit(theirs.definition, "theirs");
    const { merged: found, conflicts } = merge(base, mine, theirs);
    const written = (/** @type {Definition} */ { definition }) =>
      definition.questions
        .map((/** @type {Definition} */ { text }) => JSON.stringify(text))
        .filter((/** @type {string} */ text) => !JSON.stringify(base).includes(text));
    const whole = JSON.stringify([found, conflicts]);
    for (const text of [...written(mine), ...written(theirs)]) assert.ok(whole.includes(text), `${text} is lost`);
    const back = merge(base, theirs, mine);
    assert.equal(back.conflicts.length > 0, conflicts.length > 0);
    for (const { path, theirs: value } of conflicts) settle(found, path, value);
    for (const text of written(theirs)) assert.ok(JSON.stringify(found).includes(text), `${text} was not chosen`);
  }
});

test("a conflict can be decided either way, also after other changes", () => {
  const { definition, conflicts } = merged(
    (draft) => { draft.questions[2].text = "Mine?"; },
    (draft) => { draft.questions[2].text = "Theirs?"; },
  );
  definition.questions.reverse();
  const draft = { definition };
  settle(draft, conflicts[0]?.path ?? [], conflicts[0]?.theirs);
  assert.equal(definition.questions[0].text, "Theirs?");
  settle(draft, ["definition", "questions", "#level"], undefined);
  assert.deepEqual(ids(definition), ["where", "harassed"]);
  settle(draft, ["definition", "questions", "#level"], question("level"));
  assert.deepEqual(ids(definition), ["where", "harassed", "level"]);
});
