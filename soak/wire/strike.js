/** Faults of the network or the service in one request: at which stage, and of which kind. */

const stages = /** @type {const} */ ([
  "before accept",
  "during the request",
  "before the answer",
  "mid-response",
  "after the answer",
]);
const kinds = /** @type {const} */ (["reset", "timeout", "5xx", "429", "cut body", "kill"]);

/** @typedef {(typeof stages)[number]} Stage */
/** @typedef {(typeof kinds)[number]} Kind */
/**
 * @typedef {object} Strike
 * @property {"POST" | "GET"} method a POST, or a read after one
 * @property {boolean} [first] a read before the POST instead
 * @property {Stage} stage
 * @property {Kind} kind a kill holds the request at its stage
 * @property {number} [times] number of requests; default: 1
 * @property {boolean} [refused] for a reset before the accept: no server listens on the port
 * @property {Refusal} [refusal] the response of a 5xx or a 429
 *
 * @typedef {{status: number, body: string, retryAfter?: string}} Refusal
 * @typedef {{status: number, headers: Record<string, string>, body: Buffer}} Answer
 *
 * The bytes that are still written, and the end of the connection.
 * @typedef {{bytes: Buffer, then: "reset" | "end" | "silence" | "hold"}} Fate
 */

/**
 * Whether the service receives the request. It does when only the response has a fault, except a 429, which says that
 * the service rejected the request.
 * @param {Pick<Strike, "stage" | "kind">} strike
 */
function reachesService({ stage, kind }) {
  if (stage === "before accept" || stage === "during the request") return false;
  return kind !== "429" || stage === "after the answer";
}

/**
 * @param {Strike} strike
 * @param {Answer} [genuine] the service's response, when the request reached it
 * @returns {Fate}
 */
function fateOf({ stage, kind, refusal = { status: kind === "429" ? 429 : 503, body: "{}" } }, genuine) {
  const then = endings[kind];
  const refuses = kind === "5xx" || kind === "429";
  const refused = answerOf(refusal);
  const answer = refuses || !genuine ? refused : genuine;
  switch (stage) {
    case "before accept":
    case "during the request":
    case "before the answer":
      if (kind === "cut body") return { bytes: head(genuine ?? success), then };
      return { bytes: refuses ? whole(refused) : nothing, then };
    case "mid-response":
      return { bytes: half(answer), then };
    case "after the answer": {
      const sent = genuine ?? success;
      // After a complete response, only the mark of its end can be cut.
      if (kind === "cut body") return { bytes: unended(sent), then };
      return { bytes: Buffer.concat([whole(sent), refuses ? whole(refused) : nothing]), then };
    }
  }
}

/** @type {Record<Kind, Fate["then"]>} */
const endings = {
  reset: "reset",
  timeout: "silence",
  "5xx": "end",
  429: "end",
  "cut body": "end",
  kill: "hold",
};
const nothing = Buffer.alloc(0);
/** @type {Answer} */
const success = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: Buffer.from('{"id":"x"}'),
};

/** @param {Refusal} refusal @returns {Answer} */
function answerOf({ status, body, retryAfter }) {
  const type = body.startsWith("<") ? "text/html" : "application/json";
  const headers = { "content-type": type, ...(retryAfter !== undefined && { "retry-after": retryAfter }) };
  return { status, headers, body: Buffer.from(body) };
}

/** @param {Answer} answer */
function whole(answer) {
  return Buffer.concat([head(answer), answer.body]);
}

/** @param {Answer} answer */
function half(answer) {
  return Buffer.concat([head(answer), answer.body.subarray(0, answer.body.length / 2)]);
}

/** One chunk without the last, empty chunk. @param {Answer} answer */
function unended({ status, headers, body }) {
  const size = `${body.length.toString(16)}\r\n`;
  const start = headWith(status, { ...headers, "transfer-encoding": "chunked" });
  return Buffer.concat([start, Buffer.from(size), body, Buffer.from("\r\n")]);
}

/** @param {Answer} answer */
function head({ status, headers, body }) {
  return headWith(status, { ...headers, "content-length": String(body.length) });
}

/**
 * @param {number} status
 * @param {Record<string, string>} headers
 */
function headWith(status, headers) {
  // Each request has its own connection, so the next connection is the next request.
  const lines = Object.entries({ ...headers, connection: "close" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return Buffer.from([`HTTP/1.1 ${status} Status`, ...lines, "", ""].join("\r\n"));
}

module.exports = { fateOf, kinds, reachesService, stages, whole };
