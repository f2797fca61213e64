/**
 * What is mutated, the tests that are to find the mutants, and how many of them, in percent. The tests of the first
 * groups are those that ask one module directly: they are fast, and what they don't find stands nowhere.
 * @type {Record<string, {mutate: readonly string[], tests: string, bar: number}>}
 */
const groups = {
  "retry decision": { mutate: ["provider/client/retry.ts"], tests: "client/retryDecision", bar: 100 },
  "path building": { mutate: ["provider/client/path.ts"], tests: "client/path", bar: 100 },
  redaction: {
    mutate: ["provider/client/redact.ts", "provider/client/quote.ts"],
    tests: "client/(redact|hostClass|quote)",
    bar: 100,
  },
  reconciliation: {
    mutate: ["publish", "history", "words", "instant"].map((name) => `provider/lifecycles/${name}.ts`),
    tests: "lifecycles/(history|words|instant|publish)",
    bar: 100,
  },
  client: { mutate: ["provider/client/**/*.ts"], tests: "client/", bar: 90 },
  lifecycles: { mutate: ["provider/lifecycles/**/*.ts"], tests: "lifecycles/", bar: 90 },
  audit: { mutate: ["sdk/audit/**/*.ts"], tests: "(audit/|cli/audit|sdk/alertChannelAudit)", bar: 90 },
};

module.exports = { groups };
