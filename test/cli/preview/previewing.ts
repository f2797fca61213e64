/**
 * Runs previews with a command that replaces Pulumi. The command prints a plan and writes facts as the provider does. Also renders
 * comments as a reader sees them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { marked } from "marked";
import { renderMarkdown } from "../../../cli/documents";
import { PlanReader } from "../../../cli/preview/plan";
import { createDocument, exitCodeOf, createReport } from "../../../cli/preview/report";
import { type PreviewFact } from "../../../provider/wording";
import { temporaryFolder } from "../../temporaryFolder";
import { type Ended, run as runCommand } from "../running";

export const urn = (type: string, name: string) => `urn:pulumi:dev::shop::${type}::${name}`;
export const dynamicUpdate = "pulumi-nodejs:dynamic/monitoring:IncidentUpdate";
export const nativeUpdate = "monitoring:index:IncidentUpdate";
export const timeline = "monitoring:index:IncidentTimeline";
export const updateUrn = (name: string) => urn(nativeUpdate, name);

export interface Step {
  readonly op: string;
  readonly urn: string;
  readonly newState?: {
    readonly parent?: string;
    readonly inputs?: Readonly<Record<string, unknown>>;
  };
}

export interface Message {
  readonly urn?: string;
  readonly message: string;
  readonly severity: string;
  /** True for a line of progress that the next line replaces. */
  readonly ephemeral?: boolean;
}

const now = Date.parse("2026-11-26T12:00:00Z");

interface Given extends Partial<PreviewFact> {
  readonly title?: string;
  readonly where?: string;
  readonly notices?: readonly string[];
  readonly text?: string;
}

/** Returns the fact that the provider writes for an update that is posted, unless other values are given. */
export function createFact(name: string, given: Given = {}): PreviewFact {
  const { title = `IncidentUpdate ${JSON.stringify(name)}`, where = '"Checkout" (inc_1)' } = given;
  const { notices = [], text = "All good.", emails = false, posts = "will", ...others } = given;
  const blocks = [{ head: `${title} posts to ${where}`, lines: [...notices], isDeclared: true }];
  const fact = { format: 3, urn: updateUrn(name), becomes: "posted", status: "MONITORING" } as const;
  return { ...fact, warnings: [], posts, emails, text, blocks, ...others };
}

export const create = (name: string, op = "create"): Step => ({ op, urn: updateUrn(name) });

/** The behavior of one run of Pulumi. */
export interface Printed {
  readonly steps?: readonly Step[];
  readonly diagnostics?: readonly Message[];
  readonly facts?: readonly (PreviewFact | object | string)[];
  /** Replaces the steps and diagnostics. */
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
  /** Pulumi's options, which select a part of the stack. */
  readonly options?: readonly string[];
}

const script = `
const { appendFileSync, statSync, readFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const { facts, stdout, stderr, exitCode } = JSON.parse(readFileSync(join(__dirname, "printed.json"), "utf8"));
const file = process.env.MONITORING_PREVIEW_FACTS;
// Standard input is empty, because no user can respond.
readFileSync(0);
const modes = file && [file, dirname(file)].map((each) => (statSync(each).mode & 0o777).toString(8));
appendFileSync(join(__dirname, "runs.jsonl"), JSON.stringify({ args: process.argv.slice(2), file, modes }) + "\\n");
if (file) appendFileSync(file, facts);
process.stderr.write(stderr);
if (process.env.PULUMI_ENABLE_STREAMING_JSON_PREVIEW === "true") process.stdout.write(stdout);
process.exitCode = exitCode;
`;

/** Creates a command that behaves like Pulumi, in a folder where it records its runs in `runs.jsonl`. */
export function fakePulumi({ facts = [], stderr = "", exitCode = 0, ...printed }: Printed): string {
  const folder = temporaryFolder();
  const { steps = [], diagnostics = [] } = printed;
  const stdout = printed.stdout ?? formatEvents(steps, diagnostics);
  const lines = facts.map((fact) => `${typeof fact === "string" ? fact : JSON.stringify(fact)}\n`);
  const content = JSON.stringify({ facts: lines.join(""), stdout, stderr, exitCode });
  writeFileSync(join(folder, "printed.json"), content);
  writeFileSync(join(folder, "pulumi.js"), script);
  return folder;
}

/** Formats the events as Pulumi prints them, one on each line. */
export function formatEvents(steps: readonly Step[], diagnostics: readonly Message[] = []): string {
  const resourceChanges: Record<string, number> = {};
  for (const { op } of steps) resourceChanges[op] = (resourceChanges[op] ?? 0) + 1;
  const events = [
    { preludeEvent: {} },
    ...steps.map(({ newState: after, ...metadata }) => ({
      resourcePreEvent: { metadata: { ...metadata, new: after, old: null } },
    })),
    ...diagnostics.map((diagnosticEvent) => ({ diagnosticEvent })),
    { summaryEvent: { resourceChanges } },
  ];
  return events.map((event, sequence) => `${JSON.stringify({ sequence, ...event })}\n`).join("");
}

/** Formats an event as Pulumi prints it. */
export const event = (sequence: number, content: object): string => JSON.stringify({ sequence, ...content });

/** The events of a plan that creates the update x. */
export const stream: readonly string[] = [
  event(0, { preludeEvent: {} }),
  event(1, { resourcePreEvent: { metadata: { op: "create", urn: updateUrn("x"), new: null, old: null } } }),
  event(2, { diagnosticEvent: { message: "debugged", severity: "debug" } }),
];
export const end: string = event(3, { summaryEvent: { resourceChanges: { create: 1 } } });

export const getPulumiOption = (folder: string) => [
  "--pulumi",
  `${process.execPath} ${join(folder, "pulumi.js")}`,
];

export const run = (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
  terminal: Parameters<typeof runCommand>[3] = {},
): Promise<Ended> => runCommand("preview", args, environment, terminal);

/** Runs the command on such a run, with Markdown output. */
export const previewByCommand = (printed: Printed): Promise<Ended> =>
  run([...getPulumiOption(fakePulumi(printed)), "--format", "markdown"]);

/** Returns the command's result for such a run, without starting a process. */
export function preview({
  facts = [],
  exitCode = 0,
  steps = [],
  diagnostics = [],
  stdout,
  options,
}: Printed) {
  const reader = new PlanReader();
  const lines = (stdout ?? formatEvents(steps, diagnostics)).split("\n");
  const log = lines.filter((line) => line !== "").flatMap((line) => reader.read(line));
  for (const fact of facts) reader.readFact(typeof fact === "string" ? fact : JSON.stringify(fact));
  const report = createReport(reader.getPreview(), { code: exitCode }, reader.stack, options);
  return {
    code: exitCodeOf[report.result],
    report,
    log,
    markdown: renderMarkdown(createDocument(report, now, reader.markdown)),
  };
}

/** Returns the comment on updates that the plan creates. */
export function renderComment(...facts: readonly PreviewFact[]): string {
  return preview({ steps: facts.map(({ urn: of }) => ({ op: "create", urn: of })), facts }).markdown;
}

export const getHeading = (markdown: string): string => markdown.split("\n")[0] ?? "";

/** Returns a comment as a reader sees it, and its HTML, to check for links or other elements that a text could have created. */
export function shown(markdown: string): { readonly text: string; readonly html: string } {
  const html = marked.parse(markdown, { async: false, gfm: true });
  const text = html
    .replace(/<!--.*?-->/g, "")
    .replace(/<br>/g, "\n")
    .replace(/<\/p>\n<p>/g, "\n\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:#(\d+)|(\w+));/g, (all, code?: string, name?: string) =>
      code === undefined
        ? ({ amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " }[name ?? ""] ?? all)
        : String.fromCodePoint(Number(code)),
    );
  return { text, html };
}
