const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

/** Returns the paths of tests in a folder. @param {string} folder @param {string[]} names */
const inFolder = (folder, ...names) => names.map((name) => `${folder}/${name}`);
/** @param {number} least @param {string[]} names */
const protocol = (least, ...names) => ({
  files: names.map((name) => `provider/protocol/${name}.ts`),
  tests: inFolder(
    "protocol",
    "decide",
    "notes",
    "sent",
    "diff",
    "edit",
    "predict",
    "identity",
    "records",
    "ledger",
  ),
  least,
});

/**
 * The groups of the stage `mutants`: the files with decisions, and the tests nearest to them. Each change loads all tests of its group, so a
 * group contains few tests. `least` is the minimum score of each file, in percent. The default is 85, because some changes have no effect.
 * @type {Record<string, {files: readonly string[], tests: readonly string[], least?: number}>}
 */
const groups = {
  edit: protocol(83, "edit"),
  diff: protocol(88, "diff"),
  records: protocol(88, "records", "ledger", "identity"),
  search: protocol(94, "search", "codes"),
  guards: protocol(90, "guards", "index"),
  decide: protocol(88, "decide", "results"),
  notes: {
    files: ["provider/publishing/{notes,lockDirectory}.ts"],
    tests: inFolder("publishing", "notes", "lockDirectory"),
  },
  publishing: {
    files: ["provider/publishing/{index,performers}.ts"],
    tests: ["publishing/publishing", "lifecycles/incidentUpdate"],
  },
  openings: {
    files: ["provider/publishing/openings.ts"],
    tests: ["publishing/openings"],
  },
  run: {
    files: ["provider/run/index.ts"],
    tests: ["run/run", "dynamic/dynamicProvider"],
  },
  updates: {
    files: ["provider/lifecycles/incidentUpdate.ts"],
    tests: inFolder("lifecycles", "incidentUpdate", "incidentUpdateInputs"),
    least: 92,
  },
  entries: {
    files: ["provider/lifecycles/{entries,entryState}.ts"],
    tests: [
      ...inFolder("lifecycles", "changes", "incidentUpdate", "incidentUpdateInputs", "incident"),
      ...inFolder("driver", "announcements", "behaviour", "rejections"),
      ...["run/run", "cli/preview/plan"],
    ],
  },
  timeline: {
    files: ["provider/lifecycles/timeline.ts"],
    tests: ["lifecycles/incidentUpdateInputs", "plugin/components"],
  },
  changes: {
    files: ["provider/lifecycles/changes.ts"],
    tests: ["lifecycles/changes", ...inFolder("driver", "announcements", "behaviour", "rejections")],
  },
  incidents: {
    files: ["provider/lifecycles/{incident,impacts}.ts"],
    tests: [...inFolder("lifecycles", "incident", "incidentInputs", "impacts"), "driver/announcements"],
  },
  connection: {
    files: ["provider/connection/{index,settings}.ts"],
    tests: inFolder("connection", "incidents", "settings"),
  },
  locations: {
    files: ["provider/connection/incidents.ts"],
    tests: ["connection/incidents", "lifecycles/incident"],
  },
  lookups: {
    files: ["provider/connection/reads.ts", "provider/lookups/*.ts"],
    tests: [...inFolder("lookups", "lookups", "statusPages"), "sdk/dataSources"],
  },
  resendCodes: { files: ["provider/resendCodes.ts"], tests: ["protocol/decide"] },
  times: { files: ["provider/api/{history,timestamps}.ts"], tests: ["api/api", "protocol/decide"] },
  calls: {
    files: ["provider/client/calls.ts"],
    tests: [...inFolder("client", "attempts", "timeLimits", "input", "paging"), "contract/client"],
  },
  http: {
    files: ["provider/client/http.ts"],
    tests: inFolder("client", "transport/transport", "transport/proxy", "errors", "timeLimits"),
  },
  outcome: {
    files: ["provider/client/outcome.ts"],
    tests: ["client/errors", "contract/client"],
  },
  paging: { files: ["provider/client/paging.ts"], tests: ["client/paging"] },
  masker: { files: ["provider/client/secretMasker.ts"], tests: ["client/secretMasker"] },
  messages: {
    files: ["provider/wording/{rejections,notices}.ts"],
    tests: ["wording/messages"],
  },
  previewFacts: {
    files: ["provider/wording/{report,editChanges,previewFacts}.ts"],
    tests: ["wording/report", "cli/preview/report"],
  },
  credentials: {
    files: ["provider/credentials/{classify,placeholders}.ts"],
    tests: inFolder("credentials", "redactConfig", "secretsInSettings", "tokens"),
  },
  grammar: {
    files: ["provider/credentials/{grammar,vendorForms}.ts"],
    tests: inFolder("credentials", "grammar", "redactConfig", "secretsInSettings", "tokens", "vendors"),
  },
  settings: {
    files: ["provider/credentials/index.ts"],
    tests: inFolder("credentials", "redactConfig", "secretsInSettings", "settings"),
  },
  prose: {
    files: ["provider/credentials/prose.ts"],
    tests: ["credentials/prose", "proofreading/proofreading"],
  },
  proofreading: {
    files: ["provider/proofreading/{index,leftoverRules}.ts"],
    tests: ["proofreading/proofreading"],
  },
  files: {
    files: ["provider/files.ts"],
    tests: [
      "audit/sources",
      "audit/component",
      "cli/audit/audit",
      ...inFolder("publishing", "notes", "lockDirectory"),
    ],
  },
  registration: { files: ["sdk/registration.ts"], tests: ["sdk/mocks"] },
  program: { files: ["sdk/program.ts"], tests: ["sdk/mocks"] },
  wire: {
    files: ["plugin/wire.ts"],
    tests: inFolder("plugin", "wire", "components", "pluginConfiguration"),
  },
  audit: {
    files: ["audit/auditAlertChannels.ts"],
    tests: [
      ...inFolder("audit", "audit", "exceptions", "sources", "component", "ruleFile/settings"),
      "cli/audit/plan",
    ],
  },
  selections: {
    files: ["audit/selections.ts"],
    tests: [...inFolder("audit", "exceptions", "rules", "sources", "ruleFile/settings"), "cli/audit/all"],
  },
  sources: {
    files: ["audit/sources/{component,service}.ts"],
    tests: ["audit/sources", "audit/component", "cli/audit/all"],
  },
  auditCommand: {
    files: inFolder("cli/audit", "index.ts", "channels.ts", "plan.ts"),
    tests: [...inFolder("cli/audit", "all", "audit", "plan"), "cli/progress", "cli/stackConfig"],
  },
  plan: { files: ["cli/preview/plan.ts"], tests: inFolder("cli/preview", "plan", "report") },
  report: { files: ["cli/preview/report.ts"], tests: inFolder("cli/preview", "plan", "report") },
  preview: { files: ["cli/preview/index.ts"], tests: ["cli/preview/preview"] },
  comment: { files: ["cli/comment.ts"], tests: ["cli/comment"] },
  adoption: { files: ["cli/adopt/adoption.ts"], tests: ["cli/adopt"] },
  store: {
    files: ["sandbox/{store,handlers}.ts"],
    tests: [
      ...inFolder("sandbox", "operations", "componentPages", "incidents", "errors", "start"),
      ...inFolder("contract", "client", "sandbox"),
    ],
  },
};

/** @param {string} name of a test */
const getTestFile = (name) => path.join(__dirname, "../..", `${name}.test.ts`);

/**
 * Returns the path of a group's cached results. It contains a hash of the group's tests, because Stryker doesn't detect changed tests.
 * @param {string} name
 */
function getResultsFile(name) {
  const hash = createHash("sha256");
  for (const test of groups[name]?.tests ?? []) hash.update(fs.readFileSync(getTestFile(test)));
  return `node_modules/.cache/mutants/${name}-${hash.digest("hex").slice(0, 8)}.json`;
}

module.exports = { groups, getResultsFile, getTestFile };
