/** Runs `monitoring updates`. */
import { amount, escapedJson, oneLine, escapeMarkdown, table } from "../provider/texts";
import { msOf } from "../provider/api";
import { Connections, tellLongWait, orNearest } from "../provider/connection";
import {
  ConfigurationError,
  InvalidInputError,
  isMonitoringError,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../provider/client";
import { parseArgs } from "node:util";
import { AuditError } from "../audit/sources";
import { type CommandContext, oneOf, print, rejectDuplicates, rejectEmpty, UsageError } from "./command";
import { exitCodes } from "./exitCodes";

// The updates of an incident as text, JSON and Markdown. Anyone may have written them: no format renders them as markup.

interface ListedUpdate {
  readonly id: string;
  /** The date that the public sees. */
  readonly date: string | null;
  readonly status: string | null;
  /** Null when the service doesn't say. */
  readonly notifySubscribers: boolean | null;
  readonly description: string;
}

/** The newest updates of an incident. */
interface UpdatesReport {
  readonly incident: Pick<ListedUpdate, "id"> & {
    readonly name: string;
    readonly severity: string | null;
    readonly lastUpdateStatus: string | null;
  };
  /** The number of updates, with those beyond the limit. */
  readonly total: number;
  /** Newest first. */
  readonly updates: readonly ListedUpdate[];
}

export function updatesReport(incident: StatusPageIncident, limit: number): UpdatesReport {
  const { id, name, severity = null, lastUpdateStatus = null } = incident;
  const history = (incident.incidentUpdates ?? []).map(toListed);
  return {
    incident: { id, name, severity, lastUpdateStatus },
    total: history.length,
    // The sort keeps the service's order of updates without a date, after all others.
    updates: history.sort((a, b) => timeOf(b) - timeOf(a)).slice(0, limit),
  };
}

function toListed(update: StatusPageIncidentUpdate): ListedUpdate {
  const { id, status = null, notifySubscribers = null, description } = update;
  const date = update.publicIncidentUpdateDate ?? update.created_at ?? null;
  return { id, date, status, notifySubscribers, description };
}

const timeOf = ({ date }: ListedUpdate): number => msOf(date) ?? 0;

export const updateFormats = { text, json, markdown } satisfies Record<
  string,
  (report: UpdatesReport) => string
>;

function text(report: UpdatesReport): string {
  // No line begins with text of the service, which a CI system could run as a command.
  const lines = report.updates.map((update) => `- ${fieldsOf(update).map(oneLine).join("  ")}`);
  const { id, name } = report.incident;
  return [`Incident ${oneLine(id)}: ${oneLine(name)}`, ...lines, scope(report), ""].join("\n");
}

function json(report: UpdatesReport): string {
  return `${escapedJson(report, 2)}\n`;
}

/** Characters of all rows: the document stays below the 65,536 that code hosts allow in a comment. */
const maxRowCharacters = 60_000;

function markdown(report: UpdatesReport): string {
  const rows = report.updates.map((update) => fieldsOf(update).map(escapeMarkdown));
  const parts = [
    `## Incident updates: ${escapeMarkdown(shortened(report.incident.name))}`,
    escapeMarkdown(scope(report)),
    table(["Date", "Status", "Subscribers", "Update"], rows, maxRowCharacters, "more update"),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function scope({ incident: { severity, lastUpdateStatus }, total, updates }: UpdatesReport): string {
  const listed = updates.length < total ? `, the newest ${updates.length} listed` : "";
  const facts = [`severity ${severity ?? "unknown"}`, `last status ${lastUpdateStatus ?? "unknown"}`];
  return oneLine(`${amount(total, "update")}${listed} (${facts.join(", ")})`);
}

function fieldsOf({ date, status, notifySubscribers, description }: ListedUpdate): string[] {
  const notified = { true: "notified", false: "not notified", null: "unknown" }[`${notifySubscribers}`];
  return [date ?? "no date", status ?? "no status", notified, shortened(description)];
}

const maxCharacters = 2_000;

function shortened(text: string): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}…`;
}

const options = {
  incident: { type: "string" },
  format: { type: "string", default: "text" },
  limit: { type: "string", default: "100" },
} as const;

/** @throws UsageError, or an error of `parseArgs`, for invalid arguments */
export async function runUpdates(
  args: readonly string[],
  { environment, stdout, stderr }: Omit<CommandContext, "now">,
): Promise<number> {
  const { incident: id, format, limit } = readArguments(args);
  try {
    const onRequest = tellLongWait((text) => stderr.write(`${text}\n`));
    const { client, reads } = new Connections(undefined, environment, { onRequest }).connect();
    const incident = await orNearest(client.getStatusPageIncident(id), reads, id);
    await print(updateFormats[format](updatesReport(incident, limit)), stdout);
    return exitCodes.success;
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    stderr.write(`${error.message}\n`);
    return isMistake(error) ? exitCodes.invalid : exitCodes.unread;
  }
}

function isMistake(error: Error): boolean {
  return [AuditError, ConfigurationError, InvalidInputError].some((mistake) => error instanceof mistake);
}

function readArguments(args: readonly string[]) {
  const { values, tokens } = parseArgs({ args: [...args], options, tokens: true });
  rejectEmpty(tokens);
  rejectDuplicates(tokens);
  const { incident, format, limit } = values;
  if (incident === undefined) throw new UsageError("--incident ID is required.");
  if (!/^[1-9]\d{0,5}$/.test(limit))
    throw new UsageError(`--limit must be a number from 1 to 999999, not ${JSON.stringify(limit)}.`);
  const formats = ["text", "json", "markdown"] as const;
  return { incident, format: oneOf(formats, "--format", format), limit: Number(limit) };
}
