/** Runs `monitoring doctor`. */
import { execFile } from "node:child_process";
import { parseArgs, types } from "node:util";
import { z } from "zod";
import { escapedJson, oneLine } from "../provider/texts";
import { type Environment, type ReadConfig, type Connection, orNearest } from "../provider/connection";
import { ConfigurationError, isMonitoringError, type StatusPageIncident } from "../provider/client";
import { version } from "../provider/packageManifest";
import {
  checkNames,
  type CheckResult,
  type Examination,
  examine,
  problemChecks,
  ResponseWatch,
} from "./doctorChecks";
import { announcement, guaranteeOf, type IdTest, type SecondPost, testIds } from "./idTest";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { type CommandContext, oneOf, print, rejectDuplicates, rejectEmpty, UsageError } from "./command";
import { exitCodes } from "./exitCodes";

// Reads the configuration of a stack by the command `pulumi`, as no other way decrypts it.

/** The key of a setting, and its value: of a secret, of a number and of an object alike, it is a string. */
const stackConfig = z.record(z.string(), z.object({ value: z.string().optional() }));

/** @throws ConfigurationError when `pulumi` can't read the stack */
async function readStackConfig(stack: string, environment: Environment): Promise<NonNullable<ReadConfig>> {
  const printed = await printedBy(["config", "--json", "--show-secrets", "--stack", stack], environment);
  const config = stackConfig.safeParse(valueIn(printed)).data;
  if (config === undefined) throw unreadable(stack, "`pulumi config --json` printed no configuration");
  return (key) => config[`monitoring:${key}`]?.value;
}

async function printedBy(args: readonly string[], environment: Environment): Promise<string> {
  const stack = args.at(-1) ?? "";
  // A shell runs it on Windows, where npm installs a script of this name.
  if (!/^[\w./-]+$/.test(stack))
    throw unreadable(stack, "its name has other characters than names of stacks have");
  const options = {
    env: { ...environment },
    shell: process.platform === "win32",
    maxBuffer: 16 * 1024 * 1024,
  };
  return new Promise((resolve, reject) => {
    execFile(
      "pulumi",
      [...args, "--non-interactive", "--color", "never"],
      options,
      (error, stdout, stderr) => {
        if (error === null) {
          resolve(stdout);
          return;
        }
        const isAbsent = types.isNativeError(error) && error.code === "ENOENT";
        const said = isAbsent
          ? "the command `pulumi` isn't on the PATH. Run `npx monitoring doctor` in a project that has it, or set the environment variables"
          : `\`pulumi config\` says: ${oneLine(stderr).replace(/^error: /, "")}`;
        reject(unreadable(stack, said));
      },
    );
  });
}

function valueIn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function unreadable(stack: string, reason: string): ConfigurationError {
  return new ConfigurationError("Stack", [
    { property: `--stack ${oneLine(stack)}`, reason: `can't be read: ${reason}` },
  ]);
}

// What `monitoring doctor` found, as text and as JSON.

interface DoctorReport {
  /** In the order of {@link checkNames}. */
  readonly checks: readonly CheckResult[];
  /** What the posts showed; undefined without them, or when they failed. */
  readonly idTest?: { readonly service: string; readonly found: IdTest } | undefined;
  /** Why the posts showed nothing. */
  readonly failure?: string | undefined;
}

/** Whether nothing is wrong. */
function isHealthy({ checks, failure }: DoctorReport): boolean {
  return failure === undefined && checks.every(({ ok }) => ok);
}

const doctorFormats = { text, json } satisfies Record<string, (report: DoctorReport) => string>;

const nameWidth = Math.max(...checkNames.map((name) => name.length));
const indent = " ".repeat(8 + nameWidth + 2);

function text(report: DoctorReport): string {
  const lines = report.checks.flatMap(({ name, ok, text: found, remedy }) => [
    `${ok ? "ok      " : "FAILED  "}${name.padEnd(nameWidth)}  ${found}`,
    ...(remedy === undefined ? [] : [indent + remedy]),
  ]);
  const unchecked = uncheckedNames(report);
  if (unchecked.length > 0) lines.push(`--      not checked: ${unchecked.join(", ")}`);
  return `${[...lines, "", ...conclusion(report)].join("\n")}\n`;
}

function uncheckedNames({ checks }: DoctorReport): string[] {
  return checkNames.filter((expected) => checks.every(({ name }) => name !== expected));
}

function conclusion(report: DoctorReport): string[] {
  const { idTest, failure } = report;
  if (failure !== undefined) return [failure];
  if (idTest) return [blockOf(idTest.service, idTest.found)];
  if (!isHealthy(report)) return ["Correct what failed, then run this again."];
  return [
    "Which guarantee the service gives depends on what it does with ids of updates. On a test incident,",
    "`monitoring doctor --post-to INCIDENT` finds out.",
  ];
}

/** Markdown, to be pasted into an issue: no key, no account and no incident. */
function blockOf(service: string, found: IdTest): string {
  return [
    `### monitoring doctor, pulumi-monitoring-service ${version}, Node ${process.versions.node}`,
    "",
    `- Service: ${service}`,
    `- Id of an update: ${found.ids}`,
    `- Shown: ${shownText(found)}`,
    `- Second post of the same id: ${found.second ? secondText(found.second) : "not sent"}`,
    `- Guarantee: ${guaranteeOf(found).join(" ")}`,
  ].join("\n");
}

function shownText({ shownMs, hiddenMs }: IdTest): string {
  if (shownMs === undefined) return `not within ${hiddenMs} ms of the response to the post`;
  const before = hiddenMs === undefined ? "at the first read" : `not yet after ${hiddenMs} ms`;
  return `${shownMs} ms after the response to the post, ${before}`;
}

function secondText({ result, httpStatus }: SecondPost): string {
  const meaning = {
    rejected: "rejected",
    "returned the first": "returned the first update",
    "created another": "created a second update",
  }[result];
  return `${meaning} (HTTP ${httpStatus})`;
}

function json(report: DoctorReport): string {
  const { checks, idTest, failure } = report;
  const notChecked = uncheckedNames(report);
  const ids = idTest && { service: idTest.service, ...idTest.found, guarantee: guaranteeOf(idTest.found) };
  return `${escapedJson({ ok: isHealthy(report), checks, notChecked, ids, failure }, 2)}\n`;
}

interface DoctorContext extends Omit<CommandContext, "now"> {
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
