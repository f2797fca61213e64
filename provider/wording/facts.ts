/** Defines what a provider and a program tell `monitoring preview`, one line of JSON for each fact. It withholds a text that may be a secret. */
import { z } from "zod";
import { formatTitle, isOfType, parseUrn } from "../engine";
import { factFormat } from "../previewFacts";
import { formatQuotation, wrapSentence } from "../terminal";

const text = z.string();

const format = z.literal(factFormat);

const block = z.object({
  head: text,
  lines: z.array(text).describe("Further sentences"),
  text: text.optional().describe("The text that the last line introduces"),
  isDeclared: z
    .boolean()
    .optional()
    .describe("True for the block of the update itself: its status, date and text follow the lines"),
});

const impact = z.object({
  component: text.describe("Its name, or its id where the components can't be read"),
  id: text,
  state: text.describe("Its state, such as `MAJOR_OUTAGE`"),
});

export type ShownImpact = z.output<typeof impact>;

const incident = z.object({
  id: text,
  statusPageId: text.optional().describe("Its page, if that is one with components"),
  name: text.optional(),
  severity: text.optional(),
  impacts: z
    .array(impact)
    .optional()
    .describe("What it does to components of its page, the worst first; missing on a page with cards"),
  status: text.optional().describe("Its latest status"),
  began: text.optional().describe("When it was created"),
});

const newest = z.object({
  id: text,
  status: text.optional(),
  at: text.optional().describe("Its public date or, without one, the time of its post"),
  text: text
    .optional()
    .describe("Its first line, cut to 200 characters; missing if it was a secret of the resource"),
});

const update = z.object({
  urn: text.describe("The URN of the resource"),
  posts: z
    .enum(["will", "may", "no", "refused"])
    .catch("may")
    .describe("Whether `pulumi up` posts it. may: only an `up` can tell"),
  becomes: z
    .enum(["posted", "waits", "unconfirmed", "unknown", "edited", "adopted", "kept", "refused"])
    .catch("unknown")
    .describe(
      "What becomes of it. waits: `up` looks again first; unconfirmed: an earlier run sent it, without a response; unknown: not all " +
        "that it declares is known yet, or the service was not read; edited: the public update changes, and nobody is emailed; adopted: it is public already; kept: only the state changes",
    ),
  incident: incident.optional().describe("The incident as it is shown, as far as it was read"),
  newest: newest.optional().describe("The newest public update of the incident"),
  status: text.optional(),
  text: text.optional().describe("The text, as it will be public"),
  withheld: z.enum(["secret", "unknown"]).optional().describe("Why there is no text"),
  date: text.optional().describe("The declared public date"),
  occurrence: z.int().optional().describe("Its number among identical updates of the incident"),
  adopts: text.optional().describe("The id of the public update that it adopts"),
  emails: z.boolean().optional().describe("Whether every subscriber is emailed; missing if that isn't known"),
  warnings: z.array(text).default([]).describe("What may be a mistake; it never quotes the text"),
  timeline: z
    .object({ entry: z.int(), of: z.int() })
    .optional()
    .describe("Its place in its timeline, from 1 on"),
  order: z.int().optional().describe("Its place in a program in TypeScript or JavaScript"),
  blocks: z.array(block).describe("Sentences about it"),
});

/** The result of a declared update. */
export const previewedUpdate = update;
export type PreviewedUpdate = z.output<typeof update>;

const opening = {
  statusPage: z
    .object({ id: text, name: text.optional() })
    .optional()
    .describe("The status page; missing if its ID isn't known"),
  name: text.optional().describe("The name of the incident; missing if it isn't known"),
  impacts: z
    .array(impact)
    .optional()
    .describe("The declared states of components; missing if they weren't compared with the page"),
};

/** The result of a declared incident, with its first update. */
export const previewedIncident = update
  .omit({ incident: true, newest: true, date: true, occurrence: true, timeline: true })
  .extend(opening);
export type PreviewedIncident = z.output<typeof previewedIncident>;

const factSchema = update.extend({ ...opening, format, unread: text.optional() });

export type PreviewFact = z.output<typeof factSchema>;

const runMessageSchema = z.object({ format, is: z.enum(["error", "problem", "summary"]), text });

/** Undefined for what this version doesn't know. */
export function readFact(json: unknown): PreviewFact | z.output<typeof runMessageSchema> | undefined {
  return z.union([factSchema, runMessageSchema]).safeParse(json).data;
}

/** Reports a declaration that an `up` refuses. @param reasons Default: an error says why. */
export function createRefusedFact(urn: string, reasons: readonly string[] = []): PreviewFact {
  const head = `${formatTitle(urn)} is refused: nothing is ${isIncident(urn) ? "opened" : "posted"}`;
  return createFact(urn, "refused", { head, lines: [...reasons] });
}

/** Reports an update of which the plan has only the name. */
export function createUnknownFact(urn: string): PreviewFact {
  const lines = ["The preview doesn't know what it declares, or its provider."];
  const head = `${formatTitle(urn)} may be ${isIncident(urn) ? "opened" : "posted"}`;
  return createFact(urn, "unknown", { head, lines });
}

const isIncident = (urn: string): boolean => isOfType(parseUrn(urn).type, "Incident");

function createFact(urn: string, becomes: "refused" | "unknown", said: z.output<typeof block>): PreviewFact {
  const posts = becomes === "refused" ? "refused" : "may";
  return { format: factFormat, urn, posts, becomes, warnings: [], blocks: [said] };
}

/** Sentences and quotations that belong together, which {@link formatBlockLines} lays out. */
export interface Block {
  readonly head: string;
  readonly lines?: readonly string[];
  /** The text that the last line introduces, as it will be public. */
  readonly text?: string;
  /** Warnings, which come before the lines. */
  readonly warnings?: readonly string[];
  readonly level?: "error" | "warning" | "note";
}

/**
 * @param columns The width of a line. Default: the engine breaks lines, and prints the beginning of a long text.
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
      // A message may have lines of YAML.
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
