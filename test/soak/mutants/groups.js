const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

/** Tests of a folder. @param {string} folder @param {string[]} names */
const inFolder = (folder, ...names) => names.map((name) => `${folder}/${name}`);
/** @param {string[]} names */
const protocol = (...names) => ({
  files: names.map((name) => `provider/protocol/${name}.ts`),
  tests: inFolder("protocol", "decide", "sent", "diff", "edit", "move", "foresee", "identity", "records"),
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
  search: protocol("search", "codes", "move"),
  guards: protocol("guards", "index"),
  decide: protocol("decide", "results"),
  notes: {
    files: ["provider/publishing/notes.ts"],
    tests: inFolder("publishing", "notes", "lockDirectory"),
    least: 92,
  },
  outcome: {
    files: ["provider/client/outcome.ts"],
    tests: [...inFolder("client", "errors", "attempts"), "contract/client"],
    least: 92,
  },
  publishing: {
    files: ["provider/publishing/index.ts"],
    tests: ["publishing/publishing", "lifecycles/incidentUpdatePreview"],
    least: 92,
  },
  performers: {
    files: ["provider/publishing/performers.ts"],
    tests: ["publishing/publishing", "lifecycles/edit"],
    least: 92,
  },
  locks: {
    files: ["provider/publishing/lockDirectory.ts"],
    tests: inFolder("publishing", "notes", "lockDirectory"),
    least: 92,
  },
  run: {
    files: ["provider/run/index.ts"],
    tests: ["run/run", "dynamic/dynamicProvider"],
    least: 92,
  },
  paging: { files: ["provider/client/paging.ts"], tests: ["client/paging"], least: 92 },
  proofreading: {
    files: ["provider/proofreading/{index,leftoverRules}.ts"],
    tests: ["proofreading/proofreading"],
    least: 92,
  },
  plan: { files: ["cli/preview/plan.ts"], tests: inFolder("cli/preview", "plan", "report"), least: 92 },
  report: { files: ["cli/preview/report.ts"], tests: inFolder("cli/preview", "plan", "report"), least: 92 },
  preview: { files: ["cli/preview/index.ts"], tests: ["cli/preview/preview"], least: 92 },
  comment: { files: ["cli/comment.ts"], tests: ["cli/comment"], least: 92 },
  adoption: { files: ["cli/adopt/adoption.ts"], tests: ["cli/adopt"], least: 92 },
  audit: {
    files: ["audit/auditAlertChannels.ts"],
    tests: inFolder("audit", "audit", "waivers", "sources", "component", "ruleFile/settings"),
    least: 92,
  },
  selections: {
    files: ["audit/selections.ts"],
    tests: [...inFolder("audit", "rules", "sources", "ruleFile/settings"), "cli/audit/all"],
    least: 92,
  },
  files: {
    files: ["provider/files.ts"],
    tests: [
      "audit/sources",
      "audit/component",
      ...inFolder("cli/audit", "audit", "state"),
      ...inFolder("publishing", "notes", "lockDirectory"),
    ],
    least: 92,
  },
  credentials: {
    files: ["provider/credentials/{classify,shapes,placeholders}.ts"],
    tests: inFolder("credentials", "redactConfig", "secretsInSettings", "tokens"),
    least: 92,
  },
  grammar: {
    files: ["provider/credentials/{grammar,vendorForms}.ts"],
    tests: inFolder("credentials", "grammar", "secretsInSettings", "tokens", "vendors"),
    least: 92,
  },
  prose: {
    files: ["provider/credentials/prose.ts"],
    tests: ["credentials/prose", "proofreading/proofreading"],
    least: 92,
  },
  settings: {
    files: ["provider/credentials/{index,templates}.ts"],
    tests: inFolder("credentials", "redactConfig", "secretsInSettings", "settings", "templates"),
    least: 92,
  },
  connection: {
    files: ["provider/connection/{incidents,index,settings}.ts"],
    tests: inFolder("connection", "incidents", "settings"),
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
  sources: {
    files: ["audit/sources/{component,service}.ts"],
    tests: ["audit/sources", "audit/component", "cli/audit/all"],
    least: 92,
  },
  wire: {
    files: ["plugin/wire.ts"],
    tests: inFolder("plugin", "wire", "components", "pluginConfiguration"),
    least: 92,
  },
};

/**
 * How many changes of a file make no difference, and why. The stage fails where fewer survive, and prints all survivors where their number
 * is another one.
 * @type {Record<string, number>}
 */
const equivalents = {
  // A field that is undefined is read by its name alone; a waiver without a channel has no name.
  "audit/auditAlertChannels.ts": 2,
  // Without its shortcuts, it is only slower; what can't be read has no type, and each known type a target.
  "audit/selections.ts": 4,
  // Each name of a report has a format; nothing else is thrown there.
  "audit/sources/component.ts": 3,
  // An audit of all plans no reads; nothing else is thrown there; the client reads no such id; no channel without an id has a name.
  "audit/sources/service.ts": 5,
  // An index of a list has an element; a missing status is as invalid as any other; one line has no separator.
  "cli/adopt/adoption.ts": 5,
  // No file has either name; nothing is newer than no commit; each text has a first line; whoever isn't named is nobody in particular; a
  // request without a method is a GET.
  "cli/comment.ts": 12,
  // What isn't text is Markdown; each variable has a value; words that name no subject are as good as none; each command has a word, each
  // chunk a line; UTF-8 is the default.
  "cli/preview/index.ts": 6,
  // To check each text, or repeat what isn't held, is only slower; two bytes have an end; no folder is so called; only errors are thrown.
  "provider/files.ts": 8,
  // 200 is a success; a number has no entries; neither default has a total.
  "provider/client/outcome.ts": 4,
  // Every list has a first page; any constant does as a version; both pages reach equally far.
  "provider/client/paging.ts": 3,
  // No incident has this id; nothing else is thrown there; settings with a mistake have no codes; no variable has this name.
  "provider/connection/incidents.ts": 1,
  "provider/connection/index.ts": 1,
  "provider/connection/settings.ts": 2,
  // A cache of one list has any key; nothing reads components, or a list, that nobody asked for; a text has no services.
  "provider/connection/reads.ts": 1,
  "provider/lookups/channelNames.ts": 1,
  "provider/lookups/openIncidents.ts": 2,
  // Exactly one selector is given, and has a value; a name has an id; each text has a host name, which may be empty.
  "provider/lookups/index.ts": 6,
  // Keys are never equal; a mailbox has both of its parts; what may hold the target has one.
  "provider/credentials/index.ts": 6,
  // Nothing asks about such a kind or class; no host, header or segment is so called.
  "provider/credentials/classify.ts": 21,
  // No example has this host, and no sequence these words.
  "provider/credentials/placeholders.ts": 2,
  // A key that is public leaves no word, nor does what isn't there: no name, no prefix, no host; what it is replaced by divides nothing.
  "provider/credentials/prose.ts": 12,
  // No part of a shorter text is long enough; one piece is as few as none.
  "provider/credentials/shapes.ts": 5,
  // Each match has a name; what is within quotes doesn't count.
  "provider/credentials/templates.ts": 3,
  // Each entry has a status, each match both of its parts; 26Nov is read as 26 Nov; what code and quotations are replaced by divides nothing;
  // no address has five numbers; no time is before none.
  "provider/proofreading/index.ts": 14,
  // It has no id of an update, and isn't known by its words.
  // The list is searched for one id.
  "provider/protocol/decide.ts": 2,
  // What was sent says nothing that is shown; the check demands each field; a timeline's keys aren't read.
  "provider/protocol/diff.ts": 7,
  // A problem follows an edit alone; no entry has these words; a code has any name.
  "provider/protocol/edit.ts": 12,
  // No entry has these words, and no update this id; no update is this text, or has it as an id.
  "provider/protocol/guards.ts": 8,
  // Each text has a first part.
  "provider/protocol/identity.ts": 1,
  // The lists are searched for one id or note; what is adopted is shown; it has no status.
  "provider/protocol/index.ts": 5,
  // A copy is as good; no resource, and no update, has such a name.
  "provider/protocol/ledger.ts": 5,
  // The list is searched for one id; only an update moves whose declared words are known.
  "provider/protocol/move.ts": 2,
  // Nothing else is thrown there, and it has an issue.
  "provider/protocol/records.ts": 4,
  // The list is searched for one id; where none is free, each has an owner.
  "provider/protocol/search.ts": 4,
  // Without an incident, nothing is learned; no edit is of no update; a preview notes nothing.
  "provider/publishing/index.ts": 7,
  // Nothing else is thrown there; no text has such words; only a read asks again; what was sent has a time.
  "provider/publishing/performers.ts": 4,
  // No folder fails in another way than none; a millisecond isn't noticed; no file has such a name; a function returns undefined at its end.
  "provider/publishing/lockDirectory.ts": 6,
  // No note has this nonce; without a file there is no owner; only Windows has no user ids.
  "provider/publishing/notes.ts": 13,
  // What is no read has no outputs; a timer that is left ends nothing.
  "provider/run/index.ts": 3,
};

/** @param {string} name of a test */
const testFile = (name) => path.join(__dirname, "../..", `${name}.test.ts`);

/** Where the results of a group are kept: elsewhere once one of its tests has changed, which Stryker doesn't see. @param {string} name */
function getResultsFile(name) {
  const hash = createHash("sha256");
  for (const test of groups[name]?.tests ?? []) hash.update(fs.readFileSync(testFile(test)));
  return `node_modules/.cache/mutants/${name}-${hash.digest("hex").slice(0, 8)}.json`;
}

module.exports = { equivalents, groups, getResultsFile, testFile };
