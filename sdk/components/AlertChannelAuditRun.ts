/** Runs an `AlertChannelAudit`. Loaded on demand, when a program declares one. */
import { extname } from "node:path";
import { z } from "zod";
import { InvalidInputError } from "../../provider/client/errors";
import {
  auditAlertChannels,
  type AuditReport,
  type Format,
  formats,
  readRules,
  type Rules,
  RulesError,
  RuleSet,
} from "../../audit";
import { pieces } from "../../audit/formats";
import { checkWritable, writeOutputs } from "../../audit/sources/reportFiles";
import { readChannels, type RequestedChannel } from "../../audit/sources/readChannels";
import { AuditError } from "../../audit/sources/auditError";
import { loadRules } from "../../audit/sources/loadRules";
import { channelIdsByName, unknownChannels, requestedChannels } from "../../audit/sources/requestedChannels";
import { type ArgumentsOf, oneOf, readArguments, text } from "../../provider/lookups/arguments";
import { allConnections } from "../stackConnections";
import type { AlertChannelAuditArgs } from "./AlertChannelAuditArgs";

const formatByEnding: Readonly<Record<string, Format>> = {
  ".html": "html",
  ".json": "json",
  ".md": "markdown",
  ".sarif": "sarif",
  ".txt": "text",
  ".xml": "junit",
};

const notChannels = {
  error: "must be a list of ids or names; by default, all named channels are audited",
};

const isReportFile = (file: string): boolean => Object.hasOwn(formatByEnding, extname(file));

const takes = {
  channels: z
    .array(z.union([z.string(), z.number()]), notChannels)
    .min(1, notChannels)
    .optional(),
  // loadRules and readRules validate the content.
  rules: z
    .custom<Rules | RuleSet | string>((value) => typeof value === "object" || text.safeParse(value).success, {
      error: "must be the path of a rule file, or an object",
    })
    .optional(),
  enforcement: oneOf(["mandatory", "advisory"]).optional(),
  report: z
    .custom<string>((value) => typeof value === "string" && isReportFile(value), {
      error: `must be a file that ends in ${Object.keys(formatByEnding).join(", ")}`,
    })
    .optional(),
  account: text.optional(),
};

type Arguments = ArgumentsOf<typeof takes>;

interface Audited {
  readonly report: AuditReport;
  /** The report, for the log of a run. */
  readonly text: string;
  /** Whether resources that wait for the audit must fail. */
  readonly fails: boolean;
}

/** @throws InvalidInputError, ConfigurationError or Refusal when the audit can not run */
export async function runAlertChannelAudit(name: string, declared: AlertChannelAuditArgs): Promise<Audited> {
  const title = `AlertChannelAudit ${JSON.stringify(name)}`;
  const args = readArguments({ name: title, takes }, declared);
  try {
    const report = await audit(args, title);
    if (args.report) writeReport(args.report, report);
    const { errors, unreadable } = report.counts;
    const fails = args.enforcement !== "advisory" && errors + unreadable > 0;
    return { report, text: formats.text(report).trimEnd(), fails };
  } catch (error) {
    throw error instanceof RulesError ? new AuditError(error.message) : error;
  }
}

async function audit(args: Arguments, title: string): Promise<AuditReport> {
  const ruleSet = rulesOf(args, title);
  if (args.report) checkWritable([args.report]);
  const { wanted, connection } = await connectTo(args, ruleSet, title);
  const channels = await readChannels(wanted, connection);
  return auditAlertChannels(channels, ruleSet, { partial: Boolean(args.channels) });
}

function rulesOf({ rules }: Arguments, title: string): RuleSet {
  if (rules instanceof RuleSet) return rules;
  return typeof rules === "string" ? loadRules(rules) : readRules(rules ?? { extends: "recommended" }, title);
}

async function connectTo({ channels, account }: Arguments, ruleSet: RuleSet, title: string) {
  const connections = await allConnections();
  const asked = channels ?? [];
  const names = channelIdsByName(ruleSet, connections.alertChannels);
  const wanted: RequestedChannel[] = requestedChannels(asked, names);
  const accountProblem = connections.accountProblem(account);
  const problems = [
    ...unknownChannels(asked, names).map(({ requested: one, reason }) => ({
      property: `channels: ${JSON.stringify(one)}`,
      reason,
    })),
    ...(wanted.length > 0
      ? []
      : [
          {
            property: "channels",
            reason: "must be given, because no channel has a name in monitoring:alertChannels",
          },
        ]),
    ...(accountProblem === undefined ? [] : [{ property: "account", reason: accountProblem }]),
  ];
  if (problems.length > 0) throw new InvalidInputError(title, problems);
  return { wanted, connection: connections.connect(account) };
}

function writeReport(file: string, report: AuditReport): void {
  const format = formatByEnding[extname(file)] ?? "text";
  writeOutputs([{ file, text: pieces[format](report, {}) }]);
}
