/** Bodies of answers: whatever comes, it is a value as described or an error in plain words, and nothing else. */
const assert = require("node:assert");
const { isDeepStrictEqual } = require("node:util");
const { built } = require("../dist");
const { isPlainLine } = require("../plainLine");

/** @type {typeof import("../../../provider/client/answers")} */
const answers = require(built("provider/client/answers"));
/** @type {typeof import("../../../provider/client/body")} */
const { readBody } = require(built("provider/client/body"));
/** @type {typeof import("../../../provider/client/errors")} */
const { isMonitoringError } = require(built("provider/client/errors"));
/** @type {typeof import("../../../provider/client/operations")} */
const { operations } = require(built("provider/client/operations"));
/** @type {typeof import("../../../provider/client/quote")} */
const { Quoter } = require(built("provider/client/quote"));

/** No message may hold it. */
const apiKey = "canary/0123456789+abcdef==";
const quoter = new Quoter([apiKey]);
/** @type {readonly import("../../../provider/client/operations").Operation[]} */
const all = Object.values(operations);
const statuses = [200, 200, 200, 201, 302, 400, 401, 404, 408, 429, 500, 503, 101];

/** The first two characters choose the operation and the status, the rest is the body. @param {string} input */
function run(input) {
  const operation = all[input.charCodeAt(0) % all.length] ?? operations.getIncident;
  const status = statuses[input.charCodeAt(1) % statuses.length] ?? 200;
  const body = readBody(input.slice(2));
  const subject = { operation, title: `${operation.name} i1`, quoter };
  const answer = {
    kind: /** @type {const} */ ("answer"),
    status,
    body,
    requestId: body.text,
    retryAfter: undefined,
  };
  const verdict = answers.judge(answer, subject);
  if ("error" in verdict) checkError(verdict.error);
  else checkValue(verdict.body.json, subject);
  assert.deepEqual(Object.keys(Object.prototype), [], "every object has a new field");
}

/**
 * @param {unknown} json
 * @param {import("../../../provider/client/answers").Subject} subject
 */
function checkValue(json, subject) {
  const described = subject.operation.answer.safeParse(json).success;
  try {
    const value = answers.valueOf(json, subject.operation.answer, subject);
    assert.ok(described, "an answer that isn't as described is taken");
    assert.ok(isDeepStrictEqual(value, json), "the value isn't what the service sent");
    assert.ok(!holdsProto(value), "the value has a key that changes what a copy inherits");
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    assert.ok(!described, "an answer as described is not taken");
    checkError(error);
  }
}

/** @param {unknown} error */
function checkError(error) {
  assert.ok(isMonitoringError(error), `a raw error: ${String(error)}`);
  assert.ok(isPlainLine(error.message, 1_500), "the message isn't one short printable line");
  assert.ok(!error.message.toLowerCase().includes(apiKey), "the message holds the API key");
}

/**
 * @param {unknown} value
 * @returns {boolean}
 */
function holdsProto(value) {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(holdsProto);
}

const update = {
  id: "u1",
  description: "Slow.",
  status: "MONITORING",
  notifySubscribers: false,
  created_at: null,
};
const service = { id: "s1", name: "Checkout", accountId: "a1", created_at: "2026-01-31", updated_at: null };
const incident = {
  id: "i1",
  name: "Slow",
  severity: "MAJOR",
  services: [service],
  incidentUpdates: [update],
};
const page = {
  id: "p1",
  name: "Shop",
  cards: [{ id: "c1", name: "Shop", services: [service] }],
  incidents: [incident],
};

module.exports = {
  run,
  // In the order of the operations.
  seeds: [
    update,
    update,
    incident,
    {
      id: "i1",
      name: "Slow",
      impact: "MAJOR",
      dashboardId: 1,
      incidentUpdates: [{ ...update, incidentId: "i1" }],
    },
    {
      id: 7,
      type: "EMAIL",
      config: { address: "a@example.com" },
      subscriptions: [{ checkId: "c", groupId: null }],
    },
    {
      length: 1,
      entries: [{ ...page, themeColors: { light: { linkFontColor: "#fff" }, dark: null } }],
      nextId: "n",
    },
    { statusCode: 400, error: "Bad Request", message: `not so: ${apiKey}` },
  ].flatMap((value, operation) =>
    [200, 401, 503].map(
      (status) => String.fromCharCode(operation, statuses.indexOf(status)) + JSON.stringify(value),
    ),
  ),
  words: [
    ...[
      "null",
      "{}",
      "[]",
      '""',
      "true",
      "-1",
      '"id":""',
      '"id":null,',
      '"__proto__":',
      '"\\u005f_proto__":',
      "<html>",
    ],
    ...[
      '"entries":',
      '"nextId":',
      '"incidentUpdates":',
      '"config":',
      '"message":',
      '"error":',
      apiKey,
      "\\u0000",
    ],
    Buffer.from(apiKey).toString("base64"),
    "[".repeat(400),
  ],
};
