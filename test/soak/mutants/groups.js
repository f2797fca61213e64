/**
 * What the stage `mutants` changes: the files that decide, with the tests that stand nearest to each. All tests of a group load for each
 * change, so a group has few. `least`: the score, in percent, below which the stage fails for a file.
 * @type {Record<string, {files: readonly string[], tests: readonly string[], least: number}>}
 */
const groups = {
  search: {
    files: ["search", "alikes", "codes", "entries", "move"].map((name) => `provider/protocol/${name}.ts`),
    tests: ["protocol/*.test.ts"],
    least: 96,
  },
  decide: {
    files: ["decide", "guards", "index", "task"].map((name) => `provider/protocol/${name}.ts`),
    tests: ["protocol/*.test.ts"],
    least: 96,
  },
  records: {
    files: ["records", "ledger", "identity"].map((name) => `provider/protocol/${name}.ts`),
    tests: ["protocol/*.test.ts"],
    least: 96,
  },
  diff: {
    files: ["provider/protocol/diff.ts"],
    tests: ["protocol/*.test.ts", "lifecycles/{edit,incidentUpdateInputs}.test.ts"],
    least: 96,
  },
  edit: {
    files: ["provider/protocol/edit.ts"],
    tests: ["protocol/*.test.ts", "lifecycles/edit.test.ts"],
    least: 96,
  },
  notes: {
    files: ["provider/publishing/notes.ts"],
    tests: ["publishing/{notes,publishing}.test.ts"],
    least: 92,
  },
  outcome: {
    files: ["provider/client/outcome.ts"],
    tests: ["client/{errors,attempts}.test.ts", "contract/client.test.ts"],
    least: 92,
  },
  paging: { files: ["provider/client/paging.ts"], tests: ["client/paging.test.ts"], least: 92 },
  proofreading: {
    files: ["provider/proofreading.ts"],
    tests: ["proofreading/proofreading.test.ts"],
    least: 92,
  },
  preview: {
    files: ["cli/preview/plan.ts", "cli/preview/report.ts"],
    tests: ["cli/preview/{plan,preview}.test.ts"],
    least: 92,
  },
  adoption: { files: ["cli/adopt/adoption.ts"], tests: ["cli/adopt.test.ts"], least: 92 },
  audit: {
    files: ["audit/auditAlertChannels.ts", "audit/baseline.ts"],
    tests: ["audit/{audit,baseline,canary,rules,waivers}.test.ts"],
    least: 92,
  },
  credentials: {
    files: ["provider/credentials/*.ts"],
    tests: ["credentials/*.test.ts"],
    least: 92,
  },
  wire: {
    files: ["plugin/wire.ts"],
    tests: ["plugin/{wire,components}.test.ts"],
    least: 92,
  },
};

module.exports = { groups };
