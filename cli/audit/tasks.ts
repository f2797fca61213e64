/** Performs the tasks of `monitoring audit` other than the audit: finds and writes the rule file, and lists and explains rules. */
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { stringify } from "yaml";
import { z } from "zod";
import { documentedRules, isId, loadRules, formatSeverity } from "../../audit";
import { type Id, Mismatch } from "../../provider/api";
import { isMonitoringError, NotFoundError } from "../../provider/client";
import { Connections } from "../../provider/connection";
import { maskSettings } from "../../provider/credentials";
import { listFoldersAbove, writeFile } from "../../provider/files";
import { formatCount, formatSuggestion, toOneLine } from "../../provider/texts";
import { wrapText } from "../../provider/terminal";
import { type Arguments, CommandError, UsageError } from "../command";
import type * as definitions from "../definitions";

const ruleFileName = "audit.yaml";

/** Options that select a task instead of an audit. */
export const taskOptions = ["init", "list-rules", "explain"] as const;

/** Performs the selected task and returns the text to print. */
export async function runTask(
  values: Arguments<typeof definitions.audit>["values"],
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const { init, "list-rules": listsRules, explain, rules } = values;
  if (init) return writeRuleFile(rules ?? ruleFileName, environment);
  if (listsRules || explain === undefined) return formatRuleList();
  return explainRule(explain, () => {
    const file = rules ?? findRuleFile();
    return file === undefined ? [] : loadRules(file).rules;
  });
}

/** Returns the rule file. @throws UsageError if there isn't one */
export function requireRuleFile(): string {
  const file = findRuleFile();
  if (file !== undefined) return file;
  throw new UsageError(
    `${ruleFileName} wasn't found in this folder or in its parent folders within the repository. Set --rules FILE, or create a rule file with \`monitoring audit --init\`.`,
  );
}

/**
 * Returns the rule file in the working folder or in the nearest folder above. Ignores files outside of the repository, because they may
 * belong to another user and list channels that this job's key would then read.
 */
export function findRuleFile(): string | undefined {
  const all = listFoldersAbove(resolve("x"));
  // In a worktree, `.git` is a file.
  const root = all.findIndex((folder) => existsSync(join(folder, ".git")));
  const folders = root < 0 ? all : all.slice(0, root + 1);
  const findNearest = (...names: string[]) =>
    folders.flatMap((folder) => names.map((name) => join(folder, name))).find((file) => existsSync(file));
  // The YAML names take precedence, because a report may also be named audit.json.
  const file = findNearest(ruleFileName, "audit.yml") ?? findNearest("audit.json");
  return file === undefined ? undefined : relative("", file);
}

/**
 * Writes a rule file for the channels that the service lists or, if it doesn't list channels, for the configured channels. Returns a
 * message for the user.
 *
 * @throws CommandError if the file exists, FileError if it can't be written
 */
async function writeRuleFile(file: string, environment: NodeJS.ProcessEnv): Promise<string> {
  if (existsSync(file))
    throw new CommandError(`${file} already exists. Edit the file, or set --rules to a different file.`);
  // Channels can't be listed without a key and a base URL, but the file can still be written.
  const unused = { MONITORING_API_KEY: "unused", MONITORING_BASE_URL: "https://localhost" };
  const unset = Object.entries(unused).filter(([name]) => !environment[name]?.trim());
  const connections = new Connections(undefined, { ...environment, ...Object.fromEntries(unset) });
  const { alertChannels } = connections;
  const listed = unset.length === 0 ? await listChannelNames(connections) : undefined;
  const channels = listed ?? alertChannels;
  const count = formatCount(Object.keys(channels).length, "channel");
  await writeFile(file, renderRuleFile(channels, listed !== undefined));
  const command = `\`monitoring audit${file === ruleFileName ? "" : ` --rules ${file}`}\``;
  const next = listed
    ? `It contains the ${count} of the account. Run ${command}.`
    : Object.keys(channels).length === 0
      ? `Add your channels under \`channels\` in the file, then run ${command}.`
      : `It contains the ${count} in MONITORING_ALERT_CHANNELS. Run ${command}.`;
  const reason =
    unset.length > 0
      ? `The account's channels were not read. To read them, set ${unset.map(([name]) => name).join(" and ")}. `
      : "The service doesn't list alert channels, or MONITORING_BASE_URL is wrong. ";
  return `Wrote ${file}. ${listed ? "" : reason}${next}\n`;
}

/** Returns a name for each channel that the service lists. Undefined if the service doesn't list channels. */
async function listChannelNames(connections: Connections): Promise<Record<string, Id> | undefined> {
  const { reads } = connections.connect();
  const configured = new Map(
    Object.entries(connections.alertChannels).map(([name, id]) => [String(id), name]),
  );
  const names = new Map<string, Id>();
  try {
    for await (const channel of reads.listAlertChannels()) {
      if (channel instanceof Mismatch) continue;
      const { id, type } = channel;
      const title = (maskSettings(channel).title ?? type).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
      let name = configured.get(String(id)) ?? (title.replace(/^-|-$/g, "") || type.toLowerCase());
      if (isId(name)) name = `${type.toLowerCase()}-${name}`;
      while (names.has(name)) name = `${name}-${id}`;
      names.set(name, id);
    }
    return Object.fromEntries(names);
  } catch (error) {
    if (error instanceof NotFoundError && names.size === 0) return undefined;
    if (isMonitoringError(error)) throw new CommandError(error.message);
    throw error;
  }
}

function renderRuleFile(channels: Readonly<Record<string, Id>>, isOfAll: boolean): string {
  const isEmpty = Object.keys(channels).length === 0;
  const list = stringify({ channels: isEmpty ? { "on-call": 200123 } : channels }).trimEnd();
  const named = isEmpty ? list.replace(/^/gm, "# ") : list;
  const section = isOfAll
    ? `# Every channel of the account is audited.
allChannels: true

# Names of the channels in reports. The rule unlisted-channel (off by default) reports a channel without a name.
${named}`
    : `# The channels to audit, by name.\n${named}`;
  return `# yaml-language-server: $schema=./node_modules/pulumi-monitoring-service/audit/audit.schema.json
# Rules for problems in any account. \`strict\` adds rules and a stricter limit, and reports these problems as errors.
extends: recommended

${section}

# Settings of rules: off, warning, error, or an object with options. \`monitoring audit --list-rules\` lists all rules.
# rules:
#   ssl-expiry-threshold: { options: { atLeast: 21 } }

# Custom rules: the values that a channel must have, in the format of \`expect\` of the resource AlertChannel.
# customRules:
#   - { id: webhooks-post, title: Webhooks send with POST, select: { types: [WEBHOOK] }, expect: { config: { method: POST } } }

# Exceptions for some of the channels: channels to exclude, accepted findings, and different settings of rules.
# exceptions:
#   - { select: { names: [test-*] }, rules: off, reason: Test systems don't page anyone }
#   - { channel: tickets, rules: { https-hook: off }, reason: It moves in March, until: 2027-03-31 }
#   - { select: { types: [EMAIL] }, rules: { send-recovery: error }, reason: Email is the record of an outage }
`;
}

type Explained = (typeof documentedRules)[number];

function formatRuleList(): string {
  const rows = documentedRules.map((rule) => [rule.id, formatSeverity(rule), rule.title]);
  const [idWidth = 0, textWidth = 0] = [0, 1].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map(
    ([id = "", text = "", title]) => `${id.padEnd(idWidth)}  ${text.padEnd(textWidth)}  ${title}\n`,
  );
  return `${lines.join("")}\n\`monitoring audit --explain RULE\` explains a rule.\n`;
}

/**
 * Explains a rule.
 *
 * @param customRules Returns the rules of the rule file. Not called for built-in rules, because the file may contain errors.
 * @throws UsageError if the rule doesn't exist
 */
function explainRule(id: string, customRules: () => readonly Explained[]): string {
  const hasId = (rule: Explained) => rule.id === id;
  const rules = documentedRules.some(hasId) ? documentedRules : [...documentedRules, ...customRules()];
  const rule = rules.find(hasId);
  const ids = rules.map((one) => one.id);
  if (rule === undefined) throw new UsageError(`There is no rule ${id}${formatSuggestion(id, ids)}.`);
  const { title, why, fix, asCode, offWhen, options, docs } = rule;
  const parts: readonly (readonly [string, string | undefined])[] = [
    ["Cost of ignoring a finding", toOneLine(why)],
    ["Fix in the service", toOneLine(fix)],
    ["Fix as code", asCode],
    ["When to turn the rule off", offWhen],
    ["Severity", formatSeverity(rule)],
    ["Options", options && formatOptions(options)],
    ["Documentation", docs],
  ];
  const sections = parts.flatMap(([name, text]) =>
    text ? [`${name}:`, ...indentText(text)].join("\n") : [],
  );
  return `${[`${id}: ${toOneLine(title)}.`, ...sections].join("\n\n")}\n`;
}

function formatOptions(options: Explained["options"]): string {
  if (!(options instanceof z.ZodObject)) return "";
  return Object.entries(options.shape)
    .map(([name, schema]) => `${name}: ${schema instanceof z.ZodType ? (schema.description ?? "") : ""}`)
    .join("\n");
}

const indentText = (text: string) =>
  text.split("\n").flatMap((line) => wrapText(line, 96).map((each) => `  ${each}`));
