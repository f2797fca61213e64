/** Tests the audit of an `AlertChannelAudit`. Tests on the real engine cover the resource. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { connectTo, wellKnown } from "../../sandbox";
import type { AlertChannelAuditArgs } from "../../sdk";
import { type Rules } from "../../audit";
import { parseRules } from "../../audit/public";
import { runAlertChannelAudit, createEmptyReport } from "../../audit/sources";
import { Connections } from "../../provider/connection";
import { lookups, runLookup } from "../../provider/lookups";
import { sharedSandbox } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";
import { silence } from "./channels";

const { onCall, legacyHook, operationsMail, opsgenie } = wellKnown.alertChannels;

const sandbox = sharedSandbox();
beforeAll(() => {
  connectTo(sandbox());
  process.env["MONITORING_ALERT_CHANNELS"] = JSON.stringify({ "on-call": onCall, mail: 1 });
});

const warnings: string[] = [];
beforeEach(() => {
  warnings.splice(0);
  sandbox().clearRequests();
});

const getErrorText = (reading: Promise<unknown>) => reading.then(() => "nothing was wrong", String);

const newProgram = () => new Connections(undefined, process.env);
const mandatory = (args: AlertChannelAuditArgs, connections = newProgram()) => {
  const warn = (text: string): void => void warnings.push(text);
  return runAlertChannelAudit("channels", args, { connections, warn });
};
const audit = (args: AlertChannelAuditArgs, connections?: Connections) =>
  mandatory({ ...args, enforcement: "advisory" }, connections);

it("AlertChannelAudit audits the channels in its arguments, by ID or name, reads each once and sorts them by ID", async () => {
  const channels = [legacyHook, "on-call", String(onCall), onCall];
  const report = await audit({ channels, rules: { ...silence, allChannels: true } });
  expect(report.channels.map(({ id, name }) => [id, name])).toEqual([
    [onCall, "on-call"],
    [legacyHook, undefined],
  ]);
  const ids = sandbox().requests.map(({ path }) => Number(path.split("/").at(-1)));
  expect(ids.sort()).toEqual([onCall, legacyHook]);
});

it("AlertChannelAudit audits all channels if none are named, and shares one list request with the data sources", async () => {
  const connections = newProgram();
  const report = await audit({ allChannels: true, rules: silence }, connections);
  const { channels, notEvaluable, source } = report;
  expect([source, notEvaluable.map(({ channel }) => channel?.id)]).toEqual([
    expect.stringContaining(new URL(sandbox().url).host),
    ["1"],
  ]);
  expect(channels).toHaveLength(sandbox().data.accounts[0].alertChannels.length);
  expect(channels.slice(0, 2).map(({ name, title }) => name ?? title)).toEqual(["on-call", "Platform"]);
  expect((await audit({ rules: { ...silence, allChannels: true } }, connections)).channels).toEqual(channels);
  const titled = await audit({ channels: ["Platform"], rules: silence }, connections);
  expect(titled.channels).toMatchObject([{ id: opsgenie, title: "Platform" }]);
  await runLookup(lookups.getAlertChannels, { all: true }, { connections });
  // The first page is read again at the end, because the list may have changed.
  const firstPages = sandbox().requests.filter(({ query }) => query["limit"] === "100");
  expect(firstPages).toHaveLength(2);
});

it.each([
  [403, "the list couldn't be read completely (0 channels read)"],
  [404, "This service doesn't list alert channels"],
])("AlertChannelAudit fails without the list of all channels, for HTTP %d", async (code, message) => {
  sandbox().faults.add({ kind: "status", code, operation: "listAlertChannels" });
  expect(await getErrorText(mandatory({ allChannels: true }))).toContain(message);
  sandbox().faults.clear();
});

it("AlertChannelAudit compares channels with each other only if all channels are audited", async () => {
  const channels = { "on-call": operationsMail, mail: operationsMail };
  const fleet: Rules = { rules: { "on-call-type": "error" }, channels };
  expect((await audit({ rules: fleet })).counts).toMatchObject({ errors: 1, notEvaluable: 0 });
  const one = await audit({ channels: ["mail"], rules: fleet });
  expect(one.counts).toMatchObject({ errors: 0, notEvaluable: 1 });
});

it.each<[string, () => AlertChannelAuditArgs["rules"], string]>([
  ["are by default the recommended ones", () => undefined, "send-failure"],
  ["come as a RuleSet", () => parseRules("rules: { send-failure: error }", "x"), "send-failure"],
])("the rules of AlertChannelAudit %s", async (_, rules, expected) => {
  const report = await audit({ channels: [operationsMail], rules: rules() });
  expect(report.findings.map(({ rule }) => rule)).toEqual([expected]);
});

const mail = { channels: [operationsMail], rules: silence };
const warning: Rules = { rules: { "send-failure": "warning" } };
const failed =
  /^AlertChannelAuditError: AlertChannelAudit "channels": the audit failed\. No resource that depends on it was changed\.\n/;
it.each<[string, AlertChannelAuditArgs, fails: boolean, warns: boolean]>([
  ["an error fails", mail, true, false],
  ["an error of an advisory audit warns", { ...mail, enforcement: "advisory" }, false, true],
  ["a warning warns", { ...mail, rules: warning }, false, true],
  ["a channel that can't be read fails", { channels: [99, onCall], rules: silence }, true, false],
  [
    "one of an advisory audit warns",
    { channels: [99], rules: silence, enforcement: "advisory" },
    false,
    true,
  ],
  ["nothing is nothing", { channels: [onCall], rules: silence, enforcement: "mandatory" }, false, false],
])("the result of AlertChannelAudit: %s", async (_, args, fails, warns) => {
  const said = await mandatory(args).then(() => "", String);
  expect(said).toMatch(fails ? failed : /^$/);
  expect(warnings).toEqual(warns ? [expect.stringMatching(/^AlertChannelAudit "channels":\n.*\S$/s)] : []);
});

it("AlertChannelAudit without channels requires a configured channel name", async () => {
  const nameless = new Connections(undefined, { ...process.env, MONITORING_ALERT_CHANNELS: "" });
  expect(await getErrorText(mandatory({}, nameless))).toContain(
    "channels is required, because no channel has a name in MONITORING_ALERT_CHANNELS: run `export MONITORING_ALERT_CHANNELS='{\"on-call\": 200123}'`, or set allChannels: true",
  );
});

it("an audit of channels that aren't known yet has no findings", () => {
  const none = { preset: "recommended", channels: [], findings: [] };
  expect(createEmptyReport()).toMatchObject(none);
});

it("a report has the format of its file extension, and an unwritable file causes an error before any read", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, ".git"));
  mkdirSync(join(folder, "infra"));
  process.chdir(join(folder, "infra"));
  await audit({ channels: [operationsMail], rules: silence, report: "audit.sarif" });
  expect(readFileSync("audit.sarif", "utf8")).toContain('"infra/Pulumi.yaml"');
  expect(readdirSync(".")).toEqual(["audit.sarif"]);
  sandbox().clearRequests();
  const file = join(folder, "no", "where.html");
  const getReportError = (report: string) => getErrorText(audit({ channels: [onCall], report }));
  expect(await getReportError(file)).toBe(`AuditError: ${file} can't be written: no such file or directory`);
  mkdirSync(join(folder, "a.json"));
  expect(await getReportError(join(folder, "a.json"))).toMatch(/the path is a directory$/);
  expect(sandbox().requests).toEqual([]);
  expect(existsSync(file)).toBe(false);
  const full = join(folder, "full.json");
  symlinkSync("/dev/full", full);
  // Only Linux has this device. Elsewhere, the file can't be created in this folder.
  const failed = `AuditError: ${full} can't be written: `;
  const expected = existsSync("/dev/full")
    ? `${failed}no space left on device`
    : expect.stringContaining(failed);
  expect(await getReportError(full)).toEqual(expected);
});

it.each<[string, unknown, RegExp]>([
  [
    "arguments, all at once",
    { channels: [], rules: 3, enforcement: "madatory", report: "audit.pdf", account: "", chanels: [1] },
    /^InvalidInputError: AlertChannelAudit "channels":\n {2}- channels must contain an ID or a name, or be omitted. By default, all named channels are audited\.\n {2}- rules must be the path of a rule file, or an object\.\n {2}- enforcement must be one of mandatory, advisory\.\n {2}- report must be a file name that ends with \.txt, \.json, \.md, \.sarif, \.xml, \.html\.\n {2}- account must be .*\.\n {2}- chanels is not known; expected one of channels, allChannels, rules, enforcement, report, account \(did you mean "channels"\?\)\.$/,
  ],
  [
    "a list and a file that are none",
    { channels: "on-call", report: 3 },
    /:\n {2}- channels must be a list of IDs or names. By default, all named channels are audited\.\n {2}- report must be a file/,
  ],
  [
    "arguments and rules, all at once",
    { channels: [], rules: { rules: { "send-falure": "error" } } },
    /:\n {2}- channels must contain .*\.\n {2}- rules\.rules\.send-falure is not known/,
  ],
  [
    "arguments and rules that are none",
    { channels: [], rules: [] },
    /:\n {2}- channels must contain .*\.\n {2}- rules must be /,
  ],
  ["allChannels", { allChannels: "yes" }, /: allChannels must be true or false\.$/],
  ["two ways", { allChannels: true, channels: [1] }, /: channels, allChannels are mutually exclusive/],
  [
    "arguments and a rule file, all at once",
    { channels: [null, "on-call", {}], rules: "nowhere.yaml" },
    /:\n {2}- channels\[0\] must be an ID or a name\.\n {2}- channels\[2\] must be an ID or a name\.\n {2}- rules: nowhere\.yaml can't be read: no such file or directory\.$/,
  ],
  [
    "channels and account, all at once",
    { channels: ["on-cal", "../x", 1.5], account: "eu" },
    /^InvalidInputError: AlertChannelAudit "channels":\n {2}- channels: "on-cal" is neither an ID nor a name \(did you mean "on-call"\?\)\.\n {2}- channels: "\.\.\/x" is neither an ID nor a name \(names: on-call, mail\)\.\n {2}- channels: 1\.5 .*\.\n {2}- account must be a name in monitoring:accounts, which is not set\.$/,
  ],
  [
    "channels, one of which is an API key",
    { channels: ["on-call", wellKnown.apiKeys.quillmarket] },
    /^InvalidInputError: AlertChannelAudit "channels": channels contains the API key from MONITORING_API_KEY\. Remove the key\. If anyone else may have seen the key, rotate it\.$/,
  ],
  [
    "rules in the program",
    { rules: { rules: { stale: "on", "send-falure": "error" } } },
    /^AuditError: AlertChannelAudit "channels": rules\.stale must be .*\nAlertChannelAudit "channels": rules\.send-falure is not known \(did you mean "send-failure"\?\)$/,
  ],
])("AlertChannelAudit rejects problems in %s before any request", async (_, args, message) => {
  expect(await getErrorText(mandatory(JSON.parse(JSON.stringify(args)) as object))).toMatch(message);
  expect(sandbox().requests).toEqual([]);
});
