/** Reads requests from a socket, and forwards them to the service. */
const events = require("node:events");
const http = require("node:http");
const { buffer } = require("node:stream/consumers");

/** @typedef {{method: string, path: string, headers: Record<string, string>, body: Buffer}} Request */

const headEnds = "\r\n\r\n";

/**
 * The complete request; undefined when the connection ends before.
 * @param {Buffer} first the bytes that were read
 * @param {AsyncIterator<Buffer>} more
 * @returns {Promise<Request | undefined>}
 */
async function readRequest(first, more) {
  for (let bytes = first; ;) {
    const request = parsed(bytes);
    if (request) return request;
    const { value, done } = await more.next();
    if (done) return undefined;
    bytes = Buffer.concat([bytes, value]);
  }
}

/**
 * @param {Buffer} bytes
 * @returns {Request | undefined} undefined while it is incomplete
 */
function parsed(bytes) {
  const end = bytes.indexOf(headEnds);
  if (end < 0) return undefined;
  const [start = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const [method = "", path = ""] = start.split(" ");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = bytes.subarray(end + headEnds.length);
  return body.length < Number(headers["content-length"] ?? 0) ? undefined : { method, path, headers, body };
}

/**
 * @param {Request} request
 * @param {URL} service
 * @returns {Promise<import("./strike").Answer>}
 */
async function forward({ method, path, headers, body }, service) {
  const { connection, host, ...kept } = headers;
  const request = http.request(new URL(path, service), { method, headers: kept, agent: false });
  request.end(body);
  const [response] = await events.once(request, "response");
  /** @type {http.IncomingMessage} */
  const answer = response;
  const type = answer.headers["content-type"] ?? "";
  return { status: answer.statusCode ?? 0, headers: { "content-type": type }, body: await buffer(answer) };
}

module.exports = { forward, readRequest };
