/** Implements `AlertChannelAudit`: checks its arguments, runs the audit, and decides whether the deployment fails. */
import { extname } from "node:path";
import { z } from "zod";
import { InvalidInputError } from "../../provider/client";
import { type Connections } from "../../provider/connection";
import { checkWritable, FileError, toRepositoryPath, writeFile } from "../../provider/files";
import { account, validateArguments } from "../../provider/lookups";
import { recordMessage } from "../../provider/previewFacts";
import { boolean, filledText, oneOf, type OutputsOf } from "../../provider/problems";
import { type Problem } from "../../provider/texts";
import {
  auditAlertChannels,
  type AuditReport,
  type Format,
  formatNames,
  formats,
  loadRules,
  readRules,
  type Rules,
  RulesError,
  RuleSet,
} from "..";
import { AlertChannelAuditError, AuditError } from "./auditErrors";
import { type AuditPlan, auditService } from "./service";

/** Context of the program or plugin that runs an audit. */
interface AuditContext {
  readonly connections: Connections;
  /** Shows the report in the log of the run. */
  readonly warn: (text: string) => Promise<void> | void;
}

/**
 * Runs an `AlertChannelAudit` for programs and for the plugin.
 *
 * @throws AlertChannelAuditError if a mandatory audit fails; InvalidInputError, ConfigurationError or AuditError if it can't run.
 */
export async function runAlertChannelAudit(
  component: string,
  inputs: object,
  run: AuditContext,
): Promise<AuditReport> {
  const name = `AlertChannelAudit ${JSON.stringify(component)}`;
  const args = parseArguments(name, inputs);
  const report = await runAudit(name, args, run);
  const reportText = formats.text(report).trimEnd();
  const { errors, blocking } = report.counts;
  if (args.enforcement !== "advisory" && errors + blocking > 0) {
    const error = new AlertChannelAuditError(name, report, reportText);
    recordMessage(error.message, "error", formats.markdown(report));
    throw error;
  }
  if (report.findings.length + blocking > 0) await run.warn(`${name}:\n${reportText}`);
  return report;
}

/** Returns the report of an audit whose channels are unknown in a preview. */
export const createEmptyReport = (): AuditReport => auditAlertChannels([], { extends: "recommended" });

const defaultChannels = "By default, all named channels are audited";

const takes = {
  channels: z
    .array(z.union([z.string(), z.number()], { error: "must be an ID or a name" }), {
      error: `must be a list of IDs or names. ${defaultChannels}`,
    })
    .min(1, { error: `must contain an ID or a name, or be omitted. ${defaultChannels}` })
    .optional(),
  allChannels: boolean.optional(),
  // loadRules and readRules validate the content.
  rules: z
    .custom<Rules | RuleSet | string>(
      (value) => typeof value === "object" || filledText.safeParse(value).success,
      {
        error: "must be the path of a rule file, or an object",
      },
    )
    .optional(),
  enforcement: oneOf(["mandatory", "advisory"]).optional(),
  report: z
    .custom<string>((value) => typeof value === "string" && findFormat(value) !== undefined, {
      error: `must be a file name that ends with ${Object.values(formats)
        .map(({ extension }) => extension)
        .join(", ")}`,
    })
    .optional(),
  account,
};

type Arguments = OutputsOf<typeof takes>;

/** Runs the audit and writes the report to its file, if any. @throws AuditError if the rules or a file can't be used. */
async function runAudit(title: string, args: Arguments, { connections }: AuditContext): Promise<AuditReport> {
  const { allChannels, channels, account, report: file } = args;
  connections.rejectKeys(title, { channels });
  try {
    const rules = resolveRules(args, title);
    if (file) checkWritable([file]);
    const isOfAll = allChannels ?? (rules.allChannels && channels === undefined);
    const report = await auditService({ isOfAll, channels, account }, rules, connections, (plan) => {
      rejectChannels(title, plan, connections.validateAccount(account), connections);
      const connection = connections.connect(account);
      return { connection, list: () => connection.reads.getAlertChannels() };
    });
    if (file)
      await writeFile(file, formats[findFormat(file) ?? "text"](report, { pathOf: toRepositoryPath }));
    return report;
  } catch (error) {
    if (error instanceof RulesError || error instanceof FileError) throw new AuditError(error.message);
    throw error;
  }
}

/** @throws InvalidInputError if a channel or the account is unknown, or if there is no channel to audit */
function rejectChannels(
  title: string,
  { isEmpty, unknown }: AuditPlan,
  accountProblem: string | undefined,
  connections: Connections,
): void {
  const problems = unknown.map(({ requested, reason }) => ({
    property: `channels: ${JSON.stringify(requested)}`,
    reason,
  }));
  if (isEmpty) {
    const { alertChannelsSetting: setting, howToSetAlertChannels: how } = connections;
    const reason = `is required, because no channel has a name in ${setting}: ${how}, or set allChannels: true`;
    problems.push({ property: "channels", reason });
  }
  if (accountProblem !== undefined) problems.push({ property: "account", reason: accountProblem });
  if (problems.length > 0) throw new InvalidInputError(title, problems);
}

/** @throws InvalidInputError with all errors if an argument is invalid. If only the rules are invalid, {@link runAudit} throws instead. */
function parseArguments(name: string, inputs: object & { readonly rules?: unknown }): Arguments {
  try {
    return validateArguments({ name, takes, atMostOneOf: ["channels", "allChannels"] }, inputs);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const { data: rules } = z
      .object(takes)
      .pick({ rules: true })
      .safeParse({ rules: inputs.rules ?? undefined });
    throw new InvalidInputError(name, [...error.problems, ...(rules ? findRuleProblems(rules, name) : [])]);
  }
}

function findRuleProblems(rules: Pick<Arguments, "rules">, title: string): Problem[] {
  try {
    resolveRules(rules, title);
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

function resolveRules({ rules }: Pick<Arguments, "rules">, title: string): RuleSet {
  if (rules instanceof RuleSet) return rules;
  return typeof rules === "string" ? loadRules(rules) : readRules(rules ?? { extends: "recommended" }, title);
}

function findFormat(file: string): Format | undefined {
  return formatNames.find((format) => formats[format].extension === extname(file));
}
