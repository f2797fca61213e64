/** Rule files: each gives rules, or all of its mistakes with their positions. */
const assert = require("node:assert");
const { built } = require("../dist");

/** @type {typeof import("../../../audit/ruleFile")} */
const { parseRules, readRules } = require(built("audit/ruleFile"));
/** @type {typeof import("../../../audit/ruleFile/mistakes")} */
const { RulesError } = require(built("audit/ruleFile/mistakes"));

const file = "audit.yaml";

/** @param {string} input */
function run(input) {
  const mistakes = mistakesOf(() => parseRules(input, file));
  assert.ok(mistakes.length === 0 || !valid.includes(input), "a valid rule file is rejected");
  const lines = input.split(/\r\n|\r|\n/).length;
  for (const { reason, line, column, at } of mistakes) {
    assert.ok(reason !== "", "a mistake without a reason");
    assert.ok(line !== undefined && line >= 1 && line <= lines, `a mistake on line ${line} of ${lines}`);
    assert.ok(column !== undefined && column >= 1, "a mistake without a column");
    assert.ok(!at.includes("undefined"), "a mistake in an unknown place");
  }
  assert.deepEqual(Object.keys(Object.prototype), [], "every object has a new field");
  const json = jsonOf(input);
  if (mistakes.length === 0 && json !== undefined) {
    assert.deepEqual(
      mistakesOf(() => readRules(json)),
      [],
      "the same rules as an object are rejected",
    );
    checkRules(json, parseRules(input, file));
  }
}

/**
 * Each setting and waiver takes effect.
 * @param {{rules?: Record<string, unknown> | null, waivers?: unknown[] | null}} json
 * @param {ReturnType<typeof parseRules>} parsed
 */
function checkRules({ rules, waivers }, parsed) {
  const on = new Set(parsed.rules.map(({ id }) => id));
  for (const [id, setting] of Object.entries(rules ?? {}))
    assert.equal(on.has(id), setting !== "off", `${setting === "off" ? "off" : "on"}, and read otherwise`);
  assert.equal(parsed.waivers.length, waivers?.length ?? 0, "a waiver is lost");
}

/** @param {() => unknown} read */
function mistakesOf(read) {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    assert.ok(error.mistakes.length > 0, "an error without a mistake");
    return error.mistakes;
  }
}

/**
 * @param {string} text
 * @returns {Parameters<typeof checkRules>[0] | undefined}
 */
function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Valid rule files. Without them, a reader that rejects everything would pass. */
const valid = [
  "extends: recommended\n",
  "extends: strict\nrules:\n  stale: off\n  https-hook: {severity: warning, select: {types: [WEBHOOK]}}\nchannels: {ops: 4101}\n",
  "extends: recommended\nwaivers:\n  - rule: stale\n    channel: ops\n    reason: moving\n    owner: ops\n    expires: 2027-01-31\n",
  "customRules:\n  - id: eu-only\n    title: EU only\n    why: law\n    fix: move\n    severity: error\n    select: {types: [OPSGENIE]}\n    path: config.region\n    equals: EU\n",
  "customRules:\n  - {id: a, title: b, schema: {properties: {sslExpiryThreshold: {minimum: 14}}, if: {type: object}, then: {required: [name]}}}\n",
  '{"rules": {"stale": "off", "https-hook": "warning"}, "extends": "strict", "waivers": [{"rule": "stale", "channel": 1, "reason": "a", "owner": "b", "expires": "2027-01-31"}]}',
  '{"extends": "recommended", "channels": {"a": 1, "b": "2"}, "rules": {"stale": {"severity": "error"}}}',
];

module.exports = {
  run,
  seeds: [...valid, "a: &x [1]\nb: *x\n<<: *x\n"],
  words: [
    ..."extends rules waivers channels customRules stale pattern schema anyOf not select __proto__ constructor toString"
      .split(" ")
      .map((key) => `${key}: `),
    ..."off error recommended (a+)+$ *a --- ... # { } [ ] ' null 1e999 0o17 .nan 2027-01-31".split(" "),
    ...[
      "&a ",
      "<<: ",
      "!!js/function ",
      "!!binary ",
      "? ",
      "- ",
      "---\n",
      "...\n",
      "%YAML 1.1\n",
      "|\n",
      ">-\n",
    ],
    ...["\n", "\n  ", "\t", ": ", '"'],
  ],
};
