/**
 * Runs `monitoring preview`: reads what `pulumi preview --json` prints, finds the incident updates in it, and writes a comment
 * in Markdown. It decides nothing: the preview has.
 */
import { text as readAll } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { z } from "zod";
import { AuditError, checkWritable, readText, writeFile } from "../audit/sources";
import { isOfType, resourceTypes } from "../provider/engine";
import { amount, inertLine, inertQuotation, isQuoted, unquoted, withoutCommands } from "../provider/texts";
import { type CommandContext, print, rejectDuplicates, rejectEmpty, UsageError } from "./command";
import { exitCodes } from "./exitCodes";

interface PreviewContext extends Pick<CommandContext, "stdout" | "stderr"> {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}

/** @throws UsageError, or an error of `parseArgs`, for invalid arguments */
export async function runPreview(args: readonly string[], context: PreviewContext): Promise<number> {
  const { file, output, log, exitCode } = readArguments(args, context);
  try {
    if (output !== undefined) checkWritable([output]);
    const text = file === undefined ? await readAll(context.stdin) : readText(file);
    // Pulumi prints nothing when it fails before the preview.
    const digest = text.trim() === "" && exitCode !== 0 ? {} : readDigest(file ?? "Standard input", text);
    const described = previewOf(digest);
    // Pulumi may fail for a reason that the digest lacks, such as a policy.
    const preview = { ...described, failed: described.failed || exitCode !== 0 };
    const markdown = comment(preview, log);
    if (output === undefined) await print(markdown, context.stdout);
    else {
      writeFile(output, markdown);
      await print(`${wholeText(digest)}${headline(preview)}\n`, context.stdout);
    }
    return preview.failed ? exitCodes.failed : exitCodes.success;
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    context.stderr.write(`${error.message}\n`);
    return exitCodes.invalid;
  }
}

function readArguments(args: readonly string[], { stdin }: PreviewContext) {
  const options = {
    output: { type: "string" },
    log: { type: "string" },
    "exit-code": { type: "string", default: "0" },
  } as const;
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    tokens: true,
    allowPositionals: true,
  });
  rejectEmpty(tokens);
  rejectDuplicates(tokens);
  const [input, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`One FILE can be given, not ${positionals.length}.`);
  const file = input === "-" ? undefined : input;
  if (file === undefined && stdin.isTTY === true)
    throw new UsageError(
      "Give the FILE that `pulumi preview --json > FILE` writes, or its text on standard input.",
    );
  const { output, log, "exit-code": exitCode } = values;
  if (log !== undefined && !isAddress(log))
    throw new UsageError(`--log must be an address that begins with https://, not ${JSON.stringify(log)}.`);
  if (!/^\d{1,3}$/.test(exitCode))
    throw new UsageError(`--exit-code must be a number, not ${JSON.stringify(exitCode)}.`);
  return { file, output, log, exitCode: Number(exitCode) };
}

/** Without a character that would end a link. */
function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s<>\\]+$/.test(text) && URL.canParse(text);
}

const step = z.object({ op: z.string(), urn: z.string() });
const diagnostic = z.object({ urn: z.string().optional(), message: z.string(), severity: z.string() });
const digestSchema = z
  .object({ steps: z.array(step).nullish(), diagnostics: z.array(diagnostic).nullish() })
  .refine(({ steps, diagnostics }) => steps ?? diagnostics, "it has neither steps nor diagnostics");

/** The steps and messages that Pulumi prints of a preview. */
type Digest = z.infer<typeof digestSchema>;

/** An update in a preview: a heading, lines of facts, and the text. */
interface PreviewedUpdate {
  readonly heading: string;
  readonly facts: readonly string[];
  /** Undefined where the preview shows none. */
  readonly text: string | undefined;
  /** `may`: only the `up` can tell whether it posts. */
  readonly posts: "will" | "may" | "no";
}

interface Preview {
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

/** @throws AuditError when the text isn't a digest */
function readDigest(name: string, text: string): Digest {
  const digest = parseDigest(text);
  if (typeof digest !== "string") return digest;
  throw new AuditError(
    `${name} isn't what \`pulumi preview --json\` prints: ${digest}. Run \`pulumi preview --json > preview.json\`, then ` +
      "`monitoring preview preview.json`.",
  );
}

/** @returns the digest, or why it is none, as the end of a sentence. */
function parseDigest(text: string): Digest | string {
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

function previewOf({ steps, diagnostics }: Digest): Preview {
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

/** Matches an error of a component of this package, which Pulumi reports as the program's. */
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

/** GitHub allows 65,536 characters; the rest is for the mark of whoever posts the comment. */
const maxCharacters = 65_000;
/** A preview may have many errors. */
const maxErrorCharacters = 15_000;
const maxLogLink = 2_000;

/** Describes a preview on a pull request. @param log Address of the log of the preview. */
function comment(preview: Preview, log?: string): string {
  const where = log === undefined ? "the log" : `[the log](<${log}>)`;
  const { updates } = preview;
  const opening = [`## ${headline(preview)}`, errorList(preview.errors, where)];
  const closing = [...preview.removed.map(removedText), othersText(preview, where)];
  const fixed = [...opening, ...closing].join("\n\n").length + maxLogLink;
  const { parts, withoutText, omitted } = fitting(updates, maxCharacters - fixed, where);
  const left = [
    ...(withoutText > 0 ? [`${amount(withoutText, "text")} left out`] : []),
    ...(omitted > 0 ? [`${amount(omitted, "update")} not listed`] : []),
  ];
  const cut = left.length === 0 ? "" : `**This comment is full: ${left.join(", ")}.** They are in ${where}.`;
  return `${[...opening, cut, ...parts, ...closing].filter((part) => part !== "").join("\n\n")}\n`;
}

/** `Preview: 1 update will be posted, with an email to every subscriber`. */
function headline({ updates, failed }: Preview): string {
  if (failed) return "The preview fails";
  const will = updates.filter(({ posts }) => posts === "will");
  const may = updates.filter(({ posts }) => posts === "may");
  const emails = will.filter(({ facts }) =>
    facts.some((fact) => fact.includes(", every subscriber is emailed:")),
  );
  const each = emails.length < will.length ? `${emails.length} ` : will.length > 1 ? "each " : "";
  const parts = [
    ...(will.length > 0 ? [`${amount(will.length, "update")} will be posted`] : []),
    ...(emails.length > 0 ? [`${each}with an email to every subscriber`] : []),
    ...(may.length > 0 ? [`${amount(may.length, "update")} may be posted`] : []),
  ];
  return `Preview: ${parts.join(", ") || "nothing will be posted"}`;
}

function errorList(errors: readonly string[], where: string): string {
  let length = 0;
  const lines = errors.map((error) => `- \u{1f534} ${error.split("\n").map(inertLine).join("\\\n  ")}`);
  const listed = lines.filter((line) => (length += line.length) <= maxErrorCharacters);
  const left = lines.length - listed.length;
  return listed.join("\n") + (left > 0 ? `\n\nand ${amount(left, "more error")}: see ${where}.` : "");
}

function removedText(name: string): string {
  return `**IncidentUpdate ${inertLine(JSON.stringify(name))}** is removed from the state only: what it posted stays public.`;
}

function othersText(preview: Preview, where: string): string {
  const { updates, removed, errors, failed, otherChanges, otherErrors } = preview;
  const isUnchanged = updates.length + removed.length + otherChanges === 0 && !failed;
  if (isUnchanged) return "The stack is unchanged.";
  if (failed && errors.length + otherErrors === 0) return `Pulumi failed: see ${where}.`;
  const others = [
    ...(otherChanges > 0 ? [`${amount(otherChanges, "other resource")} would change`] : []),
    ...(otherErrors > 0 ? [amount(otherErrors, "other error")] : []),
  ];
  return others.length === 0 ? "" : `${others.join(", ")}: see ${where}.`;
}

/** Lists the updates that fit: the headings go before the texts. */
function fitting(updates: readonly PreviewedUpdate[], most: number, where: string) {
  let left = most;
  const omission = `> _The text is left out: it is in ${where}._`;
  const titled = updates
    .map((update) => ({ update, title: titleOf(update) }))
    .filter(({ title }) => (left -= title.length + omission.length + 4) >= 0);
  let withoutText = 0;
  const parts = titled.map(({ update: { text }, title }) => {
    if (text === undefined) return title;
    const quotation = inertQuotation(text);
    if (quotation.length <= left + omission.length) {
      left -= Math.max(0, quotation.length - omission.length);
      return `${title}\n\n${quotation}`;
    }
    withoutText += 1;
    return `${title}\n\n${omission}`;
  });
  return { parts, withoutText, omitted: updates.length - titled.length };
}

function titleOf({ heading, facts }: PreviewedUpdate): string {
  // Without facts it is a remark.
  const title = facts.length === 0 ? inertLine(heading) : `**${inertLine(heading)}**`;
  return [title, ...facts.map(inertLine)].join("\\\n");
}

/** For the log of a job, which otherwise wouldn't have what the comment leaves out. */
function wholeText({ steps, diagnostics }: Digest): string {
  const lines = (steps ?? []).map(({ op, urn }) => `${op}  ${urn}`);
  const messages = (diagnostics ?? []).map(({ message }) => message.trimEnd());
  return [...lines, ...messages, ""]
    .map((line) => `${withoutCommands(line.replace(/[^\P{C}\n\u200c\u200d]+/gu, " "))}\n`)
    .join("");
}
