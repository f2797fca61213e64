/** What `pulumi preview --json` prints, and what it says of incident updates. It decides nothing: the preview has. */
import { z } from "zod";
import { isQuoted, unquoted } from "../provider/texts/quotedLines";
import { isOfType, resourceTypes } from "../provider/engine/resourceTypes";

const step = z.object({ op: z.string(), urn: z.string() });
const diagnostic = z.object({ urn: z.string().optional(), message: z.string(), severity: z.string() });
const digestSchema = z
  .object({ steps: z.array(step).nullish(), diagnostics: z.array(diagnostic).nullish() })
  .refine(({ steps, diagnostics }) => steps ?? diagnostics, "it has neither steps nor diagnostics");

/** What Pulumi prints of a preview. */
export type Digest = z.infer<typeof digestSchema>;

/** What a preview says of one update: as a heading, lines of facts, and the text. */
export interface PreviewedUpdate {
  readonly heading: string;
  readonly facts: readonly string[];
  /** Undefined where the preview shows none. */
  readonly text: string | undefined;
  /** `may`: only the `up` can tell whether it posts. */
  readonly posts: "will" | "may" | "no";
}

export interface Preview {
  readonly updates: readonly PreviewedUpdate[];
  /** Names of updates that are removed from the state. */
  readonly removed: readonly string[];
  /** Why the preview fails, as far as this package says it. */
  readonly errors: readonly string[];
  readonly failed: boolean;
  /** Resources other than updates that would change. */
  readonly otherChanges: number;
  readonly otherErrors: number;
}

/** @returns the digest, or why it is none, as the end of a sentence. */
export function readDigest(text: string): Digest | string {
  if (text.trim() === "") return "it is empty, because pulumi failed before the preview";
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return "it is not JSON";
  }
  const { data, error } = digestSchema.safeParse(json);
  if (data) return data;
  return error.issues.map(({ path, message }) => [...path, message].join(": ")).join("; ");
}

export function previewOf({ steps, diagnostics }: Digest): Preview {
  const changes = (steps ?? []).filter(({ op, urn }) => op !== "same" && op !== "read" && !isStack(urn));
  const others = changes.filter(({ urn }) => !isUpdate(urn));
  const errors = (diagnostics ?? []).filter(({ severity }) => severity === "error");
  const ours = errors.filter(({ urn, message }) => isOurs(urn) || component.test(message));
  return {
    updates: updatesIn(diagnostics ?? []),
    removed: changes.filter(({ op, urn }) => op === "delete" && isUpdate(urn)).map(({ urn }) => nameOf(urn)),
    errors: ours.map(({ message }) => message.replace(/^error: (Preview failed: )?/, "").trim()),
    failed: errors.length > 0,
    otherChanges: new Set(others.map(({ urn }) => urn)).size,
    otherErrors: errors.filter(
      (error) => !ours.includes(error) && !/^error: preview failed\s*$/.test(error.message),
    ).length,
  };
}

/** Of a component of this package, whose errors are the program's. */
const component = /^error: (OpenIncidentGate|AlertChannelAudit|IncidentTimeline|IncidentUpdate) /;

const typeOf = (urn: string): string => urn.split("::")[2]?.split("$").at(-1) ?? "";
const nameOf = (urn: string): string => urn.split("::").slice(3).join("::");
const isStack = (urn: string): boolean => typeOf(urn) === "pulumi:pulumi:Stack";
const isUpdate = (urn: string): boolean => isOfType(typeOf(urn), "IncidentUpdate");
const isOurs = (urn = ""): boolean => resourceTypes.some((type) => isOfType(typeOf(urn), type));

interface Block {
  readonly heading: string;
  readonly facts: string[];
  readonly quoted: string[];
}

/**
 * The dynamic provider's lines have no resource and are a message each, between which other messages may come; the plugin's
 * messages have all lines.
 */
function updatesIn(diagnostics: NonNullable<Digest["diagnostics"]>): PreviewedUpdate[] {
  const blocks: Block[] = [];
  const latest = new Map<string, Block>();
  for (const { urn = "", message, severity } of diagnostics) {
    if (!severity.startsWith("info") || !(urn === "" || isUpdate(urn))) continue;
    for (const line of message.split("\n")) {
      const block = latest.get(urn);
      if (/^IncidentUpdate\b/.test(line)) {
        const opened: Block = { heading: line, facts: [], quoted: [] };
        blocks.push(opened);
        latest.set(urn, opened);
      } else if (block && isQuoted(line)) block.quoted.push(line);
      else if (block && /^ {2}\S/.test(line)) block.facts.push(line.trim());
    }
  }
  return blocks.map(({ heading, facts, quoted }) => ({
    heading,
    facts,
    text: quoted.length === 0 ? undefined : unquoted(quoted),
    posts: effectOf(heading),
  }));
}

/** The name of a resource is in quotation marks, and then comes what becomes of it. */
const headingPattern = /^IncidentUpdate(?: (?:"(?:[^"\\]|\\.)*"|[^\s:]+))?(?<what>.*)$/;

function effectOf(heading: string): PreviewedUpdate["posts"] {
  const what = headingPattern.exec(heading)?.groups?.["what"] ?? "";
  if (what.startsWith(" posts to "))
    return what.endsWith(", unless an identical update exists there") ? "may" : "will";
  const isOpen =
    what.startsWith(" waits for ") || /^: (it is unknown whether|`pulumi up` looks again)/.test(what);
  return isOpen ? "may" : "no";
}
