const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

/** Tests of a folder. @param {string} folder @param {string[]} names */
const inFolder = (folder, ...names) => names.map((name) => `${folder}/${name}`);
/** @param {string[]} names */
const protocol = (...names) => ({
  files: names.map((name) => `provider/protocol/${name}.ts`),
  tests: inFolder("protocol", "decide", "notes", "sent", "diff", "edit", "foresee", "identity", "records"),
  least: 96,
});

/**
 * What the stage `mutants` changes: the files that decide, with the tests that stand nearest to each. All tests of a group load for each
 * change, so a group has few. `least`: the score, in percent, below which the stage fails for a file.
 * @type {Record<string, {files: readonly string[], tests: readonly string[], least: number}>}
 */
const groups = {
  edit: protocol("edit"),
  diff: protocol("diff"),
  records: protocol("records", "ledger", "identity"),
  search: protocol("search", "codes"),
  guards: protocol("guards", "index"),
  decide: protocol("decide", "results"),
  notes: {
    files: ["provider/publishing/notes.ts"],
    tests: inFolder("publishing", "notes", "lockDirectory"),
    least: 92,
  },
  locks: {
    files: ["provider/publishing/lockDirectory.ts"],
    tests: inFolder("publishing", "notes", "lockDirectory"),
    least: 92,
  },
  publishing: {
    files: ["provider/publishing/index.ts"],
    tests: ["publishing/publishing", "lifecycles/incidentUpdate"],
    least: 92,
  },
  performers: {
    files: ["provider/publishing/performers.ts"],
    tests: ["publishing/publishing", "lifecycles/incidentUpdate"],
    least: 92,
  },
  run: {
    files: ["provider/run/index.ts"],
    tests: ["run/run", "dynamic/dynamicProvider"],
    least: 92,
  },
  updates: {
    files: ["provider/lifecycles/incidentUpdate.ts"],
    tests: inFolder("lifecycles", "incidentUpdate", "incidentUpdateInputs"),
    least: 92,
  },
  incidents: {
    files: ["provider/lifecycles/{incident,impacts}.ts"],
    tests: inFolder("lifecycles", "incident", "incidentInputs", "impacts"),
    least: 92,
  },
  connection: {
    files: ["provider/connection/{index,settings}.ts"],
    tests: inFolder("connection", "incidents", "settings"),
    least: 92,
  },
  locations: {
    files: ["provider/connection/incidents.ts"],
    tests: ["connection/incidents", "lifecycles/incident"],
    least: 92,
  },
  lookups: {
    files: ["provider/connection/reads.ts", "provider/lookups/{channelNames,lookupErrors,openIncidents}.ts"],
    tests: [...inFolder("lookups", "lookups", "statusPages"), "sdk/dataSources"],
    least: 92,
  },
  dataSources: {
    files: ["provider/lookups/index.ts"],
    tests: [...inFolder("lookups", "lookups", "statusPages"), "sdk/dataSources"],
    least: 92,
  },
  calls: {
    files: ["provider/client/calls.ts"],
    tests: [...inFolder("client", "attempts", "timeLimits", "input", "paging"), "contract/client"],
    least: 92,
  },
  http: {
    files: ["provider/client/http.ts"],
    tests: inFolder("client", "transport/transport", "transport/proxy", "errors", "timeLimits"),
    least: 92,
  },
  outcome: {
    files: ["provider/client/outcome.ts"],
    tests: ["client/errors", "contract/client"],
    least: 92,
  },
  paging: { files: ["provider/client/paging.ts"], tests: ["client/paging"], least: 92 },
  masker: { files: ["provider/client/secretMasker.ts"], tests: ["client/secretMasker"], least: 92 },
  messages: {
    files: ["provider/wording/{refusals,notices}.ts"],
    tests: ["wording/messages"],
    least: 92,
  },
  previewFacts: {
    files: ["provider/wording/{report,editChanges,previewFacts}.ts"],
    tests: ["wording/report", "cli/preview/report"],
    least: 92,
  },
  credentials: {
    files: ["provider/credentials/{classify,placeholders}.ts"],
    tests: inFolder("credentials", "redactConfig", "secretsInSettings", "tokens"),
    least: 92,
  },
  grammar: {
    files: ["provider/credentials/{grammar,vendorForms}.ts"],
    tests: inFolder("credentials", "grammar", "redactConfig", "secretsInSettings", "tokens", "vendors"),
    least: 92,
  },
  settings: {
    files: ["provider/credentials/index.ts"],
    tests: inFolder("credentials", "redactConfig", "secretsInSettings", "settings"),
    least: 92,
  },
  prose: {
    files: ["provider/credentials/prose.ts"],
    tests: ["credentials/prose", "proofreading/proofreading"],
    least: 92,
  },
  proofreading: {
    files: ["provider/proofreading/{index,leftoverRules}.ts"],
    tests: ["proofreading/proofreading"],
    least: 92,
  },
  files: {
    files: ["provider/files.ts"],
    tests: [
      "audit/sources",
      "audit/component",
      "cli/audit/audit",
      ...inFolder("publishing", "notes", "lockDirectory"),
    ],
    least: 92,
  },
  registration: { files: ["sdk/registration.ts"], tests: ["sdk/mocks"], least: 92 },
  program: { files: ["sdk/program.ts"], tests: inFolder("sdk", "duplicateUpdates", "mocks"), least: 92 },
  wire: {
    files: ["plugin/wire.ts"],
    tests: inFolder("plugin", "wire", "components", "pluginConfiguration"),
    least: 92,
  },
  audit: {
    files: ["audit/auditAlertChannels.ts"],
    tests: [
      ...inFolder("audit", "audit", "exceptions", "sources", "component", "ruleFile/settings"),
      "cli/audit/plan",
    ],
    least: 92,
  },
  selections: {
    files: ["audit/selections.ts"],
    tests: [...inFolder("audit", "rules", "sources", "ruleFile/settings"), "cli/audit/all"],
    least: 92,
  },
  sources: {
    files: ["audit/sources/{component,service}.ts"],
    tests: ["audit/sources", "audit/component", "cli/audit/all"],
    least: 92,
  },
  plan: { files: ["cli/preview/plan.ts"], tests: inFolder("cli/preview", "plan", "report"), least: 92 },
  report: { files: ["cli/preview/report.ts"], tests: inFolder("cli/preview", "plan", "report"), least: 92 },
  preview: { files: ["cli/preview/index.ts"], tests: ["cli/preview/preview"], least: 92 },
  comment: { files: ["cli/comment.ts"], tests: ["cli/comment"], least: 92 },
  adoption: { files: ["cli/adopt/adoption.ts"], tests: ["cli/adopt"], least: 92 },
  store: {
    files: ["sandbox/{store,handlers}.ts"],
    tests: [
      ...inFolder("sandbox", "operations", "componentPages", "incidents", "errors", "start"),
      ...inFolder("contract", "client", "sandbox"),
    ],
    least: 92,
  },
};

/** @param {string} name of a test */
const testFile = (name) => path.join(__dirname, "../..", `${name}.test.ts`);

/** Where the results of a group are kept: elsewhere once one of its tests has changed, which Stryker doesn't see. @param {string} name */
function getResultsFile(name) {
  const hash = createHash("sha256");
  for (const test of groups[name]?.tests ?? []) hash.update(fs.readFileSync(testFile(test)));
  return `node_modules/.cache/mutants/${name}-${hash.digest("hex").slice(0, 8)}.json`;
}

module.exports = { groups, getResultsFile, testFile };
