/** What goes over the wire, at a real server. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import {
  fetchTransport,
  readAddress,
} from "../../../../client_sdk/javascript/src/client/transport.js";

import { read } from "../vectors.js";

/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { TestContext } from "node:test" */

const BODY = new TextEncoder().encode('{"report":"a"}');
const NEVER = new AbortController().signal;

/**
 * The address of a server that answers like this, until the test ends.
 *
 * @param {TestContext} context
 * @param {(request: IncomingMessage, response: ServerResponse) => void} answer
 */
async function served(context, answer) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address && typeof address === "object");
  return `http://127.0.0.1:${address.port}`;
}

test("an address keeps its path and loses the slash at its end", () => {
  assert.equal(readAddress("https://Example.org"), "https://example.org");
  assert.equal(readAddress("https://example.org/surveys//"), "https://example.org/surveys");
  assert.equal(readAddress("http://127.0.0.1:8000/"), "http://127.0.0.1:8000");
});

test("every address of the vectors is read as in Python", () => {
  const cases = read("addresses.json");
  let count = 0;
  for (const { given, address } of cases) {
    if (address === null) {
      assert.throws(() => readAddress(given), { name: "InvalidAddress" }, given);
    } else {
      count += 1;
      assert.equal(readAddress(given), address, given);
      assert.equal(readAddress(address), address);
    }
  }
  assert.ok(count > 400 && count < cases.length - 400);
});

test("a name that is encoded may have any letters", () => {
  for (const name of ["xn--fuball-cta.de", "xn--mgbh0fb.example", "xn--nxasmm1c.gr", "xn--h2brj9c.in"]) {
    assert.equal(readAddress(`https://${name}`), `https://${name}`);
  }
});

test("a survey is asked for by its slug, or its digest where that is known", async (context) => {
  /** @type {(string | undefined)[]} */
  const asked = [];
  const url = await served(context, (request, response) => {
    asked.push(request.url);
    response.end("bytes");
  });
  const transport = fetchTransport(url);
  const text = new TextDecoder().decode(await transport.getSurvey("a/b?c", null, NEVER));
  assert.equal(text, "bytes");
  await transport.getSurvey("health", "../12", NEVER);
  assert.deepEqual(asked, ["/api/surveys/a%2Fb%3Fc", "/api/surveys/by-digest/..%2F12"]);
});

test("a report travels as its bytes, with nothing that tells who sends it", async (context) => {
  /** @type {{ headers: object, body: string }[]} */
  const got = [];
  const url = await served(context, (request, response) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
      got.push({ headers: request.headers, body });
      const answer = '{"status":201,"report":"a","detail":1}';
      response.writeHead(201, { "Retry-After": "7" }).end(answer);
    });
  });
  const { report, detail, status, retryAfter } = await fetchTransport(url).send(BODY, NEVER);
  assert.deepEqual([report, detail, status, retryAfter], ["a", undefined, 201, "7"]);
  assert.equal(got[0]?.body, '{"report":"a"}');
  const { "accept-language": language } = Object(got[0]?.headers);
  assert.equal(language, "*");
  const names = Object.keys(got[0]?.headers ?? {}).filter((name) => !name.startsWith("accept"));
  assert.deepEqual(names.sort(), [
    "cache-control",
    "connection",
    "content-length",
    "content-type",
    "host",
    "pragma",
    "sec-fetch-mode",
    "user-agent",
  ]);
});

test("a refusal brings the collector's words, if it has some", async (context) => {
  const bodies = ['{"detail":"It is closed."}', '{"detail":7}', "[]", "null", "<html>", ""];
  const url = await served(context, (_, response) => response.writeHead(410).end(bodies.shift()));
  const transport = fetchTransport(url);
  const first = await transport.send(BODY, NEVER);
  assert.deepEqual([first.detail, first.status, first.retryAfter], ["It is closed.", 410, null]);
  for (let left = 5; left > 1; left -= 1) {
    const { status, detail } = await transport.send(BODY, NEVER);
    assert.deepEqual([status, detail], [410, undefined]);
  }
  await assert.rejects(transport.getSurvey("health", null, NEVER), {
    name: "CollectorRefused",
    status: 410,
    message: "the collector answered 410: no reason",
  });
});

test("what breaks off, leads elsewhere or never comes is no answer", async (context) => {
  const url = await served(context, (request, response) => {
    const kind = request.url?.split("/").at(-1);
    if (kind === "cut") response.writeHead(200, { "Content-Length": "100" }).write("half");
    if (kind === "cut") setTimeout(() => response.destroy(), 20);
    if (kind === "reset") request.socket.resetAndDestroy();
    if (kind === "away") response.writeHead(302, { Location: "https://elsewhere.example" }).end();
  });
  const transport = fetchTransport(url);
  const host = new URL(url).host;
  for (const kind of ["cut", "reset", "away"]) {
    await assert.rejects(transport.getSurvey(kind, null, NEVER), {
      name: "CollectorUnreachable",
      message: `no answer from ${host} (TypeError); try again later`,
    });
  }
  const ending = new AbortController();
  const silent = transport.getSurvey("silent", null, ending.signal);
  ending.abort();
  await assert.rejects(silent, { name: "CollectorUnreachable" });
  await assert.rejects(transport.send(BODY, ending.signal), { name: "CollectorUnreachable" });
});

test("a collector that is silent for half a minute is given up", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const url = await served(context, () => context.mock.timers.tick(30_000));
  await assert.rejects(fetchTransport(url).send(BODY, NEVER), {
    message: `no answer from ${new URL(url).host} (AbortError); try again later`,
  });
});
