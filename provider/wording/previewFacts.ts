/**
 * Defines the facts that a provider and a program pass to `monitoring preview`, one line of JSON each. They omit texts that may be secret.
 */
import { z } from "zod";
import { formatTitle, parseUrn } from "../engine";
import { factFormat } from "../previewFacts";
import { formatQuotation, wrapSentence } from "../terminal";
import { getNounsOfType } from "./labels";

const text = z.string();

const format = z.literal(factFormat);

const block = z.object({
  head: text,
  lines: z.array(text).describe("Further sentences"),
  text: text.optional().describe("Text that follows the last line"),
  isDeclared: z
    .boolean()
    .optional()
    .describe("True for the block of the declared update. Its status, date and text follow the lines"),
});

const impact = z.object({
  component: text.describe("Name of the component, or its ID if the components can't be read"),
  id: text,
  state: text.describe("State of the component, such as `MAJOR_OUTAGE`"),
});

export type ShownImpact = z.output<typeof impact>;

const incident = z.object({
  id: text,
  statusPageId: text.optional().describe("Status page of the incident, if it is a page with components"),
  name: text.optional(),
  severity: text.optional(),
  impacts: z
    .array(impact)
    .optional()
    .describe("Components that the incident affects, the worst state first; missing on a page with cards"),
  status: text.optional().describe("Latest status of the incident"),
  began: text.optional().describe("Creation time of the incident"),
});

const newest = z.object({
  id: text,
  status: text.optional(),
  at: text.optional().describe("Public date of the update or, without one, its creation time"),
  text: text
    .optional()
    .describe("First line of the update, cut to 200 characters; missing if it was a secret of the resource"),
});

const update = z.object({
  urn: text.describe("URN of the resource"),
  posts: z
    .enum(["will", "may", "no", "refused"])
    .catch("may")
    .describe("Whether `pulumi up` posts the update. may: unknown until `pulumi up`"),
  becomes: z
    .enum(["posted", "waits", "unconfirmed", "unknown", "edited", "verified", "adopted", "kept", "refused"])
    .catch("unknown")
    .describe(
      "Expected result. waits: `pulumi up` searches again first; unconfirmed: an earlier run sent the update and received no response; " +
        "unknown: some declared values are unknown, or the service was not read; edited: the public update is edited without an email; " +
        "verified: the public update already matches, and the edit may be sent again; " +
        "adopted: the update is already public; kept: only the state changes; refused: the change is rejected",
    ),
  incident: incident.optional().describe("Incident, as far as it was read"),
  newest: newest.optional().describe("Newest public update of the incident"),
  status: text.optional(),
  text: text.optional().describe("Text, as it will be public"),
  withheld: z.enum(["secret", "unknown"]).optional().describe("Why the text is missing"),
  date: text.optional().describe("Declared public date"),
  adopts: text.optional().describe("ID of the public update that the resource adopts"),
  emails: z.boolean().optional().describe("Whether all subscribers are emailed; missing if unknown"),
  warnings: z
    .array(text)
    .default([])
    .describe("Possible errors in the declaration; they never quote the text"),
  timeline: z
    .object({
      name: text.optional().describe("Name of the timeline"),
      entry: z.int().describe("Position in the timeline, starting at 1"),
      of: z.int().describe("Number of its entries"),
    })
    .optional()
    .describe("Timeline that the update belongs to"),
  order: z.int().optional().describe("Position in the program, in TypeScript and JavaScript"),
  blocks: z.array(block).describe("Sentences about the update"),
});

/** The expected result of a declared update. */
export const previewedUpdate = update;
export type PreviewedUpdate = z.output<typeof update>;

const opening = {
  statusPage: z
    .object({ id: text, name: text.optional() })
    .optional()
    .describe("The status page; missing if its ID isn't known"),
  name: text.optional().describe("The name of the incident; missing if it isn't known or is a secret"),
  impacts: z
    .array(impact)
    .optional()
    .describe("The declared states of components; missing if they weren't compared with the page"),
};

/** The expected result of a declared incident, with its first update. */
export const previewedIncident = update
  .omit({ incident: true, newest: true, date: true, timeline: true })
  .extend(opening);
export type PreviewedIncident = z.output<typeof previewedIncident>;

const factSchema = update.extend({ ...opening, format, unread: text.optional() });

export type PreviewFact = z.output<typeof factSchema>;

const runMessageSchema = z.object({
  format,
  is: z.enum(["error", "problem", "summary", "warning"]),
  text,
  markdown: text.optional(),
});

/** Returns undefined if the format of the fact belongs to a different version. */
export function readFact(json: unknown): PreviewFact | z.output<typeof runMessageSchema> | undefined {
  return z.union([factSchema, runMessageSchema]).safeParse(json).data;
}

/** Creates the fact of a declaration that `pulumi up` rejects. @param reasons Default: none, because an error contains them. */
export function createRejectedFact(urn: string, reasons: readonly string[] = []): PreviewFact {
  const head = `${formatTitle(urn)} is rejected; nothing is ${getNounsOfResource(urn).posted}`;
  return createFact(urn, "refused", { head, lines: [...reasons] });
}

/** Creates the fact of an update if the plan contains only its name. */
export function createUnknownFact(urn: string): PreviewFact {
  const lines = ["Its content or its provider is unknown in the preview."];
  return createFact(urn, "unknown", {
    head: `${formatTitle(urn)} may be ${getNounsOfResource(urn).posted}`,
    lines,
  });
}

const getNounsOfResource = (urn: string) => getNounsOfType(parseUrn(urn).type.split(":").at(-1) ?? "");

function createFact(
  urn: string,
  becomes: "refused" | "unknown",
  content: z.output<typeof block>,
): PreviewFact {
  const posts = becomes === "refused" ? "refused" : "may";
  return { format: factFormat, urn, posts, becomes, warnings: [], blocks: [content] };
}

/** Sentences and quotations about one update, laid out by {@link formatBlockLines}. */
export interface Block {
  readonly head: string;
  readonly lines?: readonly string[];
  /** The public text, printed after the last line. */
  readonly text?: string;
  /** Warnings, printed before the lines. */
  readonly warnings?: readonly string[];
  readonly level?: "error" | "warning" | "note";
  /** The lines in Markdown, for a comment. */
  readonly markdown?: string | undefined;
}

/**
 * @param columns The width of a line. Default: lines aren't wrapped, because the engine wraps them, and a long text is cut.
 * @param color The color of the head. Default: nothing is colored.
 */
export function formatBlockLines(
  { head, warnings = [], lines = [], text, level }: Block,
  columns?: number,
  color?: Color,
): string[] {
  const wrapLine = (line: string, indent: string): string[] =>
    wrapSentence(line, (columns ?? Infinity) - indent.length);
  const start = level === "error" || level === "warning" ? `${level}: ${head}` : head;
  const quoted =
    text === undefined
      ? []
      : formatQuotation(text, columns === undefined ? undefined : { most: Infinity, columns });
  return [
    ...wrapLine(start, "").map((line) => colorize(line, color)),
    ...warnings.flatMap((warning) =>
      wrapLine(`warning: ${warning}`, "  ").map((line) => `  ${colorize(line, color && "warning")}`),
    ),
    ...lines.flatMap((line) => {
      // A message may contain indented lines of YAML.
      const [indent = ""] = /^ */.exec(line) ?? [];
      return wrapLine(line, `  ${indent}`).map((each) => `  ${indent}${each}`);
    }),
    ...quoted,
  ];
}

const colors = { error: "31", warning: "33", update: "1" } as const;

type Color = keyof typeof colors | "note";

function colorize(line: string, color: Color = "note"): string {
  return color === "note" ? line : `\u001b[${colors[color]}m${line}\u001b[0m`;
}
