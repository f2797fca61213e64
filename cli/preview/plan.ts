/**
 * Combines the engine's plan with the facts that this package records about it. The engine's steps are authoritative: a step that could
 * post and has no fact is reported as an update that may be posted.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import {
  isOfType,
  getNativeToken,
  parseUrn,
  resourceTypes,
  signatureKey,
  formatTitle,
} from "../../provider/engine";
import { lifecycles } from "../../provider/lifecycles";
import { type MessageKind } from "../../provider/previewFacts";
import { parseJson } from "../../provider/texts";
import { type PreviewFact, readFact, createRejectedFact, createUnknownFact } from "../../provider/wording";

export interface Preview {
  readonly updates: readonly PreviewFact[];
  /** Incidents that the program declares. */
  readonly incidents: readonly PreviewFact[];
  /** Names of updates. */
  readonly removed: readonly string[];
  /** Names of incidents. */
  readonly removedIncidents: readonly string[];
  /** Reasons from this package and from policies why the preview fails. */
  readonly errors: readonly string[];
  readonly otherErrors: number;
  /** Warnings about declarations, in addition to the warnings in their facts. */
  readonly warnings: readonly string[];
  /** Reasons why the service couldn't be read. Undefined if it was read. */
  readonly unread: readonly string[] | undefined;
  readonly isUnchanged: boolean;
  readonly otherChanges: number;
}

/**
 * Reason why there is no preview: there is no plan, the plan lacks its end or some of its steps, or a line of the plan or a fact can't be
 * read.
 */
export type Gap = "no plan" | "no end" | "steps" | "line" | "fact";

/** An update, an incident or a timeline of the plan. It may have several steps. */
interface Resource {
  readonly parent: string;
  readonly couldPost: boolean;
  readonly isCreated: boolean;
  readonly isDeleted: boolean;
  readonly inputs: Properties | undefined;
}

type Properties = Readonly<Record<string, unknown>>;

/** `discard` is the step of a resource that the program no longer reads. */
const postsNothing = new Set(["same", "read", "refresh", "import", "delete", "discard"]);
const creates = new Set(["create", "create-replacement", "replace"]);
const changesNothing = new Set(["same", "read", "refresh"]);

export class PlanReader {
  readonly #resources = new Map<string, Resource>();
  readonly #otherChanges = new Set<string>();
  readonly #facts = new Map<string, PreviewFact>();
  /** Messages of this package in errors of the run, with their kinds. */
  readonly #messageKinds = new Map<string, MessageKind>();
  /** Messages in Markdown, by their text. */
  readonly #markdown = new Map<string, string>();
  readonly #warnings = new Set<string>();
  readonly #errors: Diagnostic[] = [];
  readonly #violations: Violation[] = [];
  /**
   * Resources of this package whose planned inputs contain no secret that a policy could quote. The messages on other resources aren't
   * shown.
   */
  readonly #plain = new Set<string>();
  /** Reasons why `pulumi up` rejects the creation of updates and incidents that a policy changes. */
  readonly #remediated = new Map<string, string>();
  /** Properties that policies added to updates after the provider's check. */
  readonly #added = new Map<string, readonly string[]>();
  readonly #steps = new Map<string, number>();
  #changes: Readonly<Record<string, number>> | undefined;
  #stack: string | undefined;
  #hasEvents = false;
  #unreadable: "line" | "fact" | undefined;
  #isUnchanged = true;

  /** Name of the stack; undefined before the first step. */
  get stack(): string | undefined {
    return this.#stack;
  }

  /** The messages that are tables in a comment, by their text. */
  get markdown(): ReadonlyMap<string, string> {
    return this.#markdown;
  }

  /** Reads a line that Pulumi printed, and returns its lines for the log: a step, messages, or the output of other programs. */
  read(line: string): readonly string[] {
    const read = readLine(line);
    if (!read) return [line];
    this.#hasEvents = true;
    const { before, event } = read;
    if (!event) {
      this.#unreadable ??= "line";
      return [line];
    }
    const shown = before === "" ? [] : [before];
    if (event.summaryEvent) this.#changes = event.summaryEvent.resourceChanges ?? {};
    if (event.resourcePreEvent) shown.push(...this.#readStep(event.resourcePreEvent.metadata));
    if (event.diagnosticEvent) shown.push(...this.#readMessage(event.diagnosticEvent));
    if (event.policyRemediationEvent) shown.push(...this.#readRemediation(event.policyRemediationEvent));
    if (event.policyEvent) shown.push(...this.#readViolation(event.policyEvent));
    return shown;
  }

  #readStep({ op, urn, new: newState, old: oldState }: PlannedStep): readonly string[] {
    const { stack, type, name } = parseUrn(urn);
    this.#stack = stack;
    this.#steps.set(op, (this.#steps.get(op) ?? 0) + 1);
    const isOurs = resourceTypes.some((each) => isOfType(type, each));
    if (isOurs && newState?.inputs && !JSON.stringify(newState.inputs).includes(signatureKey))
      this.#plain.add(urn);
    // The plan doesn't contain the result of a refresh, so a refresh may be a change.
    this.#isUnchanged &&= op === "same" || op === "read";
    if (isEntry(urn) || isTimeline(urn)) {
      const earlier = this.#resources.get(urn);
      const couldPost = !postsNothing.has(op) || earlier?.couldPost === true;
      this.#resources.set(urn, {
        parent: newState?.parent ?? oldState?.parent ?? earlier?.parent ?? "",
        couldPost,
        isCreated: creates.has(op) || earlier?.isCreated === true,
        isDeleted: op === "delete" || earlier?.isDeleted === true,
        inputs: couldPost ? (newState?.inputs ?? earlier?.inputs) : undefined,
      });
    } else if (!changesNothing.has(op) && type !== "pulumi:pulumi:Stack") this.#otherChanges.add(urn);
    return op === "same" ? [] : [`${op}  ${type}  ${name}`];
  }

  #readMessage(diagnostic: Diagnostic): readonly string[] {
    const { prefix, message, severity, ephemeral = false } = diagnostic;
    if (severity === "debug" || ephemeral) return [];
    if (severity === "error") this.#errors.push(diagnostic);
    return (prefix + message).trimEnd().split("\n");
  }

  #readViolation(violated: Violation): readonly string[] {
    const { enforcementLevel, message } = violated;
    if (enforcementLevel === "mandatory") this.#violations.push(violated);
    return `${enforcementLevel} policy ${formatPolicy(violated)}: ${message}`.trimEnd().split("\n");
  }

  /**
   * Records the changes by a policy. In a preview, the engine doesn't call a dynamic provider again after a policy changed a resource that
   * it creates, and doesn't call any provider whose settings are unknown.
   */
  #readRemediation(remediated: Remediation): readonly string[] {
    const { resourceUrn: urn, before, after } = remediated;
    const added = Object.keys(after).filter((name) => !(name in before));
    this.#added.set(urn, [...(this.#added.get(urn) ?? []), ...added]);
    const { fields } = lifecycles[isIncident(urn) ? "Incident" : "IncidentUpdate"].facts;
    if ([...fields].every((name) => isDeepStrictEqual(before[name], after[name]))) return [];
    const change = `policy ${formatPolicy(remediated)} changes ${formatTitle(urn)}`;
    if (isEntry(urn))
      this.#remediated.set(
        urn,
        `The ${change} after validation, so \`pulumi up\` rejects the ${isIncident(urn) ? "incident" : "update"}. Make the change in the program.`,
      );
    return [change];
  }

  /** Reads a line of JSON from a provider or the program. A later fact about a declaration replaces an earlier fact. */
  readFact(line: string): void {
    if (line === "") return;
    const fact = readFact(parseJson(line));
    if (!fact) this.#unreadable ??= "fact";
    else if ("urn" in fact) this.#facts.set(fact.urn, fact);
    else if (fact.is === "warning") this.#warnings.add(fact.text);
    else {
      this.#messageKinds.set(fact.text.trimEnd(), fact.is);
      if (fact.markdown !== undefined) this.#markdown.set(fact.text.trimEnd(), fact.markdown);
    }
  }

  getPreview(): Preview | Gap {
    const gap = this.#findGap();
    if (gap) return gap;
    const resources = [...this.#resources];
    const posting = resources.filter(([urn, { couldPost }]) => isEntry(urn) && couldPost);
    const rejected = posting.filter(([, { isCreated }]) => isCreated);
    const unread = [...this.#facts.values()].flatMap(({ unread: reason }) => reason ?? []);
    const failing = new Set(this.#errors.map(({ urn }) => urn));
    const getFact = (urn: string, inputs?: Properties): PreviewFact =>
      // The error message already contains the reason.
      failing.has(urn)
        ? createRejectedFact(urn)
        : (this.#facts.get(urn) ??
          createFactWithoutProvider(urn, inputs, this.#added.get(urn)) ??
          createUnknownFact(urn));
    const listRemoved = (isSelected: (urn: string) => boolean) =>
      resources.flatMap(([urn, each]) => (isSelected(urn) && isGone(each) ? parseUrn(urn).name : []));
    const { own, others } = this.#sortErrors();
    return {
      updates: [
        ...posting.flatMap(([urn, { inputs }]) => (isUpdate(urn) ? getFact(urn, inputs) : [])),
        ...listWaitingTimelines(this.#resources).map((urn) => getFact(urn)),
      ],
      incidents: posting.flatMap(([urn, { inputs }]) => (isIncident(urn) ? getFact(urn, inputs) : [])),
      removed: listRemoved(isUpdate),
      removedIncidents: listRemoved(isIncident),
      errors: [
        ...own,
        ...this.#violations.map((violated) => {
          const { resourceUrn: urn, message } = violated;
          const why = this.#plain.has(urn) ? message.trimEnd() : "see the log.";
          return `The policy ${formatPolicy(violated)} forbids ${formatTitle(urn)}: ${why}`;
        }),
        ...rejected.flatMap(([urn]) => (failing.has(urn) ? [] : (this.#remediated.get(urn) ?? []))),
      ],
      otherErrors: others,
      warnings: [...this.#warnings],
      unread: unread.length > 0 ? unread.filter((reason) => reason !== "") : undefined,
      isUnchanged: this.#isUnchanged,
      otherChanges: this.#otherChanges.size,
    };
  }

  #findGap(): Gap | undefined {
    if (this.#unreadable) return this.#unreadable;
    if (!this.#hasEvents) return "no plan";
    if (!this.#changes) return "no end";
    const lacks = Object.entries(this.#changes).some(([op, count]) => (this.#steps.get(op) ?? 0) < count);
    // A successful preview contains at least the step of the stack.
    const isEmpty = this.#steps.size + this.#errors.length + this.#violations.length === 0;
    return lacks || isEmpty ? "steps" : undefined;
  }

  /** Finds the errors with messages of this package. The engine may add text before the message, and specifies the resource. */
  #sortErrors(): { readonly own: ReadonlySet<string>; readonly others: number } {
    const lengths = [...new Set([...this.#messageKinds.keys()].map(({ length }) => length))].sort(
      (a, b) => b - a,
    );
    const own = new Set<string>();
    let others = 0;
    for (const { urn, message } of this.#errors) {
      const words = message.trimEnd();
      const text =
        lengths.map((length) => words.slice(-length)).find((end) => this.#messageKinds.has(end)) ?? "";
      const is = this.#messageKinds.get(text);
      if (is === undefined) others += words === engineSummary ? 0 : 1;
      else if (is !== "summary") own.add(is === "problem" ? `${formatTitle(urn)}: ${text}` : text);
    }
    return { own, others };
  }
}

/** The engine's last error. It only indicates that there are other errors. */
const engineSummary = "preview failed";

/** Returns the fact about an update or an incident whose provider the engine can't call because the provider's settings are unknown. */
function createFactWithoutProvider(
  urn: string,
  inputs: Properties | undefined,
  added: readonly string[] = [],
) {
  const type = resourceTypes.find((each) => getNativeToken(each) === parseUrn(urn).type);
  if (!inputs || !type) return undefined;
  const lifecycle = lifecycles[type];
  const { fields } = lifecycle.facts;
  const own = Object.entries(inputs).filter(([name]) => fields.has(name) || !added.includes(name));
  return lifecycle.createFactWithoutProvider?.(urn, Object.fromEntries(own));
}

const isGone = ({ isDeleted, couldPost }: Resource): boolean => isDeleted && !couldPost;

/**
 * Returns the timelines whose entries are missing from the plan. The plugin declares no entries while their text or the provider's settings
 * are unknown, so the engine plans to delete the entries of the state.
 */
function listWaitingTimelines(resources: ReadonlyMap<string, Resource>): string[] {
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

const formatPolicy = ({ policyName, policyPackName }: Violation | Remediation): string =>
  `${policyName} of ${policyPackName}`;
const isUpdate = (urn: string): boolean => isOfType(parseUrn(urn).type, "IncidentUpdate");
const isIncident = (urn: string): boolean => isOfType(parseUrn(urn).type, "Incident");
const isEntry = (urn: string): boolean => isUpdate(urn) || isIncident(urn);
const isTimeline = (urn: string): boolean => parseUrn(urn).type === "monitoring:index:IncidentTimeline";

const properties = z.record(z.string(), z.unknown());
const state = z.object({
  parent: z.string().optional(),
  inputs: properties.optional(),
});
const step = z.object({ op: z.string(), urn: z.string(), new: state.nullish(), old: state.nullish() });
const diagnostic = z.object({
  urn: z.string().default(""),
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
const remediation = policed.extend({ before: properties.default({}), after: properties.default({}) });
/** Number of successful steps by operation. */
const summary = z.object({ resourceChanges: z.record(z.string(), z.number()).nullable() });

const event = z.object({
  sequence: z.number(),
  resourcePreEvent: z.object({ metadata: step }).optional(),
  diagnosticEvent: diagnostic.optional(),
  policyEvent: violation.optional(),
  policyRemediationEvent: remediation.optional(),
  summaryEvent: summary.optional(),
});

type PlanEvent = z.infer<typeof event>;
export type PlannedStep = z.infer<typeof step>;
export type Diagnostic = z.infer<typeof diagnostic>;
export type Violation = z.infer<typeof violation>;
export type Remediation = z.infer<typeof remediation>;

const marks = Object.keys(event.shape).map((name) => `"${name}"`);

/**
 * Returns the event in a line, and the output of other programs before it. The event is undefined if the line contains an event that can't
 * be read. The result is undefined if the line only contains output of others, such as policy packs, npm scripts, banners and progress.
 */
function readLine(line: string): { readonly before: string; readonly event?: PlanEvent } | undefined {
  if (!marks.some((mark) => line.includes(mark))) return undefined;
  const start = Math.max(0, line.indexOf('{"sequence"'));
  return { before: line.slice(0, start).trim(), event: event.safeParse(parseJson(line.slice(start))).data };
}
