/** Apps that answer only surveys of a public log. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { CollectorRefused, CollectorUnreachable } from "../../../../client_sdk/javascript/src/client.js";
import { InvalidLog, NotInLog, checkLog, requireInLog } from "../../../../client_sdk/javascript/src/log.js";
import { read } from "../vectors.js";

/** @import { TestContext } from "node:test" */

const [whole] = read("logs.json").filter(({ name }) => name === "grown from 2");
const { key, seen } = whole.required;
const { entries } = JSON.parse(whole.text);

/**
 * The address of a server with this log, until the test ends, and what it is asked.
 *
 * @param {TestContext} context
 * @param {string} text
 * @param {number} [status]
 */
async function served(context, text, status = 200) {
  /** @type {(string | undefined)[]} */
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(status).end(text);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address && typeof address === "object");
  return { url: `http://127.0.0.1:${address.port}`, asked };
}

test("a survey of the signed log is answered", async (context) => {
  const { url, asked } = await served(context, whole.text);
  const log = await requireInLog(`${url}/`, { digest: entries[0] }, key);
  assert.deepEqual([log.entries, log.head], [entries, whole.head]);
  await requireInLog(url, { digest: entries[0] }, key, seen);
  assert.deepEqual(asked, ["/log", "/log"]);
});

test("a survey that is not in the log is refused", async (context) => {
  const { url } = await served(context, whole.text);
  const digest = "0".repeat(64);
  await assert.rejects(requireInLog(url, { digest }, key), (error) => {
    assert.ok(error instanceof NotInLog);
    assert.match(error.message, /0 is not in the public log of its collector.*do not answer it$/);
    return true;
  });
});

test("a log that another key signed, or that was rewritten, is refused", async (context) => {
  const survey = { digest: entries[0] };
  const other = read("logs.json").find(({ name }) => name === "signed by another").required.key;
  const { url } = await served(context, whole.text);
  await assert.rejects(requireInLog(url, survey, other), /not signed with the key that is required/);
  await assert.rejects(requireInLog(url, survey, "key"), /not the key of a log; allowed are the 342/);
  await assert.rejects(requireInLog(url, survey, key, { size: 9, digest: "0" }), InvalidLog);
});

test("a collector without a log is told apart from one that is silent", async (context) => {
  const { url } = await served(context, '{"detail":"No route has this path"}', 404);
  await assert.rejects(requireInLog(url, { digest: "" }, key), (error) => {
    assert.ok(error instanceof CollectorRefused);
    assert.equal(error.message, "the collector answered 404: No route has this path");
    return error.status === 404;
  });
  await assert.rejects(requireInLog("http://127.0.0.1:1", { digest: "" }, key), CollectorUnreachable);
});

test("a misspelled requirement is told", async () => {
  const document = new TextEncoder().encode(whole.text);
  await assert.rejects(
    checkLog(document, /** @type {any} */ ({ digest: entries[0] })),
    /unknown key "digest"; allowed are survey, key, seen/,
  );
});
