/** Runs `monitoring doctor`. */
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { oneLine } from "../../provider/texts/printable";
import { ConfigurationError, isMonitoringError, type StatusPageIncident } from "../../provider/client";
import type { Connection } from "../../provider/connection/connections";
import { orNearest } from "../../provider/connection/nearestIncident";
import { oneOf, rejectDuplicates, rejectEmpty } from "../command/commandArguments";
import { type CommandContext, UsageError } from "../command/command";
import { exitCodes } from "../command/exitCodes";
import { print } from "../command/print";
import { type Examination, examine, problemChecks } from "./checks";
import { type DoctorReport, doctorFormats, isHealthy } from "./doctorReport";
import { announcement, testIds } from "./idTest";
import { ResponseWatch } from "./responseWatch";
import { readStackConfig } from "./stackConfig";

export interface DoctorContext extends Omit<CommandContext, "now"> {
  /** Where the question before a post is answered. */
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}

const options = {
  stack: { type: "string" },
  account: { type: "string" },
  "post-to": { type: "string" },
  yes: { type: "boolean", default: false },
  format: { type: "string", default: "text" },
} as const;

type Arguments = ReturnType<typeof readArguments>;

/** @throws UsageError, or an error of `parseArgs`, for invalid arguments */
export async function runDoctor(args: readonly string[], context: DoctorContext): Promise<number> {
  const given = readArguments(args);
  if (given.incidentId !== undefined && !given.yes && context.stdin.isTTY !== true)
    throw new UsageError("--post-to asks before it posts: run it on a terminal, or add --yes.");
  const watch = new ResponseWatch();
  const examination = await examined(given, context, watch);
  const report = { ...examination, ...(await posted(given, examination, context, watch)) };
  await print(doctorFormats[given.format](report), context.stdout);
  return isHealthy(report) ? exitCodes.success : exitCodes.failed;
}

async function examined(
  { stack, account }: Arguments,
  { environment }: DoctorContext,
  watch: ResponseWatch,
): Promise<Examination> {
  try {
    const config = stack === undefined ? undefined : await readStackConfig(stack, environment);
    return await examine({ config, environment, account }, watch);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { checks: problemChecks(error) };
  }
}

/** What the posts showed, if they are asked for. */
async function posted(
  { incidentId, yes }: Arguments,
  { connection }: Examination,
  context: DoctorContext,
  watch: ResponseWatch,
): Promise<Pick<DoctorReport, "idTest" | "failure">> {
  if (incidentId === undefined) return {};
  if (!connection) return { failure: "Nothing was posted. Correct what failed, then run this again." };
  const { client, reads, baseUrl } = connection;
  try {
    const incident = await orNearest(client.getStatusPageIncident(incidentId), reads, incidentId);
    if (!yes && !(await isConfirmed(incident, connection, context)))
      return { failure: "Nothing was posted." };
    context.stderr.write(
      "Posting, and reading the incident until it shows the update, for a minute at most…\n",
    );
    return { idTest: { service: baseUrl, found: await testIds(client, incident, watch) } };
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    return { failure: `The service's use of ids is unknown. ${oneLine(error.message)}` };
  }
}

async function isConfirmed(
  incident: StatusPageIncident,
  { baseUrl }: Connection,
  { stdin, stderr }: DoctorContext,
): Promise<boolean> {
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const question = terminal.question(`${oneLine(announcement(incident, baseUrl))}\nPost? (yes/no) `);
    // Ctrl-D and Ctrl-C leave it open.
    const answer = await Promise.race([question, once(terminal, "close").then(() => "no")]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

function readArguments(args: readonly string[]) {
  const { values, tokens } = parseArgs({ args: [...args], options, tokens: true });
  rejectEmpty(tokens);
  rejectDuplicates(tokens);
  const { stack, account, "post-to": incidentId, yes, format } = values;
  if (yes && incidentId === undefined) throw new UsageError("--yes needs --post-to INCIDENT.");
  const formats = ["text", "json"] as const;
  return { stack, account, incidentId, yes, format: oneOf(formats, "--format", format) };
}
