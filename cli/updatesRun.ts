/** Runs `monitoring updates`. */
import { parseArgs } from "node:util";
import { AuditError } from "../audit/sources/auditError";
import { ConfigurationError, InvalidInputError, isMonitoringError } from "../provider/client";
import { tellLongWait } from "../provider/connection/longWait";
import { Connections } from "../provider/connection/connections";
import { orNearest } from "../provider/connection/nearestIncident";
import { oneOf, rejectDuplicates, rejectEmpty } from "./command/commandArguments";
import { type CommandContext, UsageError } from "./command/command";
import { exitCodes } from "./command/exitCodes";
import { print } from "./command/print";
import { updateFormats, updatesReport } from "./updatesReport";

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
