/** The builder's edits of a definition, without a page. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addQuestions, changeType, crossed, deleteQuestions, duplicateQuestion, moveQuestions, newOption, newQuestion,
  renameOption, renameQuestion,
} from "../../../web/deniable_web/static/builder/edits.js";
import { isLocal, suggestId, suggestSlug } from "../../../web/deniable_web/static/builder/names.js";
import { optionIds } from "../../../web/deniable_web/static/builder/types.js";
import { fieldId, putAt, valueAt } from "../../../web/deniable_web/static/builder/paths.js";
import { addLanguage, divideTexts, languagesOf, removeLanguage } from "../../../web/deniable_web/static/builder/translations.js";

/** @returns {import("../../../web/deniable_web/static/builder/paths.js").Definition} */
function sample() {
  return {
    title: "Stress",
    slug: "stress",
    epsilon: 1,
    crosstabs: [["harassed", "level"], { questions: ["harassed", "where"], weight: 2 }],
    questions: [
      { id: "harassed", type: "yes_no", text: "Were you?" },
      { id: "where", type: "choice", text: "Where?", options: ["north", { id: "s", text: "South" }] },
      { id: "level", type: "scale", text: "How much?", levels: 3, lowest: 0, labels: { 0: "none" } },
      { id: "told", type: "multiple", text: "Whom?", options: ["a", "b"], show_if: { question: "where", is: ["north", "s"] } },
    ],
  };
}

test("a renamed question keeps its place in a score", () => {
  const document = sample();
  document.questions.push({ id: "ratio", type: "score", items: ["Alone?", { question: "level", factor: 1 }] });
  renameQuestion(document, 2, "severity");
  assert.deepEqual(document.questions[4].items, ["Alone?", { question: "severity", factor: 1 }]);
});

test("the purpose of whoever runs a survey is in its languages, their name in all of them", () => {
  const document = { ...sample(), operator: { name: "Us", contact: "us@example.org", purpose: "Safety" } };
  addLanguage(document, "en", "de");
  assert.deepEqual(document.operator.purpose, { en: "Safety", de: "" });
  assert.equal(document.operator.name, "Us");
  removeLanguage(document, "de");
  assert.equal(document.operator.purpose, "Safety");
});

test("a renamed question keeps its name wherever it is referred to", () => {
  const document = sample();
  renameQuestion(document, 1, "place");
  assert.equal(document.questions[3].show_if.question, "place");
  assert.deepEqual(document.crosstabs.map(crossed), [["harassed", "level"], ["harassed", "place"]]);
});

test("a name that another question has still takes no references away", () => {
  const document = sample();
  document.questions[2].id = "where";
  renameQuestion(document, 2, "level");
  assert.equal(document.questions[3].show_if.question, "where");
});

test("a renamed option keeps leading where it led", () => {
  const document = sample();
  renameOption(document, 1, 0, "far north");
  assert.deepEqual(document.questions[1].options[0], "far north");
  assert.deepEqual(document.questions[3].show_if.is, ["far north", "s"]);
});

test("what a deleted question decided is asked always, and its crosstabs are gone", () => {
  const document = sample();
  deleteQuestions(document, [1]);
  assert.equal("show_if" in document.questions[2], false);
  assert.deepEqual(document.crosstabs, [["harassed", "level"]]);
  deleteQuestions(document, [0]);
  assert.equal("crosstabs" in document, false);
});

test("questions that are pinned together or kept apart are renamed and deleted there, too", () => {
  const document = { ...sample(), together: [["harassed", "level"]], apart: ["where", "told"] };
  renameQuestion(document, 1, "place");
  assert.deepEqual(document.apart, ["place", "told"]);
  renameQuestion(document, 2, "severity");
  assert.deepEqual(document.together, [["harassed", "severity"]]);
  deleteQuestions(document, [1, 2]);
  assert.deepEqual(document.apart, ["told"]);
  assert.equal("together" in document, false);
});

test("a question of another kind keeps what both kinds have", () => {
  const document = sample();
  changeType(document, 1, "multiple");
  assert.deepEqual(document.questions[1].options, ["north", { id: "s", text: "South" }]);
  assert.deepEqual(document.questions[3].show_if.is, ["north", "s"]);
  changeType(document, 1, "number");
  assert.deepEqual(document.questions[1], { id: "where", type: "number", text: "Where?", min: 0, max: 100 });
  assert.equal("show_if" in document.questions[3], false);
});

test("copies and new questions get names of their own", () => {
  const document = sample();
  duplicateQuestion(document, 0);
  assert.deepEqual(document.questions.map((/** @type {any} */ question) => question.id).slice(0, 2), ["harassed", "question_5"]);
  moveQuestions(document, [0], 5);
  assert.equal(document.questions[4].id, "harassed");
  assert.deepEqual(newQuestion(document, "choice"), {
    id: "question_6", type: "choice", text: "", options: ["", ""],
  });
});

test("no name is that of an item of a score", () => {
  const mood = { id: "mood", type: "score", text: "?", items: ["Tired", "Sad", { question: "level" }] };
  const document = sample();
  addQuestions(document, [mood, { id: "mood_1", type: "yes_no", text: "?" }, mood, { ...mood, id: "where" }]);
  const names = document.questions.slice(4).map((/** @type {any} */ { id }) => id);
  assert.deepEqual(names, ["mood", "mood_1_2", "mood_3", "where_2"]);
  document.questions = [{ id: "mood_2", type: "yes_no", text: "?" }];
  addQuestions(document, [mood]);
  assert.equal(document.questions[1].id, "mood_3");
  document.questions[1].items = [{ text: "Tired", id: "tired" }, "Sad"];
  duplicateQuestion(document, 1);
  assert.deepEqual(document.questions[2], { ...mood, id: "question_3", items: [{ text: "Tired" }, "Sad"] });
});

test("in a survey of two languages a new question's options have a text for each", () => {
  const document = sample();
  addLanguage(document, "en", "de");
  const fresh = newQuestion(document, "multiple");
  const empty = { en: "", de: "" };
  assert.deepEqual(fresh.options, [{ id: "option_1", text: empty }, { id: "option_2", text: empty }]);
  changeType(document, 0, "choice");
  assert.deepEqual(document.questions[0].options, fresh.options);
  assert.deepEqual(newOption(document, fresh.options), { id: "option_3", text: empty });
});

test("a text for all languages gets a place for each", () => {
  const document = sample();
  document.title = { de: "Belastung", en: "Stress" };
  divideTexts(document);
  assert.deepEqual(document.questions[1].text, { de: "Where?", en: "" });
  assert.deepEqual(document.questions[1].options[0], { id: "north", text: { de: "north", en: "" } });
  const years = { title: { de: "a", en: "b" }, questions: [{ id: "y", options: ["2020"] }] };
  divideTexts(years);
  assert.deepEqual(years.questions[0]?.options, ["2020"]);
  const one = sample();
  divideTexts(one);
  assert.deepEqual(one, sample());
});

test("options are those that respondents can choose", () => {
  const { questions } = sample();
  assert.deepEqual(questions.map(optionIds), [["yes", "no"], ["north", "s"], ["0", "1", "2"], ["a", "b"]]);
});

test("a language added and taken away leaves the texts as they were", () => {
  const document = sample();
  addLanguage(document, "en", "de");
  assert.deepEqual(languagesOf(document), ["en", "de"]);
  assert.deepEqual(document.title, { en: "Stress", de: "" });
  assert.deepEqual(document.questions[1].options[0], { id: "north", text: { en: "north", de: "" } });
  assert.deepEqual(document.questions[2].labels[0], { en: "none", de: "" });
  removeLanguage(document, "de");
  assert.deepEqual(document, sample());
});

test("places are made and taken away", () => {
  /** @type {any} */
  const document = { list: [{ a: 1 }] };
  putAt(document, ["list", 0, "labels", "yes"], "I do");
  assert.equal(valueAt(document, ["list", 0, "labels", "yes"]), "I do");
  putAt(document, ["list", 0, "labels", "yes"], undefined);
  putAt(document, ["nothing", "here"], undefined);
  assert.deepEqual(document, { list: [{ a: 1 }] });
  assert.equal(fieldId(["questions", 2, "labels", "-1"]), "at-questions-2-labels--1");
});

test("names come from what people write", () => {
  assert.equal(suggestSlug("  Größe & Stress: 2026! "), "grosse-stress-2026");
  assert.equal(suggestSlug("استبيان"), "survey");
  assert.equal(suggestSlug("x".repeat(80)).length, 64);
  assert.equal(suggestId("Were you harassed at work in the past year?", []), "were_you_harassed_at_work");
  assert.equal(suggestId("Where?", ["where"]), "where_2");
  assert.equal(suggestId("你好", []), "question");
});

test("addresses that only this machine or its network can open are known", () => {
  for (const name of ["localhost", "127.0.0.1", "10.1.2.3", "172.20.0.1", "192.168.1.9", "[::1]", "[fd00::1]", "pi.local"]) {
    assert.ok(isLocal(name), name);
  }
  for (const name of ["example.org", "172.32.0.1", "11.0.0.1", "[2001:db8::1]", "localhost.example.org", "10x.org"]) {
    assert.ok(!isLocal(name), name);
  }
});

test("questions that are added twice refer to their own copies", () => {
  const questions = [
    { id: "first", type: "yes_no" },
    { id: "next", type: "yes_no", show_if: { question: "first", is: ["yes"] } },
    { id: "sum", type: "score", items: [{ question: "first" }, { question: "next" }] },
  ];
  const document = { questions: /** @type {any[]} */ ([]) };
  addQuestions(document, questions);
  addQuestions(document, questions);
  const [first, next, sum] = document.questions.slice(3);
  assert.equal(next.show_if.question, first.id);
  assert.deepEqual(sum.items, [{ question: first.id }, { question: next.id }]);
  assert.equal(questions[1]?.show_if?.question, "first");
});

test("names of bands may be those of every object's own keys", () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    const document = {};
    assert.equal(valueAt(document, ["texts", name]), undefined);
    putAt(document, ["texts", name, "en"], "x");
    assert.equal(valueAt(document, ["texts", name, "en"]), "x");
    assert.equal(JSON.stringify(document), `{"texts":{"${name}":{"en":"x"}}}`);
  }
  assert.equal(/** @type {any} */ ({}).en, undefined);
});

test("sections and pages begin with the first of their questions that stays", () => {
  const document = sample();
  const section = { title: "Work" };
  Object.assign(document.questions[1], { section, new_page: true });
  const begun = (/** @type {string} */ key) =>
    document.questions.flatMap((/** @type {any} */ question) => (question[key] ? question.id : []));
  assert.deepEqual(moveQuestions(document, [1], 0), [0]);
  assert.deepEqual([begun("section"), begun("new_page")], [["level"], ["level"]]);
  // Where none of its questions stays, a section goes along.
  moveQuestions(document, [2, 3], 0);
  assert.deepEqual(document.questions.map((/** @type {any} */ { id }) => id), ["level", "told", "where", "harassed"]);
  assert.deepEqual(begun("section"), ["level"]);
  document.questions[3].section = { title: "Other" };
  moveQuestions(document, [2], 0);
  assert.deepEqual(begun("section"), ["level", "harassed"]);
  duplicateQuestion(document, 0);
  assert.deepEqual(begun("section"), ["level", "harassed"]);
  deleteQuestions(document, [0, 1]);
  assert.deepEqual(document.questions[0].section, section);
});

test("sections and help texts are in every language", () => {
  const document = { title: "A", questions: [{ id: "a", text: "A?", help: "B", section: { title: "C", note: "D" } }] };
  addLanguage(document, "en", "de");
  assert.deepEqual(document.questions[0]?.help, { en: "B", de: "" });
  assert.deepEqual(document.questions[0]?.section, { title: { en: "C", de: "" }, note: { en: "D", de: "" } });
});

test("a draft whose parts are no maps has languages, too, and stays as it is", () => {
  const question = { id: "a", type: "yes_no", text: { en: "A?", de: "A?" }, image: "a.png", section: "Work" };
  const document = { title: "T", logo: "logo.png", operator: "Us", thanks_link: "https://a.b", questions: [question] };
  assert.deepEqual(languagesOf(document), ["en", "de"]);
  assert.deepEqual(languagesOf({}), []);
  assert.equal(document.logo, "logo.png");
  assert.equal(question.image, "a.png");
});
