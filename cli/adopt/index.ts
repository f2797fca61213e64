/** Runs `monitoring adopt`: reads an incident, and prints a program that declares its updates. */
import {
  ConfigurationError,
  InvalidInputError,
  isMonitoringError,
  NotFoundError,
} from "../../provider/client";
import { Connections, type Containers } from "../../provider/connection";
import { normalizeUpdate, type ShownUpdate } from "../../provider/protocol/identity";
import { getOpenings } from "../../provider/publishing";
import { formatCount, toOneLine } from "../../provider/texts";
import { createAdoption, programs } from "./adoption";
import {
  type Arguments,
  type CommandContext,
  CommandError,
  replaceArgumentNames,
  print,
  UsageError,
} from "../command";
import type * as definitions from "../definitions";
import { exitCodes } from "../exitCodes";
import { readStackConfig } from "../stackConfig";

type Args = Arguments<typeof definitions.adopt>;

/** @throws UsageError if `--with-incident` is given without a status page */
export async function runAdopt(
  { values, operand }: Args,
  { environment, stdout, stderr }: CommandContext,
): Promise<number> {
  const { format, stack, pulumi, account, "with-incident": withIncident } = values;
  try {
    const config = stack === undefined ? undefined : await readStackConfig({ stack, pulumi }, environment);
    const page = values["status-page"] ?? config?.statusPageId;
    if (withIncident && page === undefined)
      throw new UsageError("--with-incident needs --status-page PAGE, or a stack whose statusPageId is set.");
    const connection = new Connections(config?.get, environment).connect(account);
    const read = await connection.getIncidents(page).get(operand);
    const openings =
      withIncident && page !== undefined
        ? await listOpenings(getOpenings(connection.client, page, read.name, []), page)
        : undefined;
    const components =
      openings && page !== undefined
        ? new Map((await connection.reads.getComponents(page)).map(({ id, name }) => [id, name]))
        : undefined;
    const adoption = createAdoption(read, {
      account,
      statusPageId: page,
      openings,
      ...(components && { components }),
    });
    const { entries, leftOut, incidentId, name, opening } = adoption;
    const incident = `${JSON.stringify(toOneLine(name))} (${toOneLine(incidentId)})`;
    const omitted = leftOut.map((each) => `Omitted: ${each}.\n`).join("");
    if (entries.length === 0 && !opening) {
      stderr.write(`${incident} contains no update that a program can declare.\n${omitted}`);
      return exitCodes.failed;
    }
    await print(programs[format](adoption), stdout);
    const [subject, also] = opening
      ? [`The incident and ${formatCount(entries.length, "later update")}`, "the incident and "]
      : [formatCount(entries.length, "update"), ""];
    stderr.write(
      `${subject} of ${incident}, oldest first. The first \`pulumi up\` adopts ${also}the updates and ` +
        `posts nothing. To be sure, set MONITORING_READ_ONLY=1 for that run.\n${omitted}`,
    );
    return exitCodes.success;
  } catch (error) {
    if (!isMonitoringError(error) || error instanceof CommandError) throw error;
    stderr.write(`${replaceArgumentNames(error.message)}\n`);
    if (error instanceof NotFoundError) return exitCodes.failed;
    const isOfUser = error instanceof ConfigurationError || error instanceof InvalidInputError;
    return isOfUser ? exitCodes.invalid : exitCodes.unread;
  }
}

async function listOpenings({ uncached }: Containers, page: string): Promise<ShownUpdate[]> {
  const { incidentUpdates } = await uncached.read(page);
  return (incidentUpdates ?? []).map((entry) => normalizeUpdate(entry));
}
