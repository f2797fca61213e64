/**
 * What is mutated, the tests that are to find the mutants, and how many of them, in percent. The tests of the first
 * groups are those that ask one module directly: they are fast, and what they don't find stands nowhere.
 * @type {Record<string, {mutate: readonly string[], tests: string, bar: number}>}
 */
const groups = {
  "retry decision": { mutate: ["provider/client/retry.ts"], tests: "client/retry", bar: 100 },
  "path building": { mutate: ["provider/api/path.ts"], tests: "api/path", bar: 100 },
  redaction: {
    mutate: ["provider/client/redact.ts", "provider/client/secretMasker.ts"],
    tests: "client/(redact|secretMasker)",
    bar: 100,
  },
  reconciliation: {
    mutate: [
      "provider/api/timestamps.ts",
      ...["claims", "history", "publish", "search", "turns", "words"].map(
        (name) => `provider/lifecycles/${name}.ts`,
      ),
    ],
    tests: "(api/timestamp|lifecycles/(history|words|publish|incidentUpdate|incidentLock))",
    bar: 100,
  },
  client: { mutate: ["provider/{api,client}/**/*.ts"], tests: "(api|client)/", bar: 90 },
  lifecycles: { mutate: ["provider/lifecycles/**/*.ts"], tests: "lifecycles/", bar: 90 },
  audit: { mutate: ["audit/**/*.ts"], tests: "(audit/|cli/audit|sdk/alertChannelAudit)", bar: 90 },
};

module.exports = { groups };
