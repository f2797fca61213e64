/**
 * The mutated files, the tests that must kill the mutants, and the required percentage. The tests of the first groups
 * call one module directly, so they are fast, and no other test makes up for a mutant that they miss.
 * @type {Record<string, {mutate: readonly string[], tests: string, bar: number}>}
 */
const groups = {
  "retry decision": { mutate: ["provider/client/retry.ts"], tests: "client/retry", bar: 100 },
  "path building": { mutate: ["provider/api/path.ts"], tests: "api/path", bar: 100 },
  redaction: {
    mutate: ["provider/client/redact.ts", "provider/client/secretMasker.ts"],
    tests: "client/(redact|secretEscapes|secretMasker)",
    bar: 100,
  },
  reconciliation: {
    mutate: [
      "provider/api/normalizeText.ts",
      "provider/api/timestamps.ts",
      ...["claims", "history", "publish", "search", "turns", "updateContent"].map(
        (name) => `provider/lifecycles/${name}.ts`,
      ),
    ],
    tests:
      "(api/(normalizeText|timestamp)|lifecycles/(history|updateContent|publish|incidentUpdate|incidentLock))",
    bar: 100,
  },
  client: { mutate: ["provider/api/**/*.ts", "provider/client/**/*.ts"], tests: "(api|client)/", bar: 90 },
  lifecycles: { mutate: ["provider/lifecycles/**/*.ts"], tests: "lifecycles/", bar: 90 },
  audit: { mutate: ["audit/**/*.ts"], tests: "(audit/|cli/audit|sdk/alertChannelAudit)", bar: 90 },
};

module.exports = { groups };
