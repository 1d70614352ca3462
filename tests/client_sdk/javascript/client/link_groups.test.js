/** Reports with the group that a link gave: declared, kept with the report, and sent at once. */

import assert from "node:assert/strict";
import { test } from "node:test";

import "../../../../client_sdk/javascript/src/fieldwork.js";
import { inspect } from "../../../../client_sdk/javascript/src/inspect.js";
import { openedClient, settled, surveyBytes } from "./clients.js";

const GROUPS = [
  { id: "nurses", number: 412 },
  { id: "doctors", number: 118, text: { en: "Doctors" } },
];
const LINKED = surveyBytes("wards", (document) => {
  document.groups = GROUPS;
});

async function opened() {
  const found = await openedClient({ surveys: [LINKED] });
  return { ...found, survey: await found.client.getSurvey("wards") };
}

test("a survey says its groups, with names and numbers", async () => {
  const { survey } = await opened();
  assert.deepEqual(
    survey.groups?.map(({ id, people, text }) => [id, people, text]),
    [
      ["nurses", 412, null],
      ["doctors", 118, { en: "Doctors" }],
    ],
  );
});

test("a report has the group that was given, and is sent at once", async () => {
  for (const group of ["doctors", undefined]) {
    const { client, survey, transport } = await opened();
    const report = await client.submit(survey, {}, undefined, { hold: true, group });
    assert.equal(report.group, group);
    assert.equal((await client.heldReport(survey))?.group, group);
    assert.deepEqual((await client.heldReport(survey))?.toBytes(), report.toBytes());
    await client.send(survey);
    await settled();
    assert.equal(transport.sent.length, 1);
    assert.equal(JSON.parse(inspect(report, survey).text).group, group);
  }
});

test("a group that no link gives is refused, and nothing is kept", async () => {
  const { client, survey } = await opened();
  for (const group of ["Nurses", "", "constructor"]) {
    await assert.rejects(
      client.submit(survey, {}, undefined, { group }),
      new RangeError("no link gives this group; allowed are: nurses,doctors"),
    );
  }
  assert.deepEqual(await client.reports(), []);
});
