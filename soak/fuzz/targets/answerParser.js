/** Bodies of answers: whatever comes, it is a value as described or an error in plain words, and nothing else. */
const assert = require("node:assert");
const { isDeepStrictEqual } = require("node:util");
const { answers: described } = require("../description");
const { built } = require("../dist");
const { isPlainLine } = require("../plainLine");
const { Random } = require("../random");

/** @type {typeof import("../../../provider/client/interpretResponse")} */
const responses = require(built("provider/client/interpretResponse"));
/** @type {typeof import("../../../provider/client/body")} */
const { readBody } = require(built("provider/client/body"));
/** @type {typeof import("../../../provider/client/errors")} */
const { isMonitoringError } = require(built("provider/client/errors"));
/** @type {typeof import("../../../provider/api/operations")} */
const { operations } = require(built("provider/api/operations"));
/** @type {typeof import("../../../provider/client/secretMasker")} */
const { SecretMasker } = require(built("provider/client/secretMasker"));

/** No message may hold it. */
const apiKey = "canary/0123456789+abcdef==";
const masker = new SecretMasker([apiKey]);
/** @type {readonly import("../../../provider/api/operations").Operation[]} */
const all = Object.values(operations);
const statuses = [200, 200, 200, 201, 302, 400, 401, 404, 408, 429, 500, 503, 101];

/**
 * The first two characters choose the operation and the status, the rest is the body. Most bodies are no JSON, so each
 * input also stands for an answer of success that is as described but for a place or two.
 * @param {string} input
 */
function run(input) {
  const operation = all[input.charCodeAt(0) % all.length] ?? operations.getIncident;
  const status = statuses[input.charCodeAt(1) % statuses.length] ?? 200;
  check(operation, status, input.slice(2));
  const random = Random.by(input);
  const other = random.of(all);
  const once = changed(bodies[all.indexOf(other)], random);
  check(other, 200, random.below(2) === 0 ? once : changed(JSON.parse(once), random));
  assert.deepEqual(Object.keys(Object.prototype), [], "every object has a new field");
}

/** As JSON, where one place of a value became another, or is gone. @param {unknown} value @param {Random} random */
function changed(value, random) {
  let places = 0;
  JSON.stringify(value, (_, inner) => {
    places += 1;
    return inner;
  });
  // The first place is the value itself, of which there would be nothing left.
  const chosen = 1 + random.below(places - 1);
  let place = 0;
  return JSON.stringify(value, (_, inner) => (place++ === chosen ? random.of(others) : inner));
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
  const answer = {
    kind: /** @type {const} */ ("response"),
    status,
    body,
    requestId: text,
    retryAfter: undefined,
  };
  const verdict = responses.toResult(answer, subject);
  const sent = status >= 200 && status < 300 ? jsonOf(text) : undefined;
  if ("error" in verdict) {
    assert.ok(sent === undefined, "an answer of success is taken for a failure");
    checkError(verdict.error, operation, status);
  } else {
    assert.ok(sent !== undefined, "a failure is taken for an answer of success");
    checkValue(verdict.json, sent.json, subject);
  }
}

/**
 * @param {unknown} json as the code under test read it
 * @param {unknown} sent
 * @param {import("../../../provider/client/interpretResponse").Subject} subject
 */
function checkValue(json, sent, subject) {
  const { operation } = subject;
  const judges = described.get(operation.name);
  assert.ok(judges, `docs/openapi.yaml doesn't describe ${operation.name}`);
  const { value, error } = valueOrError(() => responses.parseBody(json, operation.response, subject));
  if (error !== undefined) {
    assert.ok(!judges.described(sent), "an answer as described is not taken");
    checkError(error, operation, 200);
    return;
  }
  assert.ok(judges.bearable(sent), "an answer that isn't as described is taken");
  assert.ok(isDeepStrictEqual(value, sent), "the value isn't what the service sent");
  assert.ok(!holdsProto(value), "the value has a key that changes what a copy inherits");
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
 * What a body says, but for the keys that may not be copied.
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
  assert.equal(error.name, errorOf(operation, status), "the error says another thing than the status");
  assert.ok(isPlainLine(error.message, 1_500), "the message isn't one short printable line");
  assert.ok(!error.message.toLowerCase().includes(apiKey), "the message holds the API key");
}

/** @type {Readonly<Record<number, string>>} */
const errors = { 401: "AuthenticationError", 404: "NotFoundError", 429: "RateLimitError" };

/**
 * The error that a status stands for; of success, where the body is of no use.
 * @param {import("../../../provider/api/operations").Operation} operation
 * @param {number} status
 */
function errorOf({ method }, status) {
  const told = status >= 300 && status < 500 && status !== 408;
  if (method === "POST" && !told) return "OutcomeUnknownError";
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
  assert.ok(described.get(name)?.described(bodies[index]), `${name} is not as described to begin with`);

module.exports = {
  run,
  seeds: [...bodies, { statusCode: 400, error: "Bad Request", message: `not so: ${apiKey}` }].flatMap(
    (value, operation) =>
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
