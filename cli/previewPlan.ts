/**
 * Reads what the engine plans, as it prints it, and joins it with what the provider decided. The engine's steps are the skeleton: a
 * step that could post and of which nothing is known may post.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import {
  dynamicToken,
  nativeToken,
  resourceTypes,
  type ResourceType,
  signatureKey,
  unknownValue,
} from "../provider/engine";
import { lifecycles, PlainLifecycle } from "../provider/lifecycles";
import { jsonIn } from "../provider/texts";
import { type Block, type PreviewFact, readFact } from "../provider/wording";

export interface PreviewedUpdate {
  readonly posts: PreviewFact["posts"] | "refused";
  /** True if every subscriber is emailed; undefined if that isn't known. */
  readonly emails?: boolean;
  readonly blocks: readonly Block[];
}

export interface Preview {
  readonly updates: readonly PreviewedUpdate[];
  readonly removed: readonly string[];
  /** The reasons why the preview fails: those of this package, and policies. */
  readonly errors: readonly string[];
  readonly otherErrors: number;
  /** The reasons if the service could not be read; undefined if it could. */
  readonly unread: readonly string[] | undefined;
  readonly isUnchanged: boolean;
  readonly otherChanges: number;
}

const state = z.object({
  parent: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
});
const diagnostic = z.object({
  urn: z.string().optional(),
  prefix: z.string().default(""),
  message: z.string(),
  severity: z.string(),
  ephemeral: z.boolean().optional(),
});

const policed = z.object({
  resourceUrn: z.string().default(""),
  policyName: z.string(),
  policyPackName: z.string(),
});
const violation = policed.extend({ message: z.string(), enforcementLevel: z.string() });
const remediation = policed.extend({ before: z.unknown(), after: z.unknown() });

const event = z.object({
  sequence: z.number(),
  resourcePreEvent: z
    .object({
      metadata: z.object({ op: z.string(), urn: z.string(), new: state.nullish(), old: state.nullish() }),
    })
    .optional(),
  diagnosticEvent: diagnostic.optional(),
  policyEvent: violation.optional(),
  policyRemediationEvent: remediation.optional(),
  summaryEvent: z.object({}).optional(),
});
type Step = NonNullable<z.infer<typeof event>["resourcePreEvent"]>["metadata"];

/** An update or a timeline of the plan: several steps may be about one. */
interface Resource {
  readonly parent: string;
  readonly couldPost: boolean;
  readonly isDeleted: boolean;
  readonly inputs: Properties | undefined;
}

type Properties = NonNullable<z.infer<typeof state>["inputs"]>;

/** `discard`: the program no longer reads it. */
const postsNothing = new Set(["same", "read", "refresh", "import", "delete", "discard"]);
const changesNothing = new Set(["same", "read", "refresh"]);

/**
 * Reads the events of `pulumi preview --json`, one in each line, and the lines of others among them: policy packs, scripts of npm and
 * banners. Keeps what a preview shows.
 */
export class PlanReader {
  readonly #resources = new Map<string, Resource>();
  readonly #otherChanges = new Set<string>();
  readonly #facts = new Map<string, PreviewFact>();
  readonly #failing = new Set<string>();
  readonly #errors: string[] = [];
  /** Why an `up` refuses updates of the dynamic provider that a policy changes. It calls nobody for one that is unchanged. */
  readonly #remediated = new Map<string, string>();
  #otherErrors = 0;
  #hasSteps = false;
  #isEnded = false;
  /** True if a part of the plan, or of what the provider decided, has an unknown form. */
  #isBroken = false;
  #isUnchanged = true;

  /** Reads a line, and returns what a log shows of it: a step, messages, or the lines of others. */
  read(line: string): readonly string[] {
    const json = line.startsWith("{") ? jsonIn(line) : undefined;
    const { data: read } = event.safeParse(json);
    if (!read) {
      // A step of an unknown form must not pass for none.
      this.#isBroken ||= withStep.safeParse(json).success;
      return [line];
    }
    this.#isEnded ||= read.summaryEvent !== undefined;
    if (read.resourcePreEvent) return this.#readStep(read.resourcePreEvent.metadata);
    if (read.diagnosticEvent) return this.#readMessage(read.diagnosticEvent);
    if (read.policyRemediationEvent) return this.#readRemediation(read.policyRemediationEvent);
    return read.policyEvent ? this.#readViolation(read.policyEvent) : [];
  }

  #readStep({ op, urn, new: newState, old: oldState }: Step): readonly string[] {
    this.#hasSteps = true;
    // The plan doesn't say what a refresh finds.
    this.#isUnchanged &&= op === "same" || op === "read";
    if (isUpdate(urn) || isTimeline(urn)) {
      const earlier = this.#resources.get(urn);
      const couldPost = !postsNothing.has(op) || earlier?.couldPost === true;
      this.#resources.set(urn, {
        parent: newState?.parent ?? oldState?.parent ?? earlier?.parent ?? "",
        couldPost,
        isDeleted: op === "delete" || earlier?.isDeleted === true,
        inputs: couldPost ? (newState?.inputs ?? earlier?.inputs) : undefined,
      });
    } else if (!changesNothing.has(op) && typeOf(urn) !== "pulumi:pulumi:Stack") this.#otherChanges.add(urn);
    return op === "same" ? [] : [`${op}  ${typeOf(urn)}  ${nameOf(urn)}`];
  }

  #readMessage({
    urn = "",
    prefix,
    message,
    severity,
    ephemeral = false,
  }: z.infer<typeof diagnostic>): readonly string[] {
    if (severity === "debug" || ephemeral) return [];
    const text = (prefix + message).trimEnd();
    if (severity === "error") {
      const isOfProvider = ourTypes.has(typeOf(urn));
      if (isOfProvider) this.#failing.add(urn);
      if (isOfProvider || ofComponent.test(text))
        this.#errors.push(text.replace(/^error: (Preview failed: )?/, ""));
      else if (!ofOthers.test(text)) this.#otherErrors += 1;
    }
    return text.split("\n");
  }

  #readViolation(violated: z.infer<typeof violation>): readonly string[] {
    const { resourceUrn, enforcementLevel, message } = violated;
    const policy = policyOf(violated);
    if (enforcementLevel === "mandatory")
      this.#errors.push(`The policy ${policy} forbids ${titleOf(resourceUrn)}: see the log.`);
    return `${enforcementLevel} policy ${policy}: ${message}`.trimEnd().split("\n");
  }

  /** A dynamic provider isn't called again after a policy changed what it checked, and posts nothing then. */
  #readRemediation(remediated: z.infer<typeof remediation>): readonly string[] {
    const { resourceUrn: urn, before, after } = remediated;
    if (isDeepStrictEqual(before, after)) return [];
    const change = `policy ${policyOf(remediated)} changes ${titleOf(urn)}`;
    if (isUpdate(urn) && typeOf(urn) !== nativeUpdate)
      this.#remediated.set(
        urn,
        `The ${change} after its check, so \`pulumi up\` refuses it. Make the change in the program, or declare the update with ` +
          "pulumi-monitoring-service/native.",
      );
    return [change];
  }

  /** Reads a line of JSON that the provider wrote. A later one supersedes an earlier one of the same declaration. */
  readFact(line: string): void {
    if (line === "") return;
    const fact = readFact(jsonIn(line));
    if (fact) this.#facts.set(fact.urn, fact);
    else this.#isBroken = true;
  }

  preview(): Preview | undefined {
    // There is a step of the stack at least, unless the preview fails.
    const isFull = this.#hasSteps || this.#errors.length + this.#otherErrors > 0;
    if (this.#isBroken || !this.#isEnded || !isFull) return undefined;
    const resources = [...this.#resources];
    const posting = resources.filter(([urn, { couldPost }]) => isUpdate(urn) && couldPost);
    const unread = [...this.#facts.values()].flatMap(({ unread: reason }) => reason ?? []);
    return {
      updates: [
        ...posting.map(([urn, { inputs }]) => this.#updateOf(urn, inputs)),
        ...waitingTimelines(this.#resources).map((urn) => this.#updateOf(urn)),
      ],
      removed: resources.filter(([urn, each]) => isUpdate(urn) && isGone(each)).map(([urn]) => nameOf(urn)),
      errors: [...this.#errors, ...posting.flatMap(([urn]) => this.#remediated.get(urn) ?? [])],
      otherErrors: this.#otherErrors,
      unread: unread.length > 0 ? unread.filter((reason) => reason !== "") : undefined,
      isUnchanged: this.#isUnchanged,
      otherChanges: this.#otherChanges.size,
    };
  }

  #updateOf(urn: string, inputs?: Properties): PreviewedUpdate {
    // The error says why it fails.
    if (this.#failing.has(urn)) return refused(urn);
    const update = this.#facts.get(urn) ?? unasked(urn, inputs);
    if (update) return update;
    const lines = ["The preview doesn't know what it declares, or its provider."];
    return { posts: "may", blocks: [{ head: `${titleOf(urn)} may be posted`, lines }] };
  }
}

/** Matches a step of any form. */
const withStep = z.object({ resourcePreEvent: z.unknown().refine((step) => step !== undefined) });

/** Reports an update whose provider the engine can't ask, because its settings aren't known: what the program declares. */
function unasked(urn: string, inputs: Properties | undefined): PreviewedUpdate | undefined {
  if (!inputs || typeOf(urn) !== nativeUpdate) return undefined;
  const secrets = new Set(Object.keys(inputs).filter((name) => isSecret(inputs[name])));
  const declared = Object.entries(inputs).map(([name, value]): [string, unknown] => [
    name,
    secrets.has(name) ? unknownValue : value,
  ]);
  const lifecycle = new PlainLifecycle(lifecycles.IncidentUpdate);
  const { problems, fact } = lifecycle.unasked(Object.fromEntries(declared), { urn, secrets });
  const reasons = problems.map(({ property, reason }) => `${property} ${reason}`);
  return reasons.length > 0 ? refused(urn, reasons) : fact;
}

function refused(urn: string, lines: readonly string[] = []): PreviewedUpdate {
  return { posts: "refused", blocks: [{ head: `${titleOf(urn)} is refused: nothing is posted`, lines }] };
}

function isSecret(value: unknown): boolean {
  return typeof value === "object" && value !== null && signatureKey in value;
}

const isGone = ({ isDeleted, couldPost }: Resource): boolean => isDeleted && !couldPost;

/**
 * The timelines whose entries the plan lacks: the plugin declares none while their texts or its provider aren't known, and the
 * engine then plans to delete those of the state.
 */
function waitingTimelines(resources: ReadonlyMap<string, Resource>): string[] {
  const ofTimelines = [...resources].filter(([urn, { parent }]) => isUpdate(urn) && isTimeline(parent));
  const entries = ofTimelines.map(([, entry]) => entry);
  const changed = [...resources].filter(([urn, { couldPost }]) => isTimeline(urn) && couldPost);
  const timelines = new Set([...changed.map(([urn]) => urn), ...entries.map(({ parent }) => parent)]);
  return [...timelines].filter((urn) => {
    const timeline = resources.get(urn);
    const isDeleted = timeline !== undefined && isGone(timeline);
    return !isDeleted && entries.every((entry) => entry.parent !== urn || isGone(entry));
  });
}

/** Matches an error of a component of this package, which Pulumi reports as the program's. */
const ofComponent = /^error: (OpenIncidentGate|AlertChannelAudit|IncidentTimeline|IncidentUpdate) /;

/** Matches an error that only says that there are others. */
const ofOthers = /^error: (preview failed$|The preview fails, because )/;

const nativeUpdate = nativeToken("IncidentUpdate");
const tokensOf = (type: ResourceType): string[] => [dynamicToken(type), nativeToken(type)];
const ourTypes: ReadonlySet<string> = new Set(resourceTypes.flatMap(tokensOf));
const updateTypes: ReadonlySet<string> = new Set(tokensOf("IncidentUpdate"));

const policyOf = ({ policyName, policyPackName }: z.infer<typeof policed>): string =>
  `${policyName} of ${policyPackName}`;
const typeOf = (urn: string): string => urn.split("::")[2]?.split("$").at(-1) ?? "";
const nameOf = (urn: string): string => urn.split("::").slice(3).join("::");
const titleOf = (urn: string): string => `${typeOf(urn).split(":").at(-1)} ${JSON.stringify(nameOf(urn))}`;
const isUpdate = (urn: string): boolean => updateTypes.has(typeOf(urn));
const isTimeline = (urn: string): boolean => typeOf(urn) === "monitoring:index:IncidentTimeline";
