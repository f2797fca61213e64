/**
 * Connects an audit to files and to the service: loads rule files, reads the channels, and writes reports. An error about a file
 * names it, and says why.
 */
import { isUtf8 } from "node:buffer";
import { accessSync, constants, existsSync, promises, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, isAbsolute, join, relative, resolve } from "node:path";
import { z } from "zod";
import type * as api from "../../provider/api";
import { type Id, Mismatch } from "../../provider/api";
import {
  AuthenticationError,
  ConnectionError,
  InvalidInputError,
  isMonitoringError,
  type MonitoringError,
  NotFoundError,
} from "../../provider/client";
import { type ReadConnections, readEach } from "../../provider/connection";
import { account, type ArgumentsOf, checkedArguments } from "../../provider/lookups";
import { boolean, oneOf, text } from "../../provider/problems";
import { amount, didYouMean, errorReason, type Problem } from "../../provider/texts";
import {
  auditAlertChannels,
  auditJudged,
  type AuditReport,
  type Format,
  formatNames,
  formats,
  isId,
  judgeMismatch,
  judgeRead,
  type JudgedChannel,
  parseRules,
  readRules,
  type Rules,
  RulesError,
  RuleSet,
} from "..";
import { AlertChannelAuditError, AuditError, FileError } from "./auditErrors";

export { FileError } from "./auditErrors";

/** The context of the program or of the plugin that runs an audit. */
interface Run {
  readonly connections: ReadConnections;
  /** Shows the report in the log of the run. */
  readonly warn: (text: string) => Promise<void> | void;
}

/**
 * Does the work of an `AlertChannelAudit`, for programs and for the plugin.
 *
 * @throws AlertChannelAuditError when a mandatory audit fails; InvalidInputError, ConfigurationError or AuditError when it
 * can't run.
 */
export async function alertChannelAudit(component: string, inputs: object, run: Run): Promise<AuditReport> {
  const name = `AlertChannelAudit ${JSON.stringify(component)}`;
  const args = argumentsOf(name, inputs);
  const report = await audited(name, args, run);
  const reportText = formats.text(report).trimEnd();
  const { errors, blocking } = report.counts;
  if (args.enforcement !== "advisory" && errors + blocking > 0)
    throw new AlertChannelAuditError(name, report, reportText);
  if (report.findings.length + blocking > 0) await run.warn(`${name}:\n${reportText}`);
  return report;
}

/** Returns the report of an audit whose channels are unknown until an `up`. */
export const auditOfNone = (): AuditReport =>
  auditAlertChannels([], readRules({ extends: "recommended" }, ""));

const defaultChannels = "by default, all named channels are audited";

const takes = {
  channels: z
    .array(z.union([z.string(), z.number()], { error: "must be an id or a name" }), {
      error: `must be a list of ids or names; ${defaultChannels}`,
    })
    .min(1, { error: `must have an id or a name, or be left out: ${defaultChannels}` })
    .optional(),
  allChannels: boolean.optional(),
  // loadRules and readRules validate the content.
  rules: z
    .custom<Rules | RuleSet | string>((value) => typeof value === "object" || text.safeParse(value).success, {
      error: "must be the path of a rule file, or an object",
    })
    .optional(),
  enforcement: oneOf(["mandatory", "advisory"]).optional(),
  report: z
    .custom<string>((value) => typeof value === "string" && formatOf(value) !== undefined, {
      error: `must be a file that ends in ${Object.values(formats)
        .map(({ extension }) => extension)
        .join(", ")}`,
    })
    .optional(),
  account,
};

type Arguments = ArgumentsOf<typeof takes>;

/** Audits, and writes the report to its file, if any. @throws AuditError when the rules or a file can't be used. */
async function audited(title: string, args: Arguments, { connections }: Run): Promise<AuditReport> {
  const { channels, account, report: file } = args;
  try {
    const ruleSet = rulesOf(args, title).withNames(connections.alertChannels);
    if (file) checkWritable([file]);
    const isOfAll = args.allChannels ?? (ruleSet.allChannels && channels === undefined);
    const wanted = requestedIds(channels ?? [], ruleSet.channels);
    rejectChannels(title, args, isOfAll || wanted.length > 0, ruleSet, connections);
    const connection = connections.connect(account);
    const report = isOfAll
      ? await auditListed(connection.reads.alertChannels(), connection, ruleSet)
      : auditJudged(await readChannels(wanted, connection, ruleSet), ruleSet, { partial: Boolean(channels) })
          .report;
    if (file) await writeFile(file, partsOf(formatOf(file) ?? "text", report));
    return report;
  } catch (error) {
    if (error instanceof RulesError || error instanceof FileError) throw new AuditError(error.message);
    throw error;
  }
}

/** @throws InvalidInputError when a channel or the account is unknown, or no channel is to be audited */
function rejectChannels(
  title: string,
  { channels = [], account }: Arguments,
  hasChannels: boolean,
  { channels: names }: RuleSet,
  connections: ReadConnections,
): void {
  const problems = unknownChannels(channels, names).map(({ requested, reason }) => ({
    property: `channels: ${JSON.stringify(requested)}`,
    reason,
  }));
  if (!hasChannels) {
    const { alertChannelsSetting: setting, howToSetAlertChannels: how } = connections;
    const reason = `must be given, because no channel has a name in ${setting}: ${how}, or set allChannels: true`;
    problems.push({ property: "channels", reason });
  }
  const accountProblem = connections.accountProblem(account);
  if (accountProblem !== undefined) problems.push({ property: "account", reason: accountProblem });
  if (problems.length > 0) throw new InvalidInputError(title, problems);
}

/** @throws InvalidInputError with all mistakes, if an argument is wrong; {@link audited} reports rules that alone are wrong */
function argumentsOf(name: string, inputs: object & { readonly rules?: unknown }): Arguments {
  try {
    return checkedArguments({ name, takes, atMostOneOf: ["channels", "allChannels"] }, inputs);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const { data: rules } = z
      .object(takes)
      .pick({ rules: true })
      .safeParse({ rules: inputs.rules ?? undefined });
    throw new InvalidInputError(name, [...error.problems, ...(rules ? problemsOfRules(rules, name) : [])]);
  }
}

function problemsOfRules(rules: Pick<Arguments, "rules">, title: string): Problem[] {
  try {
    rulesOf(rules, title);
    return [];
  } catch (error) {
    if (error instanceof FileError) return [{ property: "rules:", reason: error.message }];
    if (!(error instanceof RulesError)) throw error;
    return error.mistakes.map(({ at, reason }) => ({
      property: at === "" ? "rules" : `rules.${at}`,
      reason,
    }));
  }
}

function rulesOf({ rules }: Pick<Arguments, "rules">, title: string): RuleSet {
  if (rules instanceof RuleSet) return rules;
  return typeof rules === "string" ? loadRules(rules) : readRules(rules ?? { extends: "recommended" }, title);
}

/** Formats a report as the content of a file. @param suppressed If true, SARIF has waived and known findings, with a suppression. */
export function partsOf(format: Format, report: AuditReport, suppressed = false): Iterable<string> {
  return format === "sarif"
    ? formats.sarif.parts(report, { suppressed, pathOf: inRepository })
    : formats[format].parts(report);
}

/**
 * Returns the path from the root of the Git repository, as code hosts expect it; unchanged outside of a repository. A link outside
 * may lead into a repository.
 */
function inRepository(file: string): string {
  const paths = existsSync(file) ? [resolve(file), realpathSync(file)] : [resolve(file)];
  for (const path of paths) {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
      if (existsSync(join(folder, ".git"))) return relative(folder, path);
  }
  return file;
}

function formatOf(file: string): Format | undefined {
  return formatNames.find((format) => formats[format].extension === extname(file));
}

/**
 * Loads a rule file: YAML or JSON.
 *
 * @throws RulesError with every mistake in the rules
 * @throws FileError when the file can't be read, or is a program
 */
export function loadRules(file: string): RuleSet {
  if (/\.[cm]?[jt]s$/.test(file)) {
    throw new FileError(
      `${file} can't be loaded: rule files are YAML or JSON; a program can also pass the rules as an object, and both declare rules of their own under customRules`,
    );
  }
  return parseRules(readText(file), nameOf(file));
}

/** Returns the path relative to the working directory if the file is inside it, as pull requests show paths. */
function nameOf(file: string): string {
  const path = relative("", file);
  return path.startsWith("..") || isAbsolute(path) ? file : path;
}

/** Ids by name. */
type ChannelIdsByName = ReadonlyMap<string, Id>;

/** Returns the ids of the requested channels, each once; of all channels with a name if none are requested. */
export function requestedIds(requested: readonly Id[], names: ChannelIdsByName): Id[] {
  const ids =
    requested.length > 0
      ? requested.map((one) => (isId(one) ? Number(one) : (names.get(one) ?? one)))
      : names.values();
  return [...new Map([...ids].map((id) => [String(id), id])).values()];
}

/** Returns the requested channels that are neither an id nor a name, each with a reason as the end of a sentence. */
export function unknownChannels(
  requested: readonly Id[],
  names: ChannelIdsByName,
): { requested: Id; reason: string }[] {
  return requested
    .filter((one) => !/^\d{1,15}$/.test(String(one)) && !names.has(String(one)))
    .map((one) => ({
      requested: one,
      reason: `is neither an id nor a name${hint(String(one), [...names.keys()])}`,
    }));
}

const maxNamed = 10;

/** Suggests the name that was meant, or lists the names. */
function hint(wrong: string, names: readonly string[]): string {
  if (names.length === 0) return "; no channel has a name";
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  return didYouMean(wrong, names) || `; names are ${names.slice(0, maxNamed).join(", ")}${more}`;
}

type Connected = Pick<ReturnType<ReadConnections["connect"]>, "client" | "origin">;

/** Reads all channels. One that can't be read doesn't affect the others. @param onRead Called after each. */
export async function readChannels(
  ids: readonly Id[],
  { client, origin }: Connected,
  names: Pick<RuleSet, "nameOf">,
  onRead: () => void = () => undefined,
): Promise<JudgedChannel[]> {
  /** An error that every request would have: a rejected key stays rejected, and further requests could lock the account. */
  let common: MonitoringError | undefined;
  let hasResponse = false;
  const read = async (id: Id): Promise<api.AlertChannel | string> => {
    if (common) return common.message;
    try {
      const channel = await client.getAlertChannel(id);
      hasResponse = true;
      return channel;
    } catch (error) {
      if (!isMonitoringError(error)) throw error;
      if (error instanceof AuthenticationError || (error instanceof ConnectionError && !hasResponse))
        return (common ??= error).message;
      hasResponse = true;
      return error.message;
    }
  };
  const responses = await readEach(ids, async (id) => {
    const response = await read(id);
    onRead();
    return { id, name: names.nameOf(id), response };
  });
  // Judge all responses at the end: between two responses, it takes several times as long.
  return responses.map(({ id, name, response }) =>
    typeof response === "string"
      ? { id, name, reason: response }
      : judgeRead(response, name, origin.accountId),
  );
}

interface ListOptions {
  readonly now?: Date;
  /** Ids of channels in the state of a stack. */
  readonly declared?: readonly Id[];
  /** Called after each channel. */
  readonly onRead?: () => void;
}

/**
 * Audits all channels that the service lists. A channel that the rules, the configuration or the stack name and the list lacks
 * isn't evaluable.
 *
 * @throws NotFoundError when the service doesn't list channels
 */
export async function auditListed(
  list: ChannelList,
  connected: Connected,
  ruleSet: RuleSet,
  { now, declared = [], onRead = () => undefined }: ListOptions = {},
): Promise<AuditReport> {
  const { channels, problem } = await readList(list, connected, ruleSet, onRead);
  const named = new Set([...ruleSet.channels.values(), ...declared].map(String));
  const listed = new Set(channels.map(({ id }) => String(id)));
  const absent = [...named]
    .filter((id) => problem === undefined && !listed.has(id))
    .map((id) => ({ id, name: ruleSet.nameOf(id), reason: notListed }));
  const byId = new Map<string, JudgedChannel>();
  const requested = new Set<Id>();
  for (;;) {
    const judged = channels.map((channel) => byId.get(String(channel.id)) ?? channel);
    const audited = auditJudged(judged, ruleSet, now && { now }, { named, absent, problem });
    // A list may leave out what a read of the channel returns. What was read may tell that a rule needs more.
    const lacking = audited.lacking.map(({ id }) => id).filter((id) => !requested.has(id));
    if (lacking.length === 0) return audited.report;
    for (const id of lacking) requested.add(id);
    for (const channel of await readChannels(lacking, connected, ruleSet, onRead))
      byId.set(String(channel.id), channel);
  }
}

const notListed =
  "the service doesn't list it: it may be deleted, or belong to another account; remove its name or resource, or correct the account";

/** Channels as they arrive, or a list that several audits and data sources share. */
type ChannelList =
  | AsyncIterable<api.AlertChannel | Mismatch>
  | Promise<Iterable<api.AlertChannel | Mismatch>>;

/** Judges each channel of the list as it arrives, so that none stays in memory with its credentials. */
async function readList(
  list: ChannelList,
  { origin }: Connected,
  ruleSet: RuleSet,
  onRead: () => void,
): Promise<{ readonly channels: readonly JudgedChannel[]; readonly problem?: string }> {
  const channels: JudgedChannel[] = [];
  try {
    for await (const entry of await list) {
      const name = entry.id === undefined ? undefined : ruleSet.nameOf(entry.id);
      channels.push(
        entry instanceof Mismatch ? judgeMismatch(entry, name) : judgeRead(entry, name, origin.accountId),
      );
      onRead();
    }
    return { channels };
  } catch (error) {
    const isUnlisted = error instanceof NotFoundError && channels.length === 0;
    if (isUnlisted || !isMonitoringError(error)) throw error;
    const read = `the list couldn't be read whole: ${amount(channels.length, "channel")} were read`;
    // The message of the error says that the service lists no channels.
    const why =
      error instanceof NotFoundError ? "listAlertChannels: HTTP 404 for a later page" : error.message;
    return { channels, problem: `${read}. ${why}` };
  }
}

/** @throws FileError when the file can't be read or isn't UTF-8 */
export function readText(file: string): string {
  try {
    const content = readFileSync(file);
    // PowerShell writes UTF-16, in which every ASCII letter has a zero byte.
    if (content.includes(0)) throw new Error("it is UTF-16; save it as UTF-8");
    if (!isUtf8(content)) throw new Error("it is not UTF-8; save it as UTF-8");
    return content.toString("utf8").replace(/^\ufeff/, "");
  } catch (error) {
    throw new FileError(`${file} can't be read: ${errorReason(error)}`);
  }
}

/**
 * Checks before the audit that all files can be written.
 *
 * @throws FileError that names all files that can't
 */
export function checkWritable(files: readonly string[]): void {
  const problems = files.flatMap((file) => {
    try {
      assertWritable(file);
      return [];
    } catch (error) {
      return unwritable(file, error);
    }
  });
  if (problems.length > 0) throw new FileError(problems.join("\n"));
}

/** @throws FileError when the file can't be written */
export async function writeFile(file: string, parts: Iterable<string>): Promise<void> {
  try {
    await promises.writeFile(file, parts);
  } catch (error) {
    throw new FileError(unwritable(file, error));
  }
}

function assertWritable(file: string): void {
  const exists = existsSync(file);
  if (exists && statSync(file).isDirectory()) throw new Error("it is a directory");
  accessSync(exists ? file : dirname(file), constants.W_OK);
}

const unwritable = (file: string, error: unknown) => `${file} can't be written: ${errorReason(error)}`;
