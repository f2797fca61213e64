/**
 * Implements the resource operations of one run for both adapters. Caches the result of `check` for the operations that follow, doesn't
 * post unchecked inputs, and detects a `diff` that follows a refresh.
 */
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { InvalidInputError, isMonitoringError, TimeoutError } from "../client";
import { type Connections } from "../connection";
import {
  type ProgramInfo,
  parseProgramInput,
  isUnknown,
  toPlainObject,
  parseUrn,
  programInput,
  type ResourceType,
  formatTitle,
  unknownValue,
} from "../engine";
import {
  type Context,
  toDeclaredInputs,
  lifecycles,
  omitAdapterProperties,
  PartialFailureError,
  type Properties,
  type ResourceState,
  hideProperty,
} from "../lifecycles";
import { appendFact, recordMessage } from "../previewFacts";
import { Publishing } from "../publishing";
import { formatList, type NoticeText, type Problem } from "../texts";
import { formatForTerminal, formatResourceName, formatTypeLabel, getNounsOfType } from "../wording";

/** The resource of a call. */
interface CallResource {
  readonly type: ResourceType;
  /**
   * Empty if a dynamic provider doesn't receive it: for resources that a program only reads, and for states written by the native plugin.
   */
  readonly urn: string;
  /** Names of the new values that are secrets, if the engine passes them. Default: the names that the last `check` found. */
  readonly secrets?: ReadonlySet<string>;
  /** Names of the old values that are secrets, if the engine passes them. Default: all that may be secrets. */
  readonly oldSecrets?: ReadonlySet<string> | undefined;
  /** The time limit in `customTimeouts`, in milliseconds. */
  readonly limitMs?: number;
}

interface WriteInput {
  /** The inputs. The engine marks unknown values. */
  readonly news: Properties;
  /** True to report the expected changes instead of making them. Resources that only read are read if their inputs are known. */
  readonly isPreview?: boolean;
}

interface ExistingResource {
  readonly id: string;
  /** The outputs in the state. */
  readonly olds: Properties;
}

interface CallInputs {
  /** `olds`: the inputs in the state, missing for a new resource. `news`: the inputs, including the input that this package adds. */
  readonly check: { readonly olds?: Properties; readonly news: Properties };
  readonly diff: ExistingResource & { readonly news: Properties };
  readonly create: WriteInput;
  readonly update: ExistingResource & WriteInput;
  readonly read: ExistingResource;
  readonly import: { readonly id: string };
  readonly delete: ExistingResource;
}

export type Verb = keyof CallInputs;

/**
 * A call of the engine, as plain data. The adapters only convert their messages to calls, and each {@link CallResult} back to a message.
 * The properties are unchanged, including the properties that an adapter or the engine adds.
 */
export type Call<V extends Verb = Verb> = {
  readonly [Each in V]: { readonly verb: Each } & CallResource & CallInputs[Each];
}[V];

interface WrittenResource extends ResourceState {
  /** Names of the outputs that are secrets. */
  readonly secrets: ReadonlySet<string>;
}

export interface CallResults {
  readonly check: {
    readonly inputs: Properties;
    /** The problems of the inputs. Each reason contains the name of its property. */
    readonly problems: readonly Problem[];
    /** The problem as a message, for a program that collects the problems of a preview. */
    readonly problem?: string | undefined;
    /** The inputs that the program doesn't pass as public values, for types that may have secrets. */
    readonly hidden?: readonly string[] | undefined;
  };
  readonly diff: { readonly changes: boolean; readonly replaces: readonly string[] };
  readonly create: WrittenResource;
  readonly update: WrittenResource;
  readonly read: WrittenResource & { readonly inputs?: undefined };
  readonly import: WrittenResource & { readonly inputs: Properties };
  readonly delete: object;
}

/** The result of the verb, or a failure. */
export type CallResult<V extends Verb = Verb> =
  | (CallResults[V] & { readonly failure?: undefined })
  | ({ readonly failure: Failure } & { readonly [Name in keyof CallResults[V]]?: undefined });

export interface Failure {
  /** A message for the user. */
  readonly text: string;
  /** The state to record despite the failure, because the operation may have taken effect. */
  readonly stateToRecord?: WrittenResource;
}

/** The engine that calls the provider, as far as a run needs it. */
export interface Engine {
  /** @throws ConfigurationError with all problems of the configuration. */
  readonly connections: Connections;
  readonly signal?: AbortSignal;
  /** The address of the engine, which is the same in all provider processes of a run. */
  readonly address?: string | undefined;
  /** True if the engine shows notices under the stack, so that each notice must contain the name of its resource. */
  readonly namesNoResources?: boolean;
  /** @param urn The resource of the notice. Empty for the stack. */
  notice(text: NoticeText, urn: string): void;
  warn(text: string, urn: string): void;
  assertAlive(): Promise<void>;
}

/** The information from `check`, which the engine calls in the same process before any other verb of an `up` or a preview. */
interface LastCheck extends Pick<Context, "secrets" | "oldSecrets"> {
  readonly program: ProgramInfo;
  /** The inputs that `check` returned. */
  readonly inputs: Properties;
  /** The fields that a policy changed between `check` and `diff`. */
  readonly remediated: readonly string[];
  /** The reason why the preview fails, if the program collects problems. */
  readonly problem: string | undefined;
}

interface ContextOptions extends Pick<Context, "secrets" | "oldSecrets" | "program" | "timeoutMs"> {
  /** Default: the type in the URN. */
  readonly type?: ResourceType;
}

interface LastRead extends Pick<ResourceState, "outputs"> {
  readonly urn: string;
  readonly isDrifted: boolean;
}

export class Run {
  readonly #engine: Engine;
  readonly #publishing = new Publishing();
  /** The last checks by URN. */
  readonly #checks = new Map<string, LastCheck>();
  /** Reads of a refresh that weren't followed by a `diff` yet. */
  readonly #reads: LastRead[] = [];
  readonly #verbs: { readonly [V in Verb]: (call: Call<V>) => Promise<CallResults[V]> } = {
    check: (call) => this.#check(call),
    diff: (call) => this.#diff(call),
    create: (call) => this.#write(call),
    update: (call) => this.#write(call, { id: call.id, outputs: omitAdapterProperties(call.olds) }),
    read: (call) => this.#read(call),
    import: async (call) => {
      const read = await lifecycles[call.type].import(call.id, this.#createCallContext(call));
      return { ...read, secrets: new Set() };
    },
    delete: async (call) => {
      await lifecycles[call.type].delete(
        call.id,
        omitAdapterProperties(call.olds),
        this.#createCallContext(call),
      );
      return {};
    },
  };

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Handles a call. Never rejects, because a failure is also a result. */
  async handle<V extends Verb>(call: Call<V>): Promise<CallResult<V>> {
    const { readsOnly } = lifecycles[call.type];
    try {
      const working = this.#verbs[call.verb](call);
      // Writes aren't limited here, because they have their own time limit and record posts that may have been applied.
      return await (readsOnly ? withTimeLimit(call.limitMs, working) : working);
    } catch (error) {
      const text = getErrorMessage(error);
      recordMessage(text);
      if (!(error instanceof PartialFailureError)) return { failure: { text } };
      // The state of a partial failure may contain the old outputs.
      const secrets = getSecretNames(call, new Set([...(call.secrets ?? []), ...(call.oldSecrets ?? [])]));
      const { id, outputs } = error.state;
      return { failure: { text, stateToRecord: { id, outputs: toPlainObject(outputs), secrets } } };
    }
  }

  /** Gives components and functions access to the run. */
  createContext(urn: string, { type: declaredType, ...more }: ContextOptions = {}): Context {
    const engine = this.#engine;
    const type = declaredType ?? parseUrn(urn).type.split(":").at(-1) ?? "";
    const name = engine.namesNoResources && urn !== "" ? ` ${formatResourceName(urn)}` : "";
    return {
      get connections() {
        return engine.connections;
      },
      publishing: this.#publishing,
      engine: engine.address,
      resource: urn,
      title: formatTitle(urn, more.program?.place),
      label: (id) =>
        name === "" || id === undefined ? formatTypeLabel(`${type}${name}`, id) : `${type}${name}, ${id}`,
      ...more,
      notice: (text) => engine.notice(text, urn),
      // If the warning can be appended to the file of a preview, `monitoring preview` prints it.
      warn: (text) => {
        if (!recordMessage(text, "warning")) engine.warn(text, urn);
      },
      assertEngineAlive: () => engine.assertAlive(),
      ...(engine.signal && { signal: engine.signal }),
    };
  }

  /** Creates the context of a call. All verbs except `check` use the information from the last check. */
  #createCallContext({ type, urn, secrets, limitMs }: CallResource): Context {
    const last = this.#checks.get(urn);
    const { oldSecrets, program } = last ?? {};
    return this.createContext(urn, {
      type,
      secrets: secrets ?? last?.secrets,
      oldSecrets,
      program,
      timeoutMs: limitMs,
    });
  }

  async #check(call: Call<"check">): Promise<CallResults["check"]> {
    const { type, urn } = call;
    const { [programInput]: input, ...news } = call.news;
    const program = parseProgramInput(input);
    if (!program || urn === "") return { inputs: {}, problems: [notOfProgram] };
    const { facts, readsOnly } = lifecycles[type];
    const old = omitAdapterProperties(call.olds ?? {});
    const isNew = Object.keys(old).length === 0;
    const last = this.#checks.get(urn);
    // Values that the program doesn't pass as public may be secret, such as values set by a transformation. Unknown values contain no text.
    const hidden = [...facts.secrets].filter((name) => news[name] !== program.shown[name]);
    const secrets = call.secrets ?? new Set(hidden.filter((name) => !isUnknown(news[name])));
    const oldSecrets = isNew ? last?.oldSecrets : (call.oldSecrets ?? facts.secrets);
    const context = this.createContext(urn, { type, secrets, oldSecrets, program });
    const { inputs, problems } = validateInputs(type, news, old, context, isNew ? last : undefined);
    const memory = { inputs, program, secrets, oldSecrets, remediated: [], problem: undefined };
    this.#checks.set(urn, memory);
    const isWrong = problems.length > 0;
    // In a preview, this is the engine's last call of a dynamic provider for a new resource. A changed object is read to inform the
    // program.
    const isLast = isNew || (readsOnly && !isDeepStrictEqual(old, inputs));
    const previewed = isWrong
      ? program.collectsProblems &&
        formatList(
          context.title,
          problems.map(({ reason }) => reason),
        )
      : program.previews &&
        (await collectProblem(
          (): Promise<unknown> =>
            isLast
              ? this.#preview({ type, urn, news: inputs })
              : Promise.resolve(lifecycles[type].checkChange?.(toDeclaredInputs(inputs), old, context)),
          program,
        ));
    const problem = typeof previewed === "string" ? previewed : undefined;
    this.#checks.set(urn, { ...memory, problem });
    // The SDK records the problems that it collects.
    if (problem === undefined) for (const { reason } of problems) recordMessage(reason, "problem");
    return {
      inputs,
      problems: problem === undefined ? problems : [],
      problem,
      hidden: facts.secrets.size > 0 ? hidden : undefined,
    };
  }

  async #diff(call: Call<"diff">): Promise<CallResults["diff"]> {
    const { type, urn, id } = call;
    const [old, news] = [omitAdapterProperties(call.olds), omitAdapterProperties(call.news)];
    const last = this.#checks.get(urn);
    // The preview only reports the problem.
    if (last?.problem !== undefined) return { changes: true, replaces: [] };
    const lifecycle = lifecycles[type];
    const read = this.#takeRefreshRead(urn, old);
    const remediated = listRemediatedFields(call.type, last, news);
    if (last) this.#checks.set(urn, { ...last, remediated });
    const context = this.#createCallContext(call);
    // The preview of a plugin's update reports the rejection, together with those of other resources. The engine doesn't call a dynamic
    // provider again, so its `diff` must fail.
    const diff = await collectProblem(
      () => lifecycle.diff(id, old, toDeclaredInputs(news), context, read !== undefined),
      last?.program.previews ? undefined : last?.program,
    );
    if (typeof diff === "string") {
      if (last) this.#checks.set(urn, { ...last, remediated, problem: diff });
      return { changes: true, replaces: [] };
    }
    if (diff.mayPost) assertNotRemediated(type, remediated, urn);
    // Rewrite a state from the other adapter, because a refresh or destroy with a dynamic provider requires its code in the outputs.
    const isOfOther = "__provider" in call.olds !== "__provider" in call.news;
    const changes = diff.changes || (read ? read.isDrifted : isOfOther);
    // The engine's preview doesn't call a dynamic provider after `diff`, so a write that would fail must fail here.
    if (last?.program.previews && changes && diff.replaces.length === 0)
      await this.#preview(call, { id, outputs: old });
    return { changes, replaces: [...diff.replaces] };
  }

  /**
   * Returns and removes the read of the refresh that this `diff` follows, if any. The engine displays drift only if `diff` reports a
   * change, and `pulumi up` doesn't revert drift. Reads through `get` aren't followed by a `diff`. Their outputs differ from the outputs of
   * managed resources.
   */
  #takeRefreshRead(urn: string, old: Properties) {
    const index = this.#reads.findIndex(
      (read) => (read.urn === "" || read.urn === urn) && isDeepStrictEqual(read.outputs, old),
    );
    return index < 0 ? undefined : this.#reads.splice(index, 1)[0];
  }

  async #write(call: CallResource & WriteInput, old?: ResourceState): Promise<WrittenResource> {
    const last = this.#checks.get(call.urn);
    if (!call.isPreview) return this.#apply(call, old);
    const previewed = last?.problem ?? (await collectProblem(() => this.#preview(call, old), last?.program));
    if (typeof previewed !== "string") return previewed;
    const outputs = {
      ...old?.outputs,
      ...omitAdapterProperties(call.news),
      [programInput]: { problem: previewed },
    };
    return { id: old?.id ?? "", outputs, secrets: getSecretNames(call, call.secrets) };
  }

  /** Previews a write: reads known objects, and reports the expected changes. */
  async #preview(call: CallResource & WriteInput, old?: ResourceState): Promise<WrittenResource> {
    const lifecycle = lifecycles[call.type];
    const news = omitAdapterProperties(call.news);
    if (lifecycle.readsOnly && !isUnknown(news)) return this.#apply(call, old);
    const last = this.#checks.get(call.urn);
    if (!old) assertNotRemediated(call.type, listRemediatedFields(call.type, last, news), call.urn);
    const context = this.#createCallContext(call);
    const fact = await lifecycle.preview(toDeclaredInputs(news), old, context);
    // If the fact can be appended to a file, `monitoring preview` prints it.
    if (fact && !appendFact(fact)) {
      if (fact.unread) context.warn(fact.unread);
      for (const warning of fact.warnings) context.warn(`${context.title}: ${warning}.`);
      for (const text of formatForTerminal(fact, Date.now())) context.notice(text);
    }
    const computed = old ? [] : lifecycle.facts.computed;
    const unknown = Object.fromEntries(computed.map((name) => [name, unknownValue]));
    const outputs = { ...unknown, ...old?.outputs, ...news };
    return { id: old?.id ?? "", outputs, secrets: getSecretNames(call, call.secrets) };
  }

  /** @throws Error if `check` wasn't called, because without its information, an entry of a timeline could be posted after a later one. */
  async #apply(call: CallResource & WriteInput, old?: ResourceState): Promise<WrittenResource> {
    const last = this.#checks.get(call.urn);
    const lifecycle = lifecycles[call.type];
    if (!last && !lifecycle.readsOnly)
      throw new Error(
        `create or update was called before check. Nothing was ${getNounsOfType(call.type).posted}`,
      );
    if (!old) assertNotRemediated(call.type, listRemediatedFields(call.type, last, call.news), call.urn);
    const { known } = toDeclaredInputs(call.news);
    const { id, outputs } = await lifecycle.apply(known, old, this.#createCallContext(call));
    return { id, outputs: toPlainObject(outputs), secrets: getSecretNames(call, call.secrets) };
  }

  async #read(call: Call<"read">): Promise<WrittenResource> {
    const old = omitAdapterProperties(call.olds);
    const { id, isDrifted, ...read } = await lifecycles[call.type].read(
      call.id,
      old,
      this.#createCallContext(call),
    );
    const outputs = toPlainObject(read.outputs);
    // Copy the outputs, because Pulumi's server of dynamic providers adds the serialized provider to the result of `read`.
    this.#reads.push({ urn: call.urn, outputs: { ...outputs }, isDrifted });
    return { id, outputs, secrets: getSecretNames(call, call.oldSecrets) };
  }
}

export function getErrorMessage(error: unknown): string {
  if (isMonitoringError(error) || error instanceof PartialFailureError) return error.message;
  const what = error instanceof Error ? `${error.name}: ${error.message}` : "an unknown failure";
  return `Internal error in pulumi-monitoring-service; please report it: ${what}`;
}

const notOfProgram: Problem = {
  property: "",
  reason: `${programInput} can only be set by pulumi-monitoring-service, but a transformation of the program changed or removed it`,
};

/** @param last The last check of the replaced resource. The engine checks a replacement without the changes of a policy. */
function validateInputs(
  type: ResourceType,
  news: Properties,
  old: Properties,
  context: Context,
  last: LastCheck | undefined,
) {
  const { inputs, problems } = lifecycles[type].check(toDeclaredInputs(news), old, context);
  const dropped = toRemediationProblems(type, last?.remediated ?? []);
  const unknown = Object.entries(news).filter(([, value]) => isUnknown(value));
  return {
    /** The inputs to store, and the unknown values. */
    inputs: { ...toPlainObject(inputs), ...Object.fromEntries(unknown) },
    problems: [...problems, ...dropped].map(hideProperty),
  };
}

/** Returns the result of a preview or, if the program collects problems, the message of its failure. */
async function collectProblem<Result>(
  preview: () => Result | Promise<Result>,
  program?: ProgramInfo,
): Promise<Result | string> {
  try {
    return await preview();
  } catch (error) {
    if (program?.collectsProblems && isMonitoringError(error)) return error.message;
    throw error;
  }
}

/** Returns the fields that changed after the last check. Empty for observed resources, which never post. */
function listRemediatedFields(type: ResourceType, last: LastCheck | undefined, news: Properties): string[] {
  const { facts, readsOnly } = lifecycles[type];
  if (!last || readsOnly) return [];
  return [...facts.fields].filter((name) => !isDeepStrictEqual(last.inputs[name], news[name]));
}

/**
 * Rejects inputs that weren't checked: if a policy changes inputs, the engine doesn't call `check` again.
 *
 * @throws InvalidInputError
 */
function assertNotRemediated(type: ResourceType, remediated: readonly string[], urn: string): void {
  const problems = toRemediationProblems(type, remediated);
  if (problems.length > 0) throw new InvalidInputError(formatTitle(urn), problems);
}

function toRemediationProblems(type: ResourceType, fields: readonly string[]): Problem[] {
  if (fields.length === 0) return [];
  const reason =
    `${fields.length === 1 ? "was" : "were"} changed after validation, probably by a remediation policy. Nothing was ${getNounsOfType(type).posted}. Make the change in the ` +
    "program";
  return [{ property: fields.join(", "), reason }];
}

/** Returns the names of the secret inputs, and of the outputs that repeat them. */
function getSecretNames({ type }: CallResource, inputs: ReadonlySet<string> = new Set()): Set<string> {
  return new Set([...inputs, ...lifecycles[type].facts.getRepeatingOutputs(inputs)]);
}

/** Applies the limit of `customTimeouts` to a call that only reads. @throws TimeoutError if the work takes longer. */
async function withTimeLimit<T>(limitMs: number | undefined, work: Promise<T>): Promise<T> {
  if (limitMs === undefined) return work;
  const late = wait(limitMs, undefined, { ref: false }).then(() => {
    throw new TimeoutError(
      `The service did not respond within ${limitMs / 1000} s, the limit in customTimeouts. Run again, or raise the limit.`,
    );
  });
  return Promise.race([work, late]);
}
