/** The work of an `AlertChannelAudit`, for programs and for the plugin. Loaded on demand. */
import { z } from "zod";
import { InvalidInputError } from "../../provider/client";
import {
  account,
  type ArgumentsOf,
  checkedArguments,
  type LookupContext,
  oneOf,
  text,
} from "../../provider/lookups";
import {
  auditAlertChannels,
  type AuditReport,
  formats,
  readRules,
  type Rules,
  RulesError,
  RuleSet,
} from "..";
import { formatOf } from "../formats";
import { AlertChannelAuditError, AuditError } from "./auditError";
import { checkWritable, codeProblem, loadRules, writeFile } from "./loadRules";
import { readChannels, type RequestedChannel, requestedChannels, unknownChannels } from "./readChannels";

const notChannels = {
  error: "must be a list of ids or names; by default, all named channels are audited",
};

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
    .custom<string>((value) => typeof value === "string" && formatOf(value) !== undefined, {
      error: `must be a file that ends in ${Object.values(formats)
        .map(({ extension }) => extension)
        .join(", ")}`,
    })
    .optional(),
  account,
};

type Arguments = ArgumentsOf<typeof takes>;
type Connections = LookupContext["connections"];

/** What an audit needs of the program or of the plugin that runs it. */
interface Run {
  readonly connections: Connections;
  /** Whether a rule file may be a module, whose code it runs. */
  readonly runsModules: boolean;
  /** Shows the report in the log of the run. */
  readonly warn: (text: string) => Promise<void> | void;
}

/**
 * The work of an `AlertChannelAudit`, for programs and for the plugin.
 *
 * @throws AlertChannelAuditError when a mandatory audit fails; InvalidInputError, ConfigurationError or AuditError when it
 * can't run.
 */
export async function alertChannelAudit(component: string, given: object, run: Run): Promise<AuditReport> {
  const name = `AlertChannelAudit ${JSON.stringify(component)}`;
  const args = checkedArguments({ name, takes }, given);
  const report = await audit(name, args, run).catch((error: unknown) => {
    throw error instanceof RulesError ? new AuditError(error.message) : error;
  });
  if (args.report) writeReport(args.report, report);
  const shown = formats.text(report).trimEnd();
  const { errors, blocking } = report.counts;
  if (args.enforcement !== "advisory" && errors + blocking > 0)
    throw new AlertChannelAuditError(name, report, shown);
  if (report.findings.length + blocking > 0) await run.warn(`${name}:\n${shown}`);
  return report;
}

async function audit(
  title: string,
  args: Arguments,
  { connections, runsModules }: Run,
): Promise<AuditReport> {
  const reason = runsModules || typeof args.rules !== "string" ? undefined : codeProblem(args.rules);
  if (reason !== undefined) throw new InvalidInputError(title, [{ property: "rules", reason }]);
  const ruleSet = rulesOf(args, title).withNames(connections.alertChannels);
  if (args.report) checkWritable([args.report]);
  const { wanted, connection } = connectTo(args, ruleSet, title, connections);
  const channels = await readChannels(wanted, connection);
  return auditAlertChannels(channels, ruleSet, { partial: Boolean(args.channels) });
}

function rulesOf({ rules }: Arguments, title: string): RuleSet {
  if (rules instanceof RuleSet) return rules;
  return typeof rules === "string" ? loadRules(rules) : readRules(rules ?? { extends: "recommended" }, title);
}

function connectTo(
  { channels, account }: Arguments,
  { channels: names }: RuleSet,
  title: string,
  connections: Connections,
) {
  const asked = channels ?? [];
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
            reason: `must be given, because no channel has a name in ${connections.alertChannelsSetting}: ${connections.howToSetAlertChannels}`,
          },
        ]),
    ...(accountProblem === undefined ? [] : [{ property: "account", reason: accountProblem }]),
  ];
  if (problems.length > 0) throw new InvalidInputError(title, problems);
  return { wanted, connection: connections.connect(account) };
}

function writeReport(file: string, report: AuditReport): void {
  writeFile(file, formats[formatOf(file) ?? "text"](report));
}
