/**
 * An app for one invited person, which does one thing and ends; the same as
 * tests/client_sdk/python/client/invited_app.py.
 */

import { openClient } from "../../../../client_sdk/javascript/src/client.js";
import {
  FewCollected,
  OtherSite,
  collectToken,
  tokenCount,
} from "../../../../client_sdk/javascript/src/fieldwork.js";
import { ManualClock } from "../../../../client_sdk/javascript/src/testing.js";
import { fileStore } from "../../../../examples/relay/file_store.js";

const [collector = "", folder = "", now = "", does, given, site] = process.argv.slice(2);
const client = await openClient({
  collector,
  consent: true,
  storage: await fileStore(folder),
  clock: new ManualClock(1000 * Number(now)),
});
const survey = await client.getSurvey("wards");
try {
  if (does === "collect") console.log(await collectToken(client, survey, given ?? "", site));
  if (does === "submit") {
    const shown = given === undefined ? undefined : Number(given);
    await client.submit(survey, { asthma: true }, undefined, { collected: shown });
  }
  if (does !== "collect") {
    await client.flush();
    console.log((await client.reports())[0]?.state);
  }
} catch (error) {
  if (error instanceof OtherSite) console.log("other", error.site);
  else if (error instanceof FewCollected) {
    const left = (await client.reports()).length;
    console.log("few", error.count, await tokenCount(client, survey), left);
  } else throw error;
}
await client.shutDown();
