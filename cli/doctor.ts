/** Runs `monitoring doctor`: examines the settings and the service, tests its use of ids if the user confirms, and reports. */
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { isMonitoringError } from "../provider/client";
import { escapedJson, oneLine } from "../provider/texts";
import { type CommandContext, choiceOf, print, rejectDuplicates, rejectEmpty, UsageError } from "./command";
import { examine, type Examination, ResponseWatch } from "./doctorChecks";
import { exitCodes } from "./exitCodes";
import { type IdTest, idTestText } from "./idResults";
import { testIds } from "./idTest";

interface DoctorContext extends Omit<CommandContext, "now"> {
  /** Input for the answer to the question before a post. */
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}

/** @throws UsageError, or an error of `parseArgs`, for invalid arguments */
export async function runDoctor(args: readonly string[], context: DoctorContext): Promise<number> {
  const options = readArguments(args);
  if (options.incidentId !== undefined && !options.yes && context.stdin.isTTY !== true)
    throw new UsageError("--post-to asks before it posts: run it on a terminal, or add --yes.");
  const watch = new ResponseWatch();
  const examination = await examine({ ...options, environment: context.environment }, watch);
  const report = { ...examination, ...(await testOfIds(options, examination, context, watch)) };
  await print(formats[options.format](report), context.stdout);
  return isHealthy(report) ? exitCodes.success : exitCodes.failed;
}

type Arguments = ReturnType<typeof readArguments>;

/** Posts, if the user asks for it and confirms. */
async function testOfIds(
  { incidentId, yes }: Arguments,
  { service }: Examination,
  context: DoctorContext,
  watch: ResponseWatch,
): Promise<Pick<DoctorReport, "idTest" | "failure">> {
  if (incidentId === undefined) return {};
  if (!service) return { failure: "Nothing was posted. Correct what failed, then run this again." };
  const confirm = async (announcement: string): Promise<boolean> => {
    context.stderr.write(`${oneLine(announcement)}\n`);
    if (!yes && !(await isConfirmed(context))) return false;
    context.stderr.write(
      "Posting, and reading the incident until it shows what was posted, for a few minutes at most…\n",
    );
    return true;
  };
  try {
    const incident = await service.connection.reads.statusPageIncident(incidentId);
    const idTest = await testIds(service, incident, watch, confirm);
    return idTest ? { idTest } : { failure: "Nothing was posted." };
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    return { failure: `The service's use of ids is unknown. ${oneLine(error.message)}` };
  }
}

async function isConfirmed({ stdin, stderr }: DoctorContext): Promise<boolean> {
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const question = terminal.question("Post? (yes/no) ");
    // Ctrl-D and Ctrl-C close the terminal without an answer.
    const answer = await Promise.race([question, once(terminal, "close").then(() => "no")]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

function readArguments(args: readonly string[]) {
  const options = {
    stack: { type: "string" },
    account: { type: "string" },
    "post-to": { type: "string" },
    yes: { type: "boolean", default: false },
    format: { type: "string", default: "text" },
  } as const;
  const { values, tokens } = parseArgs({ args: [...args], options, tokens: true });
  rejectEmpty(tokens);
  rejectDuplicates(tokens);
  const { stack, account, "post-to": incidentId, yes, format } = values;
  if (yes && incidentId === undefined) throw new UsageError("--yes needs --post-to INCIDENT.");
  return { stack, account, incidentId, yes, format: choiceOf(["text", "json"], "--format", format) };
}

interface DoctorReport extends Pick<Examination, "checks" | "notChecked"> {
  /** Missing if nothing was posted, or if the first post failed. */
  readonly idTest?: IdTest | undefined;
  /** Says why the use of ids is unknown. */
  readonly failure?: string | undefined;
}

function isHealthy({ checks, idTest, failure }: DoctorReport): boolean {
  return failure === undefined && idTest?.isConclusive !== false && checks.every(({ ok }) => ok);
}

const formats = { text, json } satisfies Record<string, (report: DoctorReport) => string>;

function text(report: DoctorReport): string {
  const { checks, notChecked } = report;
  const nameWidth = Math.max(
    ...[...checks.map(({ name }) => name), ...notChecked].map(({ length }) => length),
  );
  const indent = " ".repeat(8 + nameWidth + 2);
  const lines = checks.flatMap(({ name, ok, text: result, remedy }) => [
    `${ok ? "ok      " : "FAILED  "}${name.padEnd(nameWidth)}  ${result}`,
    ...(remedy === undefined ? [] : [indent + remedy]),
  ]);
  if (notChecked.length > 0) lines.push(`--      not checked: ${notChecked.join(", ")}`);
  return `${[...lines, "", ...conclusion(report)].join("\n")}\n`;
}

function conclusion(report: DoctorReport): string[] {
  const { idTest, failure } = report;
  if (failure !== undefined) return [failure];
  if (idTest) return [idTestText(idTest)];
  if (!isHealthy(report)) return ["Correct what failed, then run this again."];
  return [
    "Which guarantee the service gives depends on what it does with ids of updates. On a test incident,",
    "`monitoring doctor --post-to INCIDENT` finds out.",
  ];
}

function json(report: DoctorReport): string {
  const { checks, notChecked, idTest, failure } = report;
  return `${escapedJson({ ok: isHealthy(report), checks, notChecked, ids: idTest, failure }, 2)}\n`;
}
