/** The builder's moments and groups, without a page. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import {
  addGroup, byPlace, changeInvited, groupIds, groupsWithoutKey, hasSmallGroup, moveGroup, removeGroup, renamedGroups, withPlace,
} from "../../../web/deniable_web/static/builder/groups.js";
import { onClock, readMoment, writeMoment } from "../../../web/deniable_web/static/builder/moments.js";
import { putAt, valueAt } from "../../../web/deniable_web/static/builder/paths.js";
import { addLanguage, languagesOf, removeLanguage } from "../../../web/deniable_web/static/builder/translations.js";

/** @typedef {import("../../../web/deniable_web/static/builder/paths.js").Path} Path */

const ZONE = process.env.TZ;

afterEach(() => {
  if (ZONE === undefined) delete process.env.TZ;
  else process.env.TZ = ZONE;
});

/** @returns {import("../../../web/deniable_web/static/builder/paths.js").Definition} */
function sample() {
  return {
    title: "Wards",
    invited: {
      issuer: "https://council.example.org",
      groups: {
        nurses: { text: "Nurses", invited: 412, modulus: "n" },
        doctors: { invited: 118, modulus: "d" },
        cleaners: { text: "Cleaners", invited: 19 },
      },
    },
    questions: [],
  };
}

test("a name of digits alone does not move its group, so that the next letter renames the same one", () => {
  const { groups } = sample().invited;
  const typed = renamedGroups(groups, 2, "5");
  assert.deepEqual(Object.keys(typed), ["nurses", "doctors", "_5"]);
  assert.deepEqual(Object.keys(renamedGroups(typed, 2, "c5")), ["nurses", "doctors", "c5"]);
});

const CLOCKS = /** @type {const} */ ([
  // Clocks go forward on 29 March 2026 and back on 25 October 2026.
  ["Europe/Berlin", "2026-03-28T06:00", "2026-03-28T06:00+01:00"],
  ["Europe/Berlin", "2026-03-30T06:00", "2026-03-30T06:00+02:00"],
  ["Europe/Berlin", "2026-10-24T06:00", "2026-10-24T06:00+02:00"],
  ["Europe/Berlin", "2026-10-26T06:00", "2026-10-26T06:00+01:00"],
  ["America/New_York", "2026-03-08T01:59", "2026-03-08T01:59-05:00"],
  ["America/New_York", "2026-03-08T03:00", "2026-03-08T03:00-04:00"],
  ["America/St_Johns", "2026-12-06T06:00", "2026-12-06T06:00-03:30"],
  ["Asia/Kolkata", "2026-12-06T00:15", "2026-12-06T00:15+05:30"],
  ["Pacific/Kiritimati", "2026-12-06T06:00", "2026-12-06T06:00+14:00"],
  ["UTC", "2026-12-06T06:00", "2026-12-06T06:00+00:00"],
]);

for (const [zone, clock, written] of CLOCKS) {
  test(`${clock} on a clock in ${zone} is ${written}, and back`, () => {
    process.env.TZ = zone;
    assert.equal(writeMoment(new Date(clock)), written);
    const moment = readMoment(written);
    assert.ok(moment);
    assert.equal(onClock(moment), clock);
    assert.equal(writeMoment(moment), written);
  });
}

test("an hour that the clocks skip is the one after it, and one that they repeat is the first", () => {
  process.env.TZ = "Europe/Berlin";
  assert.equal(writeMoment(new Date("2026-03-29T02:30")), "2026-03-29T03:30+02:00");
  assert.equal(writeMoment(new Date("2026-10-25T02:30")), "2026-10-25T02:30+02:00");
  const second = readMoment("2026-10-25T02:30+01:00");
  assert.equal(second && onClock(second), "2026-10-25T02:30");
});

test("the moment of another offset is the same instant", () => {
  process.env.TZ = "Asia/Kolkata";
  for (const written of ["2026-12-06T06:00+01:00", "2026-12-06 05:00Z", "2026-12-06T00:00:00-05:00"]) {
    const moment = readMoment(written);
    assert.equal(moment && onClock(moment), "2026-12-06T10:30", written);
  }
});

test("what is no moment is none", () => {
  for (const written of [
    undefined, null, "", 5, "tomorrow", "2026-12-06", "2026-12-06T06:00", "2026-02-30T06:00Z", "2026-13-01T06:00Z",
    "2026-12-06T24:00Z", "2026-12-06T06:60Z", "2026-12-06T06:00:01Z", "2026-12-06T06:00+1:00", " 2026-12-06T06:00Z",
  ]) {
    assert.equal(readMoment(written), null, String(written));
  }
});

test("a renamed group keeps its place, its values and its key", () => {
  const { groups } = sample().invited;
  const renamed = renamedGroups(groups, 1, "physicians");
  assert.deepEqual(Object.entries(renamed), [
    ["nurses", groups.nurses], ["physicians", groups.doctors], ["cleaners", groups.cleaners],
  ]);
});

test("a name that another group has gets a number, so that no group is lost", () => {
  const { groups } = sample().invited;
  assert.deepEqual(Object.keys(renamedGroups(groups, 1, "nurses")), ["nurses", "nurses_2", "cleaners"]);
  assert.deepEqual(Object.keys(renamedGroups(groups, 1, "doctors")), ["nurses", "doctors", "cleaners"]);
  const odd = renamedGroups(groups, 0, "__proto__");
  assert.deepEqual(Object.keys(odd), ["__proto__", "doctors", "cleaners"]);
  assert.deepEqual(Object.getOwnPropertyDescriptor(odd, "__proto__")?.value, groups.nurses);
});

test("a removed group takes its key along, and a moved one too", () => {
  const document = sample();
  moveGroup(document, 2, 0);
  assert.deepEqual(groupIds(document), ["cleaners", "nurses", "doctors"]);
  moveGroup(document, 0, 1);
  assert.deepEqual(groupIds(document), ["nurses", "cleaners", "doctors"]);
  removeGroup(document, 0);
  assert.deepEqual(document.invited.groups, { cleaners: sample().invited.groups.cleaners, doctors: sample().invited.groups.doctors });
  assert.equal(document.invited.issuer, sample().invited.issuer);
});

test("groups are small below 20 people, and lack a key until an issuer made one", () => {
  const document = sample();
  assert.ok(hasSmallGroup(document));
  assert.deepEqual(groupsWithoutKey(document).map(([id]) => id), ["cleaners"]);
  document.invited.groups.cleaners.invited = 20;
  assert.ok(!hasSmallGroup(document));
  document.invited.groups.cleaners.invited = "";
  assert.ok(!hasSmallGroup(document));
  assert.deepEqual([groupIds({}), groupsWithoutKey({}), hasSmallGroup({})], [[], [], false]);
});

test("an invitation begins with one group, and new groups have free names", () => {
  const document = sample();
  changeInvited(document, false);
  assert.deepEqual({ ...document }, { title: "Wards", questions: [] });
  changeInvited(document, true);
  assert.deepEqual(document.invited, { issuer: "", groups: { group_1: { text: "", invited: "" } } });
  addGroup(document);
  removeGroup(document, 0);
  addGroup(document);
  assert.deepEqual(groupIds(document), ["group_2", "group_2_2"]);
});

test("the names of groups are in the languages of the survey, where they have one", () => {
  const document = sample();
  addLanguage(document, "en", "de");
  const { groups } = document.invited;
  assert.deepEqual(groups.nurses.text, { en: "Nurses", de: "" });
  assert.deepEqual(groups.doctors, { invited: 118, modulus: "d" });
  addGroup(document);
  assert.deepEqual(document.invited.groups.group_4.text, { en: "", de: "" });
  document.title = "Wards";
  assert.deepEqual(languagesOf(document), ["en", "de"]);
  removeGroup(document, 3);
  removeLanguage(document, "de");
  assert.deepEqual(document, sample());
});

test("fields find a group by its place while its name changes", () => {
  const document = sample();
  const draft = {
    document,
    at: (/** @type {Path} */ path) => valueAt(document, path),
    set: (/** @type {Path} */ path, /** @type {unknown} */ value) => putAt(document, path, value),
  };
  const groups = byPlace(draft);
  document.invited.groups = renamedGroups(document.invited.groups, 1, "physicians");
  const path = ["invited", "groups", 1, "invited"];
  assert.equal(groups.at(path), 118);
  groups.set(path, 119);
  assert.equal(document.invited.groups.physicians.invited, 119);
  assert.deepEqual(withPlace(document, ["invited", "groups", "physicians", "invited"]), path);
  for (const other of [["invited", "groups"], ["invited", "groups", "nobody", "text"], ["questions", 0, "text"]]) {
    assert.deepEqual(withPlace(document, other), other);
  }
});

test("a group stays when its last value is removed from its field", () => {
  const document = sample();
  document.invited.groups = { doctors: { invited: 118 } };
  const draft = {
    document,
    at: (/** @type {Path} */ path) => valueAt(document, path),
    set: (/** @type {Path} */ path, /** @type {unknown} */ value) => putAt(document, path, value),
  };
  byPlace(draft).set(["invited", "groups", 0, "invited"], undefined);
  assert.deepEqual(document.invited.groups, { doctors: { invited: "" } });
});
