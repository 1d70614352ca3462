/**
 * A relay between an app and a collector: node relay.js COLLECTOR [PORT].
 *
 * Surveys go one way and randomized reports the other, as the bytes they are.
 * The collector does not see the devices' addresses. The relay does, so it
 * keeps and logs nothing: neither who asked, nor when, nor what was sent.
 */

import { createServer } from "node:http";

import { DeniableError } from "deniable";
import { readReport } from "deniable/check";

/** @import { IncomingMessage, ServerResponse } from "node:http" */

/** @typedef {{ status: number, headers: { [name: string]: string }, body: Uint8Array | string }} Answer */

const MOST_BYTES = 65_536;
const TIMEOUT_MS = 20_000;
const SURVEY = /^\/api\/surveys\/(by-digest\/)?[\w.-]+$/;
// Pages of any origin may ask, as they may ask a collector; there are no cookies to protect.
const ALLOWED = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "Content-Type",
  "Access-Control-Expose-Headers": "Retry-After",
};

const [collector, port = "8090"] = process.argv.slice(2);
if (!collector) throw new Error("say which collector: node relay.js https://surveys.example.org");

const server = createServer((request, response) => {
  answerTo(request).then(
    (answer) => reply(response, answer),
    () => reply(response, problem(503, "the collector cannot be reached; try again later")),
  );
});
server.listen(Number(port), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${Object(server.address()).port}`);
});

/**
 * What the app is told.
 *
 * @param {IncomingMessage} request
 * @returns {Promise<Answer>}
 */
async function answerTo(request) {
  const { method, url: path = "" } = request;
  if (method === "OPTIONS") return { status: 204, headers: {}, body: "" };
  if (method === "GET" && SURVEY.test(path)) return ask(path);
  if (method !== "POST" || path !== "/api/reports") return problem(404, "there is no such page");
  const body = await bodyOf(request);
  if (!body) return problem(413, `allowed are ${MOST_BYTES} bytes`);
  try {
    // An app that sends anything but a report has a fault: it is not passed on, nor looked at.
    readReport(body);
  } catch (error) {
    if (!(error instanceof DeniableError)) throw error;
    return problem(400, "this is no report; send what the SDK made, as it is");
  }
  return ask(path, { method, body, headers: { "Content-Type": "application/json" } });
}

/**
 * What the collector answers; no header of the device goes along.
 *
 * @param {string} path
 * @param {RequestInit} [request]
 * @returns {Promise<Answer>}
 */
async function ask(path, request) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(`${collector}${path}`, { ...request, redirect: "error", signal });
  const passed = ["Content-Type", "Retry-After"].flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const body = new Uint8Array(await answer.arrayBuffer());
  return { status: answer.status, headers: Object.fromEntries(passed), body };
}

/**
 * A body, or null if it is too long.
 *
 * @param {IncomingMessage} request
 */
async function bodyOf(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * @param {number} status
 * @param {string} detail
 * @returns {Answer}
 */
function problem(status, detail) {
  const headers = { "Content-Type": "application/problem+json" };
  return { status, headers, body: JSON.stringify({ status, detail }) };
}

/**
 * @param {ServerResponse} response
 * @param {Answer} answer
 */
function reply(response, { status, headers, body }) {
  response.writeHead(status, { ...headers, ...ALLOWED, "Cache-Control": "no-store" }).end(body);
}
