/** Bodies of responses: each gives a value as described, or an error of ours with a one-line message. */
const assert = require("node:assert");
const { isDeepStrictEqual } = require("node:util");
const fc = require("fast-check");
const { responses } = require("../description");
const { built } = require("../dist");
const { isPlainLine } = require("../plainLine");

/** @type {typeof import("../../../provider/client/interpretResponse")} */
const interpreter = require(built("provider/client/interpretResponse"));
/** @type {typeof import("../../../provider/client/body")} */
const { readBody } = require(built("provider/client/body"));
/** @type {typeof import("../../../provider/client/errors")} */
const { isMonitoringError } = require(built("provider/client/errors"));
/** @type {typeof import("../../../provider/api/operations")} */
const { operations } = require(built("provider/api/operations"));
/** @type {typeof import("../../../provider/client/secretMasker")} */
const { SecretMasker } = require(built("provider/client/secretMasker"));

/** No message may contain it. */
const apiKey = "canary/0123456789+abcdef==";
const masker = new SecretMasker([apiKey]);
/** @type {readonly import("../../../provider/api/operations").Operation[]} */
const all = Object.values(operations);
const statuses = [200, 200, 200, 201, 302, 400, 401, 404, 408, 429, 500, 503, 101];

/**
 * A successful response as described, except for some of its fields. Most edits of a string are no longer JSON.
 * @typedef {{operation: number, changes: {place: number, value: number}[]}} ChangedResponse
 */

/**
 * The first two characters of a string choose the operation and the status, the rest is the body.
 * @param {string | ChangedResponse} input
 */
function run(input) {
  if (typeof input === "string") {
    const operation = all[input.charCodeAt(0) % all.length] ?? operations.getIncident;
    check(operation, statuses[input.charCodeAt(1) % statuses.length] ?? 200, input.slice(2));
  } else {
    const body = input.changes.reduce(changed, bodies[input.operation]);
    check(all[input.operation] ?? operations.getIncident, 200, JSON.stringify(body));
  }
  assert.deepEqual(Object.keys(Object.prototype), [], "every object has a new field");
}

/** @param {unknown} value @param {ChangedResponse["changes"][number]} change @returns {unknown} */
function changed(value, change) {
  let places = 0;
  JSON.stringify(value, (_, inner) => {
    places += 1;
    return inner;
  });
  // The first place is the value itself.
  const chosen = 1 + (change.place % Math.max(1, places - 1));
  let place = 0;
  const json = JSON.stringify(value, (_, inner) => (place++ === chosen ? others[change.value] : inner));
  return JSON.parse(json);
}

const others = [
  ...[undefined, null, true, 0, -1, 1.5, 31, "", "x", "2026-01-31", "2026-01-31T09:30:00Z", "x".repeat(300)],
  ...[[], [null], {}, { addedTomorrow: null }, JSON.parse('{"__proto__": {"inherited": true}}')],
];

/**
 * @param {import("../../../provider/api/operations").Operation} operation
 * @param {number} status
 * @param {string} text
 */
function check(operation, status, text) {
  const body = readBody(text);
  const subject = { operation, title: `${operation.name} i1`, masker };
  const response = {
    kind: /** @type {const} */ ("response"),
    status,
    body,
    requestId: text,
    retryAfter: undefined,
  };
  const result = interpreter.toResult(response, subject);
  const sent = status >= 200 && status < 300 ? jsonOf(text) : undefined;
  if ("error" in result) {
    assert.ok(sent === undefined, "a successful response is read as a failure");
    checkError(result.error, operation, status);
  } else {
    assert.ok(sent !== undefined, "a failure is read as a successful response");
    checkValue(result.json, sent.json, subject);
  }
}

/**
 * @param {unknown} json as the code under test read it
 * @param {unknown} sent
 * @param {import("../../../provider/client/interpretResponse").Subject} subject
 */
function checkValue(json, sent, subject) {
  const { operation } = subject;
  const valid = responses.get(operation.name);
  assert.ok(valid, `docs/openapi.yaml doesn't describe ${operation.name}`);
  const { value, error } = valueOrError(() => interpreter.parseBody(json, operation.response, subject));
  if (error !== undefined) {
    assert.ok(!valid.described(sent), "a response as described is rejected");
    checkError(error, operation, 200);
    return;
  }
  assert.ok(valid.tolerated(sent), "a response that isn't as described is accepted");
  assert.ok(isDeepStrictEqual(value, sent), "the value isn't what the service sent");
  assert.ok(!holdsProto(value), "the value has a key __proto__");
}

/**
 * @param {() => unknown} get
 * @returns {{value?: unknown, error?: unknown}}
 */
function valueOrError(get) {
  try {
    return { value: get() };
  } catch (error) {
    return { error };
  }
}

/**
 * The value of a body, without the keys that may not be copied.
 * @param {string} text
 * @returns {{json: unknown} | undefined} undefined when it isn't JSON
 */
function jsonOf(text) {
  try {
    return { json: withoutProto(JSON.parse(text)) };
  } catch {
    return undefined;
  }
}

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function withoutProto(value) {
  if (Array.isArray(value)) return value.map(withoutProto);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([key]) => key !== "__proto__");
  return Object.fromEntries(fields.map(([key, field]) => [key, withoutProto(field)]));
}

/**
 * @param {unknown} error
 * @param {import("../../../provider/api/operations").Operation} operation
 * @param {number} status
 */
function checkError(error, operation, status) {
  assert.ok(isMonitoringError(error), `a raw error: ${String(error)}`);
  assert.equal(error.name, errorOf(operation, status), "the error doesn't match the status");
  assert.ok(isPlainLine(error.message, 1_500), "the message isn't one short printable line");
  assert.ok(!error.message.toLowerCase().includes(apiKey), "the message contains the API key");
}

/** @type {Readonly<Record<number, string>>} */
const errors = { 401: "AuthenticationError", 404: "NotFoundError", 429: "RateLimitError" };

/**
 * The error of a status; of success, when the body is invalid.
 * @param {import("../../../provider/api/operations").Operation} operation
 * @param {number} status
 */
function errorOf({ method }, status) {
  const known = status >= 300 && status < 500 && status !== 408;
  if (method === "POST" && !known) return "OutcomeUnknownError";
  if (status >= 500) return "ServerError";
  if (status >= 400) return errors[status] ?? "RequestError";
  return status >= 200 && status < 300 ? "ResponseShapeError" : "ApiError";
}

/**
 * @param {unknown} value
 * @returns {boolean}
 */
function holdsProto(value) {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(holdsProto);
}

const dates = { created_at: "2026-01-31T09:30:00.000Z", updated_at: null };
const update = {
  ...{ id: "u1", description: "Slow.", status: "MONITORING", notifySubscribers: false },
  ...{ publicIncidentUpdateDate: "2026-01-31", created_at: "2026-01-31T09:30:00.000Z" },
};
const service = { id: "s1", name: "Checkout", accountId: "a1", ...dates };
const incident = {
  ...{ id: "i1", name: "Slow", severity: "MAJOR", lastUpdateStatus: "MONITORING", ...dates },
  ...{ services: [service], incidentUpdates: [update] },
};
const page = {
  ...{ id: "p1", name: "Shop", url: "shop", accountId: "a1", defaultTheme: "AUTO", ...dates },
  ...{ logo: null, customDomain: "status.example.com", incidents: [incident] },
  cards: [{ id: "c1", name: "Shop", services: [service], ...dates }],
  themeColors: { light: { linkFontColor: "#fff" }, dark: {} },
};

/** As described, in the order of the operations. */
const bodies = [
  update,
  update,
  incident,
  {
    ...{ id: "i1", name: "Slow", impact: "MAJOR", dashboardId: 1, ...dates },
    ...{ startedAt: "2026-01-31 09:30:00", stoppedAt: null },
    incidentUpdates: [
      { ...{ id: "u1", description: "Slow.", status: "RESOLVED", incidentId: "i1" }, ...dates },
    ],
  },
  {
    ...{ id: 7, type: "EMAIL", config: { address: "a@example.com", headers: [{ key: "a" }] }, ...dates },
    ...{ sendRecovery: true, sendFailure: true, sendDegraded: false, autoSubscribe: false },
    ...{ sslExpiry: true, sslExpiryThreshold: 21 },
    subscriptions: [{ id: 1, checkId: "c", groupId: null, activated: true }],
  },
  { length: 1, entries: [page], nextId: "n" },
];

for (const [index, { name }] of all.entries())
  assert.ok(responses.get(name)?.described(bodies[index]), `${name} isn't valid before it is changed`);

module.exports = {
  run,
  inputs: (/** @type {fc.Arbitrary<string>} */ strings) =>
    fc.oneof(
      strings,
      fc.record({
        operation: fc.nat(all.length - 1),
        changes: fc.array(fc.record({ place: fc.nat(200), value: fc.nat(others.length - 1) }), {
          minLength: 1,
          maxLength: 2,
        }),
      }),
    ),
  seeds: [...bodies, { statusCode: 400, error: "Bad Request", message: `not so: ${apiKey}` }].flatMap(
    (value, operation) =>
      [200, 401, 503].map(
        (status) => String.fromCharCode(operation, statuses.indexOf(status)) + JSON.stringify(value),
      ),
  ),
  words: [
    ...'null {} [] "" true -1 "id":"" "id":null, "__proto__": "\\u005f_proto__": <html> \\u0000'.split(" "),
    ...'"entries": "nextId": "incidentUpdates": "config": "message": "error":'.split(" "),
    ...[apiKey, Buffer.from(apiKey).toString("base64"), "[".repeat(400)],
  ],
};
