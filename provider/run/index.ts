/**
 * Answers what the engine asks of the resources of one run, for both adapters: it keeps what a `check` learned until the verbs after it, posts
 * nothing that wasn't checked, and knows which `diff` follows a refresh.
 */
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { InvalidInputError, isMonitoringError, TimeoutError } from "../client";
import { type Connections } from "../connection";
import {
  type FromProgram,
  fromProgram,
  isUnknown,
  plainObject,
  programInput,
  type ResourceType,
  titleOf,
  unknownValue,
} from "../engine";
import {
  type Context,
  declaredIn,
  lifecycles,
  ownProperties,
  PartialFailureError,
  type Properties,
  type ResourceState,
  withoutValue,
} from "../lifecycles";
import { appendFact, recordError } from "../previewFacts";
import { Publishing } from "../publishing";
import { type NoticeText, type Problem } from "../texts";
import { terminalText } from "../wording";

/** What every call says of its resource. */
interface Resource {
  readonly type: ResourceType;
  /** Empty where a dynamic provider isn't told it: what a program only reads, and a state that the native plugin wrote. */
  readonly urn: string;
  /** Names of the new values that are secrets, if the engine tells. Default: what the last `check` found. */
  readonly secrets?: ReadonlySet<string>;
  /** Names of the old values that are secrets, if the engine tells. Default: all that may be. */
  readonly oldSecrets?: ReadonlySet<string> | undefined;
  /** The user's limit of the operation, in milliseconds. */
  readonly limitMs?: number;
}

interface Write {
  /** The inputs, in which the engine marks what isn't known yet. */
  readonly news: Properties;
  /** True to say what an `up` would do. What only reads is read, if it is known. */
  readonly isPreview?: boolean;
}

interface Existing {
  readonly id: string;
  /** The outputs of the state. */
  readonly olds: Properties;
}

interface Calls {
  /** Its old values are the inputs of the state; missing for what is new. The new ones have the input of the program, too. */
  readonly check: { readonly olds?: Properties; readonly news: Properties };
  readonly diff: Existing & { readonly news: Properties };
  readonly create: Write;
  readonly update: Existing & Write;
  readonly read: Existing;
  readonly import: { readonly id: string };
  readonly delete: Existing;
}

export type Verb = keyof Calls;

/**
 * What the engine asks, as plain data. The adapters convert their messages to it, and the {@link Answer} back, and know no rule: the
 * properties are as the engine has them, with what an adapter or the engine stores beside them.
 */
export type Call<V extends Verb = Verb> = {
  readonly [Each in V]: { readonly verb: Each } & Resource & Calls[Each];
}[V];

interface Written extends ResourceState {
  /** Names of the outputs that are secrets. */
  readonly secrets: ReadonlySet<string>;
}

export interface Answers {
  readonly check: {
    readonly inputs: Properties;
    /** What is wrong with the inputs. The reasons name the properties. */
    readonly problems: readonly Problem[];
    /** What a program that collects the problems of a preview is told instead. */
    readonly problem?: string | undefined;
    /** The inputs that the program doesn't pass as public, of a type that may have secrets. */
    readonly hidden?: readonly string[] | undefined;
  };
  readonly diff: { readonly changes: boolean; readonly replaces: readonly string[] };
  readonly create: Written;
  readonly update: Written;
  readonly read: Written & { readonly inputs?: undefined };
  readonly import: Written & { readonly inputs: Properties };
  readonly delete: object;
}

/** An answer has what its verb is asked for, or a failure. */
export type Answer<V extends Verb = Verb> =
  | (Answers[V] & { readonly failure?: undefined })
  | ({ readonly failure: Failure } & { readonly [Name in keyof Answers[V]]?: undefined });

export interface Failure {
  /** A message for the user. */
  readonly text: string;
  /** What the state records all the same, because the operation may have taken effect. */
  readonly keeps?: Written;
}

/** The engine that asks, as a run needs it. */
export interface Engine {
  /** @throws ConfigurationError with all problems of the configuration. */
  readonly connections: Connections;
  readonly signal?: AbortSignal;
  /** Its address, which all provider processes of a run know. */
  readonly address?: string | undefined;
  /** @param urn Resource of the text; empty for the stack. */
  notice(text: NoticeText, urn: string): void;
  warn(text: string, urn: string): void;
  assertAlive(): Promise<void>;
}

/** What only `check` learns: the engine calls it in the same process before any other verb of an `up` or a preview. */
interface LastCheck extends Pick<Context, "secrets" | "oldSecrets"> {
  readonly program: FromProgram;
  /** The inputs that it returned. */
  readonly inputs: Properties;
  /** The fields that a policy had changed when `diff` followed. */
  readonly remediated: readonly string[];
  /** Why the preview fails, if the program collects that. */
  readonly problem: string | undefined;
}

type Told = Pick<Context, "secrets" | "oldSecrets" | "program" | "timeoutMs">;

interface Read extends Pick<ResourceState, "outputs"> {
  readonly urn: string;
  readonly isDrifted: boolean;
}

export class Run {
  readonly #engine: Engine;
  readonly #publishing = new Publishing();
  /** By URN. */
  readonly #checks = new Map<string, LastCheck>();
  /** Reads of a refresh that no `diff` has followed yet. */
  readonly #reads: Read[] = [];
  readonly #verbs: { readonly [V in Verb]: (call: Call<V>) => Promise<Answers[V]> } = {
    check: (call) => this.#check(call),
    diff: (call) => this.#diff(call),
    create: (call) => this.#write(call),
    update: (call) => this.#write(call, { id: call.id, outputs: ownProperties(call.olds) }),
    read: (call) => this.#read(call),
    import: async (call) => {
      const read = await lifecycles[call.type].import(call.id, this.#contextOf(call));
      return { ...read, secrets: new Set() };
    },
    delete: async (call) => {
      await lifecycles[call.type].delete(call.id, ownProperties(call.olds), this.#contextOf(call));
      return {};
    },
  };

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Never rejects: a failure is an answer, too. */
  async handle<V extends Verb>(call: Call<V>): Promise<Answer<V>> {
    const { readsOnly } = lifecycles[call.type];
    try {
      const working = this.#verbs[call.verb](call);
      // A write limits its own time, and records what may have been posted.
      return await (readsOnly ? within(call.limitMs, working) : working);
    } catch (error) {
      const text = messageOf(error);
      recordError(text);
      if (!(error instanceof PartialFailureError)) return { failure: { text } };
      // The state of a partial failure may contain the old outputs.
      const secrets = new Set([...secretsOf(call, call.secrets), ...secretsOf(call, call.oldSecrets)]);
      const { id, outputs } = error.state;
      return { failure: { text, keeps: { id, outputs: plainObject(outputs), secrets } } };
    }
  }

  /** Gives components and functions access to the run. */
  contextOf(urn: string, more: Told = {}): Context {
    const engine = this.#engine;
    return {
      get connections() {
        return engine.connections;
      },
      publishing: this.#publishing,
      engine: engine.address,
      resource: urn,
      title: titleOf(urn, more.program?.place),
      ...more,
      notice: (text) => engine.notice(text, urn),
      warn: (text) => engine.warn(text, urn),
      assertEngineAlive: () => engine.assertAlive(),
      ...(engine.signal && { signal: engine.signal }),
    };
  }

  /** A check begins anew, and the verbs after it go on with what it was told. */
  #contextOf({ urn, secrets, limitMs }: Resource): Context {
    const last = this.#checks.get(urn);
    const { oldSecrets, program } = last ?? {};
    return this.contextOf(urn, {
      secrets: secrets ?? last?.secrets,
      oldSecrets,
      program,
      timeoutMs: limitMs,
    });
  }

  async #check(call: Call<"check">): Promise<Answers["check"]> {
    const { type, urn } = call;
    const { [programInput]: input, ...news } = call.news;
    const program = fromProgram(input);
    if (!program || urn === "") return { inputs: {}, problems: [notOfProgram] };
    const { facts, readsOnly } = lifecycles[type];
    const old = ownProperties(call.olds ?? {});
    const isNew = Object.keys(old).length === 0;
    const last = this.#checks.get(urn);
    // What the program doesn't pass as public may be secret, such as what a transformation set. What isn't known yet has no text.
    const hidden = [...facts.secrets].filter((name) => news[name] !== program.shown[name]);
    const secrets = call.secrets ?? new Set(hidden.filter((name) => !isUnknown(news[name])));
    const oldSecrets = isNew ? last?.oldSecrets : (call.oldSecrets ?? facts.secrets);
    const context = this.contextOf(urn, { secrets, program });
    const { inputs, problems } = validated(type, news, old, context, isNew ? last : undefined);
    const memory = { inputs, program, secrets, oldSecrets, remediated: [], problem: undefined };
    this.#checks.set(urn, memory);
    const isWrong = problems.length > 0;
    // In a preview, the engine asks a dynamic provider nothing more about what is new. A changed object is read to tell the program.
    const isLast = isNew || (readsOnly && !isDeepStrictEqual(old, inputs));
    const previewed = isWrong
      ? program.collects && `${context.title}: ${listed(problems)}.`
      : program.previews && isLast && (await collected(this.#preview({ type, urn, news: inputs }), program));
    const problem = typeof previewed === "string" ? previewed : undefined;
    this.#checks.set(urn, { ...memory, problem });
    // The SDK records what it collects.
    if (problem === undefined) for (const { reason } of problems) recordError(reason, "problem");
    return {
      inputs,
      problems: problem === undefined ? problems : [],
      problem,
      hidden: facts.secrets.size > 0 ? hidden : undefined,
    };
  }

  async #diff(call: Call<"diff">): Promise<Answers["diff"]> {
    const { type, urn, id } = call;
    const [old, news] = [ownProperties(call.olds), ownProperties(call.news)];
    const last = this.#checks.get(urn);
    // A preview of what is wrong says why, and does nothing else.
    if (last?.problem !== undefined) return { changes: true, replaces: [] };
    const lifecycle = lifecycles[type];
    const read = this.#readBefore(urn, old);
    const remediated = remediatedIn(call.type, last, news);
    if (last) this.#checks.set(urn, { ...last, remediated });
    const diff = lifecycle.diff(id, old, declaredIn(news), this.#contextOf(call), read !== undefined);
    if (diff.mayPost) assertNone(remediated, urn);
    // A state that the other adapter wrote is written again: a refresh or destroy of a dynamic provider needs its code in the outputs.
    const isOfOther = "__provider" in call.olds !== "__provider" in call.news;
    const changes = diff.changes || (read ? read.isDrifted : isOfOther);
    // A program is told of a problem only by what it declares: what is unchanged in it stops the preview.
    if (last?.program.previews && changes && diff.replaces.length === 0)
      await this.#preview(call, { id, outputs: old });
    return { changes, replaces: [...diff.replaces] };
  }

  /**
   * The read of a refresh that this `diff` follows, if any. The engine displays the drift that it found only if `diff` reports a
   * change, and an `up` doesn't revert drift. No `diff` follows what a program only reads (`get`), whose outputs differ from
   * those of a managed resource.
   */
  #readBefore(urn: string, old: Properties) {
    const index = this.#reads.findIndex(
      (read) => (read.urn === "" || read.urn === urn) && isDeepStrictEqual(read.outputs, old),
    );
    return index < 0 ? undefined : this.#reads.splice(index, 1)[0];
  }

  async #write(call: Resource & Write, old?: ResourceState): Promise<Written> {
    const last = this.#checks.get(call.urn);
    if (!call.isPreview) return this.#apply(call, old);
    const previewed = last?.problem ?? (await collected(this.#preview(call, old), last?.program));
    if (typeof previewed !== "string") return previewed;
    const outputs = { ...old?.outputs, ...ownProperties(call.news), [programInput]: { problem: previewed } };
    return { id: old?.id ?? "", outputs, secrets: secretsOf(call, call.secrets) };
  }

  /** Does what a preview can do of an `up`, which is to read what is known, and says the rest. */
  async #preview(call: Resource & Write, old?: ResourceState): Promise<Written> {
    const lifecycle = lifecycles[call.type];
    const news = ownProperties(call.news);
    if (lifecycle.readsOnly && !isUnknown(news)) return this.#apply(call, old);
    const last = this.#checks.get(call.urn);
    if (!old) assertNone(remediatedIn(call.type, last, news), call.urn);
    const context = this.#contextOf(call);
    const fact = await lifecycle.preview(declaredIn(news), old, context);
    // `monitoring preview` prints it itself.
    if (fact && !appendFact(fact)) {
      if (fact.unread) context.warn(fact.unread);
      for (const warning of fact.warnings) context.warn(`${context.title}: ${warning}.`);
      for (const text of terminalText(fact, Date.now())) context.notice(text);
    }
    const computed = old ? [] : lifecycle.facts.computed;
    const unknown = Object.fromEntries(computed.map((name) => [name, unknownValue]));
    const outputs = { ...unknown, ...old?.outputs, ...news };
    return { id: old?.id ?? "", outputs, secrets: secretsOf(call, call.secrets) };
  }

  /** @throws Error before `check`: without what it remembers, an entry of a timeline could be posted after a later one. */
  async #apply(call: Resource & Write, old?: ResourceState): Promise<Written> {
    const last = this.#checks.get(call.urn);
    const lifecycle = lifecycles[call.type];
    if (!last && !lifecycle.readsOnly)
      throw new Error("create or update was called before check. Nothing was posted");
    if (!old) assertNone(remediatedIn(call.type, last, call.news), call.urn);
    const { known } = declaredIn(call.news);
    const { id, outputs } = await lifecycle.apply(known, old, this.#contextOf(call));
    return { id, outputs: plainObject(outputs), secrets: secretsOf(call, call.secrets) };
  }

  async #read(call: Call<"read">): Promise<Written> {
    const old = ownProperties(call.olds);
    const { id, isDrifted, ...read } = await lifecycles[call.type].read(call.id, old, this.#contextOf(call));
    const outputs = plainObject(read.outputs);
    // A copy: Pulumi's server of dynamic providers adds the serialized provider to what `read` returns.
    this.#reads.push({ urn: call.urn, outputs: { ...outputs }, isDrifted });
    return { id, outputs, secrets: secretsOf(call, call.oldSecrets) };
  }
}

export function messageOf(error: unknown): string {
  if (isMonitoringError(error) || error instanceof PartialFailureError) return error.message;
  const what = error instanceof Error ? `${error.name}: ${error.message}` : "an unknown failure";
  return `Internal error in pulumi-monitoring-service; please report it: ${what}`;
}

const notOfProgram: Problem = {
  property: "",
  reason: `${programInput} is set by pulumi-monitoring-service alone: a transformation of the program changed or removed it`,
};

/** @param last The check of what this one replaces. The engine checks a replacement without what a policy changed. */
function validated(
  type: ResourceType,
  news: Properties,
  old: Properties,
  context: Context,
  last: LastCheck | undefined,
) {
  const { inputs, problems } = lifecycles[type].check(declaredIn(news), old, context);
  const dropped = remediationProblems(last?.remediated ?? []);
  const unknown = Object.entries(news).filter(([, value]) => isUnknown(value));
  return {
    /** Those to store, and what isn't known yet. */
    inputs: { ...plainObject(inputs), ...Object.fromEntries(unknown) },
    problems: [...problems, ...dropped].map(withoutValue),
  };
}

/** Returns why a preview fails instead, if the program collects that. */
async function collected(preview: Promise<Written>, program?: FromProgram): Promise<Written | string> {
  try {
    return await preview;
  } catch (error) {
    if (program?.collects && isMonitoringError(error)) return error.message;
    throw error;
  }
}

const listed = (problems: readonly Problem[]): string => problems.map(({ reason }) => reason).join("; ");

/** The fields that changed since the last check. An observed resource posts nothing. */
function remediatedIn(type: ResourceType, last: LastCheck | undefined, news: Properties): string[] {
  const { facts, readsOnly } = lifecycles[type];
  if (!last || readsOnly) return [];
  return [...facts.fields].filter((name) => !isDeepStrictEqual(last.inputs[name], news[name]));
}

/**
 * What is posted is what was checked: the engine lets a policy change inputs, and then asks no provider about them.
 *
 * @throws InvalidInputError
 */
function assertNone(remediated: readonly string[], urn: string): void {
  const problems = remediationProblems(remediated);
  if (problems.length > 0) throw new InvalidInputError(titleOf(urn), problems);
}

function remediationProblems(fields: readonly string[]): Problem[] {
  if (fields.length === 0) return [];
  const reason =
    "changed after the check, probably by a policy that remediates. Nothing was posted. Make the change in the program";
  return [{ property: fields.join(", "), reason }];
}

/** The secret inputs, and the outputs that repeat them. */
function secretsOf({ type }: Resource, inputs: ReadonlySet<string> = new Set()): Set<string> {
  return new Set([...inputs, ...lifecycles[type].facts.repeating(inputs)]);
}

/** Limits a call that only reads by `customTimeouts`. @throws TimeoutError when the work takes longer. */
async function within<T>(limitMs: number | undefined, work: Promise<T>): Promise<T> {
  if (limitMs === undefined) return work;
  const late = wait(limitMs, undefined, { ref: false }).then(() => {
    throw new TimeoutError(
      `The service did not respond within ${limitMs / 1000} s, the limit that customTimeouts sets.`,
    );
  });
  return Promise.race([work, late]);
}
