/**
 * Writes the comment of a preview: joins what the engine plans with what the provider decided, and says in Markdown which updates an
 * `up` would post to which incidents, and their texts. The engine's steps are the skeleton: a step that could post and of which
 * nothing is known may post. What is long is cut where it is least needed, below the limit of GitHub.
 */
import { z } from "zod";
import { isOfType, resourceTypes } from "../provider/engine";
import { entryName } from "../provider/lifecycles";
import { amount, inertLine, inertQuotation, inertSentence, jsonIn } from "../provider/texts";
import { type Block, blocksOf, type PreviewFact, readFact } from "../provider/wording";
import { type Job } from "./job";

/** The plan and the messages that Pulumi prints of a preview. */
export interface Plan {
  readonly steps: readonly Step[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Lines that the provider wrote, some of which may be broken. */
interface Facts {
  readonly byUrn: ReadonlyMap<string, PreviewFact>;
  /** True if a line could not be read, which may be of any step. */
  readonly isTorn: boolean;
}

/** An update that the plan creates or changes. */
interface PreviewedUpdate {
  readonly name: string;
  readonly type: "IncidentUpdate" | "IncidentTimeline";
  /** `may`: only the `up` can tell whether it posts. */
  readonly posts: "will" | "may" | "no";
  /** Undefined where it isn't known. */
  readonly emails: boolean | undefined;
  /** Undefined where the provider said nothing that this version understands. */
  readonly fact: PreviewFact | undefined;
  /** True if Pulumi reports an error of it. */
  readonly hasError: boolean;
}

export interface Preview {
  readonly updates: readonly PreviewedUpdate[];
  /** Names of updates that are removed from the state. */
  readonly removed: readonly string[];
  /** The reasons why the preview fails, as far as this package says them. */
  readonly errors: readonly string[];
  readonly otherErrors: number;
  readonly failed: boolean;
  /** True if the service could be read. */
  readonly isVerified: boolean;
  readonly isUnchanged: boolean;
  /** Resources other than updates that would change. */
  readonly otherChanges: number;
}

const step = z.object({
  op: z.string(),
  urn: z.string(),
  newState: z.object({ parent: z.string().optional() }).nullish(),
  oldState: z.object({ parent: z.string().optional() }).nullish(),
});
type Step = z.infer<typeof step>;

const diagnostic = z.object({ urn: z.string().optional(), message: z.string(), severity: z.string() });
type Diagnostic = z.infer<typeof diagnostic>;

const digest = z
  .object({ steps: z.array(step).nullish(), diagnostics: z.array(diagnostic).nullish() })
  .refine(({ steps, diagnostics }) => steps ?? diagnostics);

/** A line of PULUMI_ENABLE_STREAMING_JSON_PREVIEW. */
const event = z.object({
  sequence: z.number(),
  resourcePreEvent: z
    .object({
      metadata: step.omit({ newState: true, oldState: true }).extend({
        new: step.shape.newState,
        old: step.shape.oldState,
      }),
    })
    .optional(),
  diagnosticEvent: diagnostic.optional(),
  summaryEvent: z.object({}).optional(),
});

/**
 * Finds the plan between the lines of others: policy packs, scripts of npm and banners. Pulumi prints one object with its braces on
 * lines of their own, or an object a line.
 *
 * @returns undefined where there is none, or one that isn't complete.
 */
export function planIn(text: string): {
  readonly plan: Plan | undefined;
  readonly others: readonly string[];
} {
  const plan = { steps: [] as Step[], diagnostics: [] as Diagnostic[] };
  const others: string[][] = [];
  let [isStream, isEnded] = [false, false];
  for (const piece of piecesOf(text)) {
    const json = parsed(piece);
    const whole = digest.safeParse(json).data;
    const one = whole ? undefined : event.safeParse(json).data;
    if (whole) {
      for (const each of whole.steps ?? []) plan.steps.push(each);
      for (const each of whole.diagnostics ?? []) plan.diagnostics.push(each);
    } else if (one) {
      isStream = true;
      isEnded ||= one.summaryEvent !== undefined;
      const { metadata } = one.resourcePreEvent ?? {};
      if (metadata) plan.steps.push({ ...metadata, newState: metadata.new, oldState: metadata.old });
      if (one.diagnosticEvent && one.diagnosticEvent.severity !== "debug")
        plan.diagnostics.push(one.diagnosticEvent);
    } else if (isPartOfPlan(json)) return { plan: undefined, others: piece.split("\n") };
    else others.push(piece.split("\n"));
  }
  // There is a step of the stack at least, unless the preview fails.
  const isFull = plan.steps.length > 0 || plan.diagnostics.some(({ severity }) => severity === "error");
  return { plan: isFull && (!isStream || isEnded) ? plan : undefined, others: others.flat() };
}

/** The lines of a text; those from one that begins an object to the one that ends it are together. */
function piecesOf(text: string): string[] {
  const pieces: (string | string[])[] = [];
  let open: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line === "{") {
      pieces.push(open);
      open = [line];
    } else if (open.length > 0) {
      open.push(line);
      if (line === "}") {
        pieces.push(open.join("\n"));
        open = [];
      }
    } else pieces.push(line);
  }
  return [...pieces, open].flat();
}

function parsed(text: string): unknown {
  return text.startsWith("{") ? jsonIn(text) : undefined;
}

/** A plan of an unknown form must not pass for none beside another one. */
function isPartOfPlan(json: unknown): boolean {
  const names = ["steps", "diagnostics", "resourcePreEvent"];
  return typeof json === "object" && json !== null && names.some((name) => Reflect.get(json, name));
}

const withUrn = z.object({ urn: z.string() });

/** Reads what the provider wrote: a line of JSON for each declaration, of which a later one supersedes an earlier one. */
export function factsIn(text: string): Facts {
  const byUrn = new Map<string, PreviewFact>();
  let isTorn = false;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const json = parsed(line);
    const fact = readFact(json);
    const { urn } = withUrn.safeParse(json).data ?? {};
    if (fact) byUrn.set(fact.urn, fact);
    else if (urn !== undefined) byUrn.delete(urn);
    else isTorn = true;
  }
  return { byUrn, isTorn };
}

/** @param hasFailed Whether Pulumi failed, which it may for a reason that the plan lacks, such as a policy. */
export function previewOf({ steps, diagnostics }: Plan, facts: Facts, hasFailed: boolean): Preview {
  const resources = resourcesOf(steps);
  const timelines = waitingTimelines(resources);
  const changes = resources.filter(({ isChange }) => isChange);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [ours, others] = partition(
    errors,
    ({ urn = "", message }) => isOurs(urn) || ofComponent.test(message),
  );
  const failing = new Set(ours.map(({ urn }) => urn));
  return {
    updates: [
      ...resources.filter(({ urn, couldPost }) => isUpdate(urn) && couldPost).map(({ urn }) => urn),
      ...timelines,
    ].map((urn) => ({ ...updateOf(urn, facts.byUrn.get(urn), facts.isTorn), hasError: failing.has(urn) })),
    removed: changes
      .filter(({ urn, couldPost, isDeleted }) => isUpdate(urn) && isDeleted && !couldPost)
      .map(({ urn }) => nameOf(urn)),
    errors: ours.map(({ message }) => message.replace(/^error: (Preview failed: )?/, "").trim()),
    otherErrors: others.filter(({ message }) => !/^error: preview failed\s*$/.test(message)).length,
    failed: hasFailed || errors.length > 0,
    isVerified: [...facts.byUrn.values()].every(({ isVerified }) => isVerified),
    // The plan doesn't say what a refresh finds.
    isUnchanged: changes.length === 0 && timelines.size === 0 && steps.every(({ op }) => op !== "refresh"),
    otherChanges: changes.filter(
      ({ urn }) => !isUpdate(urn) && !isTimeline(urn) && typeOf(urn) !== "pulumi:pulumi:Stack",
    ).length,
  };
}

/** A resource of the plan: several steps may be about one. */
interface Resource {
  readonly urn: string;
  readonly parent: string;
  readonly couldPost: boolean;
  readonly isDeleted: boolean;
  readonly isChange: boolean;
}

/** `discard`: the program no longer reads it. */
const postsNothing = new Set(["same", "read", "refresh", "import", "delete", "discard"]);

function resourcesOf(steps: readonly Step[]): Resource[] {
  const byUrn = new Map<string, Resource>();
  for (const { op, urn, newState, oldState } of steps) {
    const earlier = byUrn.get(urn);
    byUrn.set(urn, {
      urn,
      parent: newState?.parent ?? oldState?.parent ?? earlier?.parent ?? "",
      couldPost: !postsNothing.has(op) || earlier?.couldPost === true,
      isDeleted: op === "delete" || earlier?.isDeleted === true,
      isChange: !["same", "read", "refresh"].includes(op) || earlier?.isChange === true,
    });
  }
  return [...byUrn.values()];
}

/**
 * The timelines whose entries the plan lacks: the plugin declares none while their texts or its provider aren't known. The engine then
 * plans to delete those of the state, the first one included, which goes otherwise only with its timeline.
 */
function waitingTimelines(resources: readonly Resource[]): ReadonlySet<string> {
  const isGone = ({ isDeleted, couldPost }: Resource): boolean => isDeleted && !couldPost;
  const timelines = resources.filter(({ urn }) => isTimeline(urn));
  const ended = new Set(timelines.filter(isGone).map(({ urn }) => urn));
  const waiting = new Set(timelines.filter(({ couldPost }) => couldPost).map(({ urn }) => urn));
  const entries = resources.filter(({ urn, parent }) => isUpdate(urn) && isTimeline(parent));
  for (const entry of entries)
    if (isGone(entry) && nameOf(entry.urn) === entryName(nameOf(entry.parent), 0) && !ended.has(entry.parent))
      waiting.add(entry.parent);
  for (const entry of entries) if (!isGone(entry)) waiting.delete(entry.parent);
  return waiting;
}

const effects = {
  posts: "will",
  replaces: "will",
  waits: "may",
  unconfirmed: "may",
  unknown: "may",
  adopts: "no",
  stateOnly: "no",
  refused: "no",
} as const;

function updateOf(urn: string, fact: PreviewFact | undefined, isTorn: boolean) {
  const posts = fact ? effects[fact.effect] : "may";
  return {
    name: nameOf(urn),
    type: isTimeline(urn) ? "IncidentTimeline" : "IncidentUpdate",
    posts: isTorn && posts === "no" ? "may" : posts,
    emails: fact?.emails,
    fact,
  } as const;
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  const parts: [T[], T[]] = [[], []];
  for (const one of all) parts[test(one) ? 0 : 1].push(one);
  return parts;
}

/** Matches an error of a component of this package, which Pulumi reports as the program's. */
const ofComponent = /^error: (OpenIncidentGate|AlertChannelAudit|IncidentTimeline|IncidentUpdate) /;

const typeOf = (urn: string): string => urn.split("::")[2]?.split("$").at(-1) ?? "";
const nameOf = (urn: string): string => urn.split("::").slice(3).join("::");
const isUpdate = (urn: string): boolean => isOfType(typeOf(urn), "IncidentUpdate");
const isTimeline = (urn: string): boolean => typeOf(urn) === "monitoring:index:IncidentTimeline";
const isOurs = (urn: string): boolean => resourceTypes.some((type) => isOfType(typeOf(urn), type));

/** GitHub allows 65,536 characters; the rest is for the mark of whoever posts the comment. */
const maxCharacters = 65_000;
/** A preview may have many errors. */
const maxErrorCharacters = 15_000;

export function commentOf(preview: Preview, job: Job): string {
  const { updates, errors, otherErrors, failed } = preview;
  const silent = failed && errors.length + otherErrors === 0 ? ["Pulumi failed: see the log."] : [];
  const opening = [errorList(errors), ...silent, ...unverifiedText(preview)];
  const closing = [othersText(preview), footer(job)];
  const heading = `## ${headline(preview, job)}`;
  const fixed = [heading, ...opening, ...closing].join("\n\n").length + maxNotes;
  const { parts, withoutText, omitted, left } = fitting(updates, maxCharacters - fixed);
  const removed = removedList(preview.removed, left);
  const missing = [
    ...(withoutText > 0 ? [`${amount(withoutText, "text")} left out`] : []),
    ...(omitted > 0 ? [`${amount(omitted, "update")} not listed`] : []),
  ];
  const isCut = missing.length > 0;
  const cut = isCut ? `**This comment is full: ${missing.join(", ")}.** See the log.` : "";
  return joined([
    heading + (isCut ? ", not shown in full" : ""),
    ...opening,
    cut,
    ...parts,
    removed,
    ...closing,
  ]);
}

/** Reserves room for what is cut, and the line breaks. */
const maxNotes = 500;

/** Takes the place of a comment, for as long as the job has none and if it never has. @param about Such as "preview". */
export function withoutResult(about: string, job: Job, why = ""): string {
  const heading = `## No ${inertLine(about)}${ofCommit(job)}`;
  return joined([heading, ...(why === "" ? [] : [`${inertLine(why)}.`]), `See ${logOf(job)}.`]);
}

/** A preview that printed no plan. It quotes nothing: a host masks credentials in the log of a job, and not in a comment. */
export function failureOf(job: Job): string {
  const heading = `## The preview${ofCommit(job)} failed`;
  return joined([heading, `Pulumi printed no plan: see ${logOf(job)}.`, footer(job)]);
}

/** `Preview of abc1234: 1 update will be posted, with an email to every subscriber`. */
export function headline({ updates, failed, isVerified }: Preview, job: Job): string {
  if (failed) return `The preview${ofCommit(job)} failed`;
  const refused = updates.filter(({ fact }) => fact?.effect === "refused").length;
  const parts = [
    ...countOf(updates, "will", "will be posted"),
    ...countOf(updates, "may", "may be posted"),
    ...(refused > 0 ? [`${amount(refused, "update")} will be refused`] : []),
  ];
  const verdict = parts.join(", ") || "nothing will be posted";
  return `Preview${ofCommit(job)}${isVerified ? "" : ", not verified"}: ${verdict}`;
}

function countOf(
  updates: readonly PreviewedUpdate[],
  posts: PreviewedUpdate["posts"],
  what: string,
): string[] {
  const these = updates.filter((update) => update.posts === posts);
  if (these.length === 0) return [];
  const emails = these.filter((update) => update.emails !== false);
  const perhaps = emails.some((update) => update.emails === undefined) ? "perhaps " : "";
  const each = emails.length < these.length ? `${emails.length} ` : these.length > 1 ? "each " : "";
  return [
    `${amount(these.length, "update")} ${what}`,
    ...(emails.length > 0 ? [`${each}${perhaps}with an email to every subscriber`] : []),
  ];
}

const ofCommit = ({ commit }: Job): string => (commit === undefined ? "" : ` of ${commit.slice(0, 7)}`);

const logOf = ({ log }: Job): string => (log === undefined ? "the log" : `[the log](<${log}>)`);

function footer({ commit, log }: Job): string {
  const parts = [
    ...(commit === undefined ? [] : [`commit ${commit}`]),
    ...(log === undefined ? [] : [`[log](<${log}>)`]),
  ];
  return parts.length === 0 ? "" : `_${parts.join(", ")}_`;
}

function unverifiedText({ isVerified }: Preview): string[] {
  if (isVerified) return [];
  return ["**Not verified:** the service could not be read, so what is public already isn't known."];
}

function joined(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function errorList(errors: readonly string[]): string {
  let length = 0;
  const listed: string[] = [];
  for (const error of errors) {
    const line = `- \u{1f534} ${error.slice(0, maxErrorCharacters).split("\n").map(inertSentence).join("\\\n  ")}`;
    length += line.length;
    if (length > maxErrorCharacters) break;
    listed.push(line);
  }
  const left = errors.length - listed.length;
  return listed.join("\n") + (left > 0 ? `\n\nand ${amount(left, "more error")}: see the log.` : "");
}

/** Nobody has to decide about these, so they are the first to be left out. */
function removedList(names: readonly string[], most: number): string {
  let left = most;
  const lines: string[] = [];
  for (const name of names) {
    const line = `**IncidentUpdate ${inertLine(JSON.stringify(name))}** is removed from the state only: what is public stays public.`;
    left -= line.length + 2;
    if (left < 0) break;
    lines.push(line);
  }
  const omitted = names.length - lines.length;
  const more = `${amount(omitted, `${lines.length > 0 ? "more " : ""}update`)} removed from the state only: see the log.`;
  return [...lines, ...(omitted > 0 ? [more] : [])].join("\n\n");
}

function othersText({ isUnchanged, failed, otherChanges, otherErrors }: Preview): string {
  if (isUnchanged && !failed) return "The stack is unchanged.";
  const others = [
    ...(otherChanges > 0 ? [`${amount(otherChanges, "other resource")} would change`] : []),
    ...(otherErrors > 0 ? [amount(otherErrors, "other error")] : []),
  ];
  return others.length === 0 ? "" : `${others.join(", ")}: see the log.`;
}

const omission = "> _The text is left out: it is in the log._";
const urgency = { will: 0, may: 1, no: 2 } as const;

/** Lists the updates that fit: those that post go first, and all lines before the texts. */
function fitting(updates: readonly PreviewedUpdate[], most: number) {
  let left = most;
  let withoutText = 0;
  const listed: (readonly Block[])[] = [];
  for (const update of [...updates].sort((one, other) => urgency[one.posts] - urgency[other.posts])) {
    const blocks = blocksOfUpdate(update);
    left -= markdownOf(blocks, () => omission).length + 2;
    if (left < 0) break;
    listed.push(blocks);
  }
  left = Math.max(left, 0);
  const parts = listed.map((blocks) =>
    markdownOf(blocks, (text) => {
      // A text far beyond what is left needs no quotation, which takes time.
      const quoted = text.length > 4 * (left + omission.length) ? undefined : inertQuotation(text);
      const isFitting = quoted !== undefined && quoted.length <= left + omission.length;
      if (isFitting) left -= Math.max(0, quoted.length - omission.length);
      else withoutText += 1;
      return isFitting ? quoted : omission;
    }),
  );
  return { parts, withoutText, omitted: updates.length - listed.length, left };
}

function markdownOf(blocks: readonly Block[], quote: (text: string) => string): string {
  const paragraphs = blocks.flatMap(({ head, lines, text }) => [
    [`**${inertSentence(head)}**`, ...lines.map(inertSentence)].join("\\\n"),
    ...(text === undefined ? [] : [quote(text)]),
  ]);
  return paragraphs.join("\n\n");
}

function blocksOfUpdate({ name, type, fact, posts, hasError }: PreviewedUpdate): readonly Block[] {
  if (!fact) {
    const unknown = type === "IncidentTimeline" ? "updates" : "text";
    const line = `The preview doesn't know its ${unknown} or its provider.`;
    return [{ head: `${type} ${JSON.stringify(name)} may be posted`, lines: [line] }];
  }
  const blocks = blocksOf(hasError ? { ...fact, failure: undefined } : fact);
  if (posts !== "may" || !["adopts", "stateOnly", "refused"].includes(fact.effect)) return blocks;
  const torn = "A part of what the provider decided could not be read.";
  return blocks.map(({ head, lines, text }) => ({
    head: `${type} ${JSON.stringify(name)} may be posted`,
    lines: [torn, `The rest says: ${head}.`, ...lines],
    text,
  }));
}
