/** Clients of invited people for tests, and an issuer that says how many have collected. */

import assert from "node:assert/strict";
import { createServer } from "node:http";

import { ALONE } from "../../../../client_sdk/javascript/src/client/client.js";
import "../../../../client_sdk/javascript/src/fieldwork.js";
import { tokenOf } from "../../../../client_sdk/javascript/src/invitation.js";
import { base64url } from "../../../../client_sdk/javascript/src/tokens.js";
import { openedClient, surveyBytes } from "./clients.js";

/** @import { TestContext } from "node:test" */
/** @import { Client, Options } from "../../../../client_sdk/javascript/src/client.js" */
/** @import { PublishedSurvey } from "../../../../client_sdk/javascript/src/index.js" */

const UNTIL = "2026-01-02T00:00Z";
export const OVER = Date.parse(UNTIL);
const MODULUS = base64url(`${"f".repeat(511)}3`);

/**
 * A survey by invitation to one group.
 *
 * @param {{ issuer?: string, window?: object, modulus?: string }} [given]
 */
export function invitedBytes({ issuer = "http://127.0.0.1", window, modulus = MODULUS } = {}) {
  return surveyBytes("wards", (document) => {
    const groups = [{ id: "nurses", invited: 40, modulus }];
    document.invited = { issuer, collect_until: UNTIL, groups };
    if (window) document.window = window;
  });
}

/**
 * Keep a token that nobody has signed: only the collector would notice.
 *
 * @param {Client} client
 * @param {PublishedSurvey} survey
 */
async function keepToken(client, survey) {
  const [nonce, signature] = [base64url("0".repeat(64)), base64url("0".repeat(512))];
  const invitation = await tokenOf(survey, { group: "nurses", nonce, signature });
  const record = { key: `invitation ${survey.digest}`, survey: survey.digest, invitation };
  await client[ALONE](({ records }) => records.add(record));
}

/**
 * A client with a token, whose reports wait a part of the time that is drawn.
 *
 * @param {Parameters<typeof invitedBytes>[0]} [given]
 * @param {number[]} [drawn]
 * @param {Partial<Options>} [options]
 */
export async function invitedClient(given, drawn = [128, 0, 0, 0], options = {}) {
  const random = (/** @type {number} */ count) =>
    count === drawn.length
      ? Uint8Array.from(drawn)
      : crypto.getRandomValues(new Uint8Array(count));
  const surveys = [invitedBytes(given)];
  const replaced = { readBytes: random, ...options };
  const opened = await openedClient({ surveys, options: replaced });
  const survey = await opened.client.getSurvey("wards");
  await keepToken(opened.client, survey);
  return { ...opened, survey };
}

/**
 * An issuer that says how many have collected, until the test ends.
 *
 * @param {TestContext} context
 * @param {unknown} count
 */
export async function issuerSaying(context, count) {
  /** @type {(string | undefined)[]} */
  const asked = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    const groups = [{ id: "doctors", invited: 50, collected: 50 }];
    response.end(JSON.stringify({ groups: [...groups, { id: "nurses", collected: count }] }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  context.after(() => server.close());
  const address = server.address();
  assert.ok(address && typeof address === "object");
  return { issuer: `http://127.0.0.1:${address.port}`, asked };
}
