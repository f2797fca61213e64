/** Runs `monitoring doctor`: examines the settings and the service, tests its use of ids if the user confirms, and reports. */
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { isMonitoringError } from "../../provider/client";
import { amount, escapedJson, oneLine, quotedLine, wrappedSentence } from "../../provider/texts";
import { type Arguments, type CommandContext, CommandError, print, UsageError } from "../command";
import type * as definitions from "../definitions";
import { examine, type Examination, type OpenIncident, ResponseWatch } from "./checks";
import { exitCodes } from "../exitCodes";
import { askAboutIds, type IdAnswer, limited, testBegins, textOf } from "./idQuestion";

type Args = Arguments<typeof definitions.doctor>;

/** @throws UsageError for options that need others; CommandError for what can't be written */
export async function runDoctor({ values }: Args, context: CommandContext): Promise<number> {
  const { "post-to": incidentId, yes, format } = values;
  if (yes && incidentId === undefined) throw new UsageError("--yes needs --post-to INCIDENT.");
  if (incidentId !== undefined && !yes && context.stdin.isTTY !== true)
    throw new UsageError("--post-to asks before it posts: run it on a terminal, or add --yes.");
  const watch = new ResponseWatch();
  const interruption = new AbortController();
  const stop = (name: NodeJS.Signals): void =>
    interruption.abort(new CommandError(`Interrupted by ${name}.`));
  // `npx` passes on a signal that the command receives from the terminal, too.
  for (const name of stopSignals) process.on(name, stop);
  try {
    const { signal } = interruption;
    const examination = await examine({ ...values, environment: context.environment, signal }, watch);
    const report = { ...examination, ...(await testOfIds(values, examination, context, watch, signal)) };
    await print(formats[format](report), context.stdout);
    return isHealthy(report) ? exitCodes.success : exitCodes.failed;
  } finally {
    for (const name of stopSignals) process.off(name, stop);
  }
}

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Posts, if the user asks for it and confirms. */
async function testOfIds(
  { "post-to": incidentId, yes }: Args["values"],
  { service }: Examination,
  context: CommandContext,
  watch: ResponseWatch,
  signal: AbortSignal,
): Promise<Pick<DoctorReport, "answer" | "failure">> {
  if (incidentId === undefined) return {};
  if (!service) return { failure: "Nothing was posted. Correct what failed, then run this again." };
  const confirm = async (announcement: string): Promise<boolean> => {
    context.stderr.write(`${oneLine(announcement)}\n`);
    if (!yes && !(await isConfirmed(context, signal))) return false;
    context.stderr.write(
      "Posting, and reading the incident until it shows what was posted, for a few minutes at most…\n",
    );
    return true;
  };
  const { connection, once } = service;
  const incidents = connection.incidentsOn(undefined);
  try {
    const asked = { baseUrl: connection.baseUrl, incidents, poster: once.incidentsOn(undefined), signal };
    const incident = await incidents.get(incidentId);
    const answer = await askAboutIds(asked, incident, watch, confirm).finally(() => signal.throwIfAborted());
    return answer ? { answer } : { failure: "Nothing was posted." };
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    // It names the argument by which a program posts to a page with components.
    if (error.message.includes("statusPageId"))
      return { failure: `Nothing was posted: pages with components take no ids. ${limited}` };
    const isPublic = watch.posts > 0 && !/^Nothing was posted/.test(error.message);
    const texts = `with texts that begin with "${testBegins}"`;
    const published = isPublic
      ? `\nPublic: at most ${amount(watch.posts, "update")} of this test, ${texts}.`
      : "";
    return { failure: `What the service does with an id is unknown. ${oneLine(error.message)}${published}` };
  }
}

async function isConfirmed({ stdin, stderr }: CommandContext, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const question = terminal.question("Post? (yes/no) ", { signal }).catch(() => "no");
    // Ctrl-D and Ctrl-C close the terminal without an answer.
    const answer = await Promise.race([question, once(terminal, "close").then(() => "no")]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

interface DoctorReport extends Omit<Examination, "service"> {
  /** Missing if nothing was posted, or if the first post failed. */
  readonly answer?: IdAnswer | undefined;
  readonly failure?: string | undefined;
}

function isHealthy({ checks, answer, failure }: DoctorReport): boolean {
  return failure === undefined && answer?.isConclusive !== false && checks.every(({ ok }) => ok);
}

const formats = { text: asText, json: asJson } satisfies Record<string, (report: DoctorReport) => string>;

function asText(report: DoctorReport): string {
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
  const { answer, failure, hasCards = false, openIncidents = [] } = report;
  if (failure !== undefined) return [failure];
  if (answer) return [textOf(answer)];
  if (!isHealthy(report)) return ["Correct what failed, then run this again."];
  return [
    ...openIncidentLines(openIncidents),
    "Pages with components take no ids of updates: their guarantee is that of a service",
    "that ignores them.",
    ...(hasCards ? guaranteeOfCards : []),
  ];
}

const guaranteeOfCards = [
  "Which guarantee a page with cards gives depends on what the service does with",
  "them: `monitoring doctor --post-to INCIDENT`, on a test incident, finds out.",
];

/** More would push the checks off the screen. */
const mostListed = 20;

/** Lists what a program declares to post to the open incidents. */
function openIncidentLines(incidents: readonly OpenIncident[]): string[] {
  if (incidents.length === 0) return [];
  const listed = incidents.slice(0, mostListed).flatMap(({ address, name, status, statusPages }) => {
    const args = Object.entries(address).map(([argument, id]) => `${argument}: ${quotedLine(id)}`);
    const [page = "", ...others] = statusPages;
    const more = others.length === 0 ? "" : ` and ${amount(others.length, "other")}`;
    const about = wrappedSentence(`${name} (${status ?? "no status"}), on ${page}${more}`, 76);
    return [`  ${args.join(", ")}`, ...about.map((line) => `    ${line}`)];
  });
  const more = incidents.length - mostListed;
  return [
    "Open incidents, and the arguments of an update or a timeline for each:",
    ...listed,
    ...(more > 0 ? [`  and ${more} more, which --format json lists`] : []),
    "",
  ];
}

function asJson(report: DoctorReport): string {
  const { checks, notChecked, openIncidents: open, answer: ids, failure } = report;
  const openIncidents = open?.map(({ address, ...shown }) => ({ ...address, ...shown }));
  const ok = isHealthy(report);
  return `${escapedJson({ ok, checks, notChecked, openIncidents, ids, failure }, 2)}\n`;
}
