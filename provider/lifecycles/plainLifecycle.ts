/** Runs a lifecycle for an adapter: converts its values for the engine, keeps what `check` learned, and knows which `diff` follows a refresh. */
import { isDeepStrictEqual } from "node:util";
import { ConfigurationError, InvalidInputError, isMonitoringError } from "../client";
import { isUnknown, plainObject, signatureKey, unknownValue } from "../engine";
import { appendFact, recordError } from "../previewFacts";
import { fromProgram, programInput } from "../programInput";
import { type Problem } from "../texts";
import { nameOf, type PreviewFact, refusedFact, terminalText } from "../wording";
import {
  type Context,
  type DeclaredInputs,
  type Lifecycle,
  PartialFailureError,
  type Properties,
  type ResourceState,
} from "./lifecycle";

export function messageOf(error: unknown): string {
  if (isMonitoringError(error) || error instanceof PartialFailureError) return error.message;
  const what = error instanceof Error ? `${error.name}: ${error.message}` : "an unknown failure";
  return `Internal error in pulumi-monitoring-service; please report it: ${what}`;
}

/** What only `check` learns: the engine calls it in the same process before any other verb of an `up` or a preview. */
interface LastCheck {
  /** The inputs that it returned. */
  readonly inputs: Properties;
  readonly oldSecrets: ReadonlySet<string> | undefined;
  readonly context: Pick<Context, "secrets" | "program">;
  /** The fields that a policy had changed when `diff` followed. */
  readonly remediated: readonly string[];
}

export class PlainLifecycle {
  readonly #lifecycle: Lifecycle;
  /** Reads of a refresh that no `diff` has followed yet. The engine doesn't say to a dynamic provider which resource it reads. */
  readonly #reads: (ResourceState & { readonly resource: string; readonly isDrifted: boolean })[] = [];
  /** By URN. */
  readonly #checks = new Map<string, LastCheck>();

  constructor(lifecycle: Lifecycle) {
    this.#lifecycle = lifecycle;
  }

  lastCheck(resource: string): LastCheck | undefined {
    return this.#checks.get(resource);
  }

  check(
    olds: Properties,
    news: Properties,
    context: Context,
    oldSecrets: ReadonlySet<string> = new Set(),
  ): { inputs: Properties; failures: Problem[] } {
    const { declared, inputs, problems } = this.#validated(news, context, ownProperties(olds));
    const isNew = Object.keys(olds).length === 0;
    const { resource, secrets, program } = context;
    const last = this.#checks.get(resource);
    // The engine checks a replacement a second time, without the old inputs and without what a policy changed.
    const dropped = isNew && last ? last.remediated : [];
    const failures = [...problems, ...remediationProblems(dropped)].map(withoutValue);
    for (const { reason } of failures) recordError(reason, "problem");
    if (!isNew && failures.length === 0)
      this.#lifecycle.expectReplace?.(ownProperties(olds), { ...declared, known: inputs }, context);
    const checked = { ...plainObject(inputs), ...only(news, (name) => declared.unknown.has(name)) };
    this.#checks.set(resource, {
      inputs: checked,
      oldSecrets: isNew ? last?.oldSecrets : oldSecrets,
      context: { secrets, program },
      remediated: [],
    });
    return { inputs: checked, failures };
  }

  /** The fields that changed since the last check. An observed resource posts nothing. */
  #remediated(inputs: Properties, resource: string): string[] {
    const last = this.#checks.get(resource);
    if (!last || this.#lifecycle.readsOnly) return [];
    return [...this.#lifecycle.fields].filter((name) => !isDeepStrictEqual(last.inputs[name], inputs[name]));
  }

  /**
   * What is posted is what was checked: the engine lets a policy change inputs, and then asks no provider about them.
   *
   * @throws InvalidInputError
   */
  #assertAsChecked(inputs: Properties, { resource }: Context): void {
    const problems = remediationProblems(this.#remediated(inputs, resource));
    if (problems.length > 0) throw new InvalidInputError(`IncidentUpdate ${nameOf(resource)}`, problems);
  }

  #declaredIn(inputs: Properties, { resource }: Context): DeclaredInputs {
    return { ...declaredIn(inputs), oldSecrets: this.#checks.get(resource)?.oldSecrets };
  }

  /** @throws Error before `check`: without what it remembers, an entry of a timeline could be posted after a later one. */
  async #apply(news: Properties, old: ResourceState | undefined, context: Context): Promise<ResourceState> {
    if (!this.#lifecycle.readsOnly && !this.#checks.has(context.resource))
      throw new Error("create or update was called before check. Nothing was posted");
    const { known } = this.#declaredIn(news, context);
    const { id, outputs } = await this.#lifecycle.apply(known, old, context);
    return { id, outputs: plainObject(outputs) };
  }

  /** Every problem of a declaration, by the name of the input or setting. */
  problems(news: Properties, context: Context): readonly Problem[] {
    return this.#validated(news, context).problems;
  }

  #validated(news: Properties, context: Context, olds: Properties = {}) {
    const declared = declaredIn(news);
    const checked = this.#lifecycle.check(declared, olds, context.program);
    const problems = [...checked.problems, ...connectionProblems(declared, context)];
    return { declared, inputs: checked.inputs, problems };
  }

  /** @param moves True if the other adapter wrote the state, so that it must be written again. */
  diff(
    id: string,
    olds: Properties,
    news: Properties,
    context: Context,
    moves: boolean,
  ): { changes: boolean; replaces: string[] } {
    const old = ownProperties(olds);
    const read = this.#readBefore(context.resource, id, old);
    const declared = this.#declaredIn(news, context);
    const last = this.#checks.get(context.resource);
    if (last)
      this.#checks.set(context.resource, { ...last, remediated: this.#remediated(news, context.resource) });
    const diff = this.#lifecycle.diff(id, old, declared, context, read !== undefined);
    if (diff.mayPost) this.#assertAsChecked(news, context);
    const changes = diff.changes || moves || read?.isDrifted === true;
    return { changes, replaces: [...diff.replaces] };
  }

  /**
   * The read of a refresh that this `diff` follows, if any. The engine displays the drift that it found only if `diff` reports a
   * change, and an `up` doesn't revert drift. No `diff` follows what a program only reads (`get`), whose outputs differ from
   * those of a managed resource.
   */
  #readBefore(resource: string, id: string, old: Properties) {
    const index = this.#reads.findIndex(
      (read) =>
        read.id === id &&
        (read.resource === "" || read.resource === resource) &&
        isDeepStrictEqual(read.outputs, old),
    );
    return index < 0 ? undefined : this.#reads.splice(index, 1)[0];
  }

  async preview(inputs: Properties, old: ResourceState | undefined, context: Context): Promise<void> {
    if (!old) this.#assertAsChecked(inputs, context);
    const state = old && { ...old, outputs: ownProperties(old.outputs) };
    const declared = this.#declaredIn(inputs, context);
    const fact = await this.#lifecycle.preview(declared, state, context);
    // `monitoring preview` prints it itself.
    if (!fact || appendFact(fact)) return;
    if (fact.unread) context.warn(fact.unread);
    for (const warning of fact.warnings) context.warn(`IncidentUpdate ${nameOf(fact.urn)}: ${warning}.`);
    for (const text of terminalText(fact, Date.now())) context.notice(text);
  }

  /**
   * Checks and reports a declaration whose provider isn't known yet, so that the engine doesn't call it.
   *
   * @param inputs As a plan has them, in which secrets are marked.
   */
  unasked(urn: string, inputs: Properties): PreviewFact | undefined {
    const secrets = new Set(Object.keys(inputs).filter((name) => isMarked(inputs[name])));
    const values = Object.entries(inputs).map(([name, value]): [string, unknown] => [
      name,
      secrets.has(name) ? unknownValue : value,
    ]);
    const { [programInput]: hidden, ...news } = Object.fromEntries(values);
    const declared = declaredIn(news);
    const program = fromProgram(hidden);
    const { problems } = this.#lifecycle.check(declared, {}, program);
    if (problems.length === 0)
      return this.#lifecycle.unasked?.(declared, { resource: urn, secrets, program });
    return refusedFact(
      urn,
      problems.map((problem) => withoutValue(problem).reason),
    );
  }

  async create(inputs: Properties, context: Context): Promise<ResourceState> {
    this.#assertAsChecked(inputs, context);
    return this.#apply(inputs, undefined, context);
  }

  async read(id: string, olds: Properties, context: Context): Promise<ResourceState> {
    const { compared = (outputs: Properties) => outputs } = this.#lifecycle;
    const before = ownProperties(olds);
    const after = await this.#lifecycle.read(id, before, context);
    const outputs = plainObject(after.outputs);
    const isDrifted = !isDeepStrictEqual(compared(before), compared(outputs));
    // A copy: Pulumi's server of dynamic providers adds the serialized provider to what `read` returns.
    this.#reads.push({ resource: context.resource, id: after.id, outputs: { ...outputs }, isDrifted });
    return { id: after.id, outputs };
  }

  async update(id: string, olds: Properties, news: Properties, context: Context): Promise<Properties> {
    const { outputs } = await this.#apply(news, { id, outputs: ownProperties(olds) }, context);
    return outputs;
  }

  async delete(id: string, olds: Properties, context: Context): Promise<void> {
    return this.#lifecycle.delete(id, ownProperties(olds), context);
  }
}

function remediationProblems(fields: readonly string[]): Problem[] {
  if (fields.length === 0) return [];
  const reason =
    "changed after the check, probably by a policy that remediates. Nothing was posted. Make the change in the program";
  return [{ property: fields.join(", "), reason }];
}

function only(properties: Properties, isMeant: (name: string, value: unknown) => boolean): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name, value]) => isMeant(name, value)));
}

/** The dynamic provider stores more beside the properties, and the engine the serialized provider. */
function ownProperties({ __provider, [programInput]: stored, ...properties }: Properties): Properties {
  return properties;
}

/** Treats null as absent: the SDK of TypeScript sends null for a secret output of undefined. */
function declaredIn(news: Properties): DeclaredInputs {
  const own = ownProperties(news);
  return {
    known: only(own, (_, value) => value !== null && !isUnknown(value)),
    unknown: new Set(Object.keys(own).filter((name) => isUnknown(own[name]))),
  };
}

/** The problems of the declared account and of the settings. The engine shows failures of `check` without a stack. */
function connectionProblems({ known, unknown }: DeclaredInputs, context: Context): readonly Problem[] {
  const { account } = known;
  if (unknown.has("account") || (account !== undefined && typeof account !== "string")) return [];
  try {
    const reason = context.connections.accountProblem(account);
    return [
      ...(reason === undefined ? [] : [{ property: "account", reason }]),
      // Once a response has the key, no read of the object succeeds.
      ...context.connections.keyProblems(known),
    ];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems;
  }
}

/** The engine prints the value of the property that a failure names, also of a secret. The reason names it instead. */
export function withoutValue({ property, reason }: Problem): Problem {
  return { property: "", reason: `${property} ${reason}` };
}

function isMarked(value: unknown): boolean {
  return typeof value === "object" && value !== null && signatureKey in value;
}
