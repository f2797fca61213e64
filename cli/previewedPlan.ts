/**
 * Joins what the engine plans with what the provider decided, and says what an `up` may publish. The engine's steps are the skeleton:
 * a step that could post and of which nothing is known may post.
 */
import { z } from "zod";
import { isOfType, resourceTypes } from "../provider/engine";
import { entryName } from "../provider/lifecycles";
import { type PreviewFact } from "../provider/protocol";

/** The plan and the messages that Pulumi prints of a preview. */
export interface Plan {
  readonly steps: readonly Step[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Lines that the provider wrote, some of which may be broken. */
export interface Facts {
  readonly byUrn: ReadonlyMap<string, PreviewFact>;
  /** Whether a line could not be read, which may be of any step. */
  readonly isTorn: boolean;
}

/** An update that the plan creates or changes. */
export interface PreviewedUpdate {
  readonly name: string;
  readonly type: "IncidentUpdate" | "IncidentTimeline";
  /** `may`: only the `up` can tell whether it posts. */
  readonly posts: "will" | "may" | "no";
  /** Undefined where it isn't known. */
  readonly emails: boolean | undefined;
  /** Undefined where the provider said nothing that this version understands. */
  readonly fact: PreviewFact | undefined;
  /** Whether Pulumi reports an error of it. */
  readonly hasError: boolean;
}

export interface Preview {
  readonly updates: readonly PreviewedUpdate[];
  /** Names of updates that are removed from the state. */
  readonly removed: readonly string[];
  /** Why the preview fails, as far as this package says it. */
  readonly errors: readonly string[];
  readonly otherErrors: number;
  readonly failed: boolean;
  /** Whether the service could be read. */
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
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A plan of an unknown form must not pass for none beside another one. */
function isPartOfPlan(json: unknown): boolean {
  const names = ["steps", "diagnostics", "resourcePreEvent"];
  return typeof json === "object" && json !== null && names.some((name) => Reflect.get(json, name));
}

const content = z.object({ status: z.string().optional(), text: z.string().optional() });

const factSchema: z.ZodType<PreviewFact> = z.object({
  format: z.literal(1),
  urn: z.string(),
  effect: z
    .enum(["posts", "replaces", "adopts", "waits", "refused", "unconfirmed", "unknown", "stateOnly"])
    .catch("unknown"),
  incident: z.object({ id: z.string(), name: z.string().optional() }).optional(),
  status: z.string().optional(),
  emails: z.boolean().optional(),
  text: z.string().optional(),
  isTextSecret: z.boolean(),
  place: z.object({ entry: z.number(), of: z.number() }).optional(),
  replaced: content.optional(),
  adopted: z.object({ id: z.string(), since: z.string().optional() }).optional(),
  sent: z.object({ at: z.string(), status: z.string(), text: z.string().optional() }).optional(),
  isVerified: z.boolean(),
  notices: z.array(z.string()),
  failure: z.string().optional(),
});

const withUrn = z.object({ urn: z.string() });

/** Reads what the provider wrote: a line of JSON for each declaration, of which a later one supersedes an earlier one. */
export function factsIn(text: string): Facts {
  const byUrn = new Map<string, PreviewFact>();
  let isTorn = false;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const json = parsed(line);
    const fact = factSchema.safeParse(json).data;
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
    isUnchanged: changes.length === 0 && timelines.size === 0,
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

const postsNothing = new Set(["same", "read", "refresh", "import", "delete"]);

function resourcesOf(steps: readonly Step[]): Resource[] {
  const byUrn = new Map<string, Resource>();
  for (const { op, urn, newState, oldState } of steps) {
    const earlier = byUrn.get(urn);
    byUrn.set(urn, {
      urn,
      parent: newState?.parent ?? oldState?.parent ?? earlier?.parent ?? "",
      couldPost: !postsNothing.has(op) || earlier?.couldPost === true,
      isDeleted: op === "delete" || earlier?.isDeleted === true,
      isChange: !["same", "read"].includes(op) || earlier?.isChange === true,
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
