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
  isUnknown,
  plainObject,
  type ResourceType,
  titleOf,
  unknownValue,
} from "../engine";
import {
  type Context,
  declaredIn,
  type Lifecycle,
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
import { nameOf, terminalText, updateTitle } from "../wording";

/** What the engine asks, as plain data. The adapters convert their messages to it, and the {@link Answer} back, and know no rule. */
export interface Call {
  readonly verb: "check" | "diff" | "create" | "read" | "update" | "delete" | "import";
  /** True to say what a `create` or an `update` would do. What only reads is read, if it is known. */
  readonly isPreview?: boolean;
  readonly type: ResourceType;
  /** Empty where a dynamic provider isn't told it: what a program only reads, and a state that the native plugin wrote. */
  readonly urn: string;
  /** Empty for what has none yet. */
  readonly id?: string;
  /** The inputs of the state for a `check`, and its outputs otherwise. Missing for what is new. */
  readonly olds?: Properties;
  /** The inputs, in which the engine marks what isn't known yet. */
  readonly news?: Properties;
  /** Names of the new values that are secrets. Default: what the last `check` of the resource was told, and else all that may be. */
  readonly secrets?: ReadonlySet<string> | undefined;
  readonly oldSecrets?: ReadonlySet<string> | undefined;
  /** What only the program knows: of a `check`, whose answer every later verb depends on. */
  readonly program?: Partial<FromProgram> | undefined;
  /** True if the other adapter wrote the state, so that it must be written again. */
  readonly moves?: boolean;
  /** The user's limit of the operation, in milliseconds. */
  readonly limitMs?: number | undefined;
}

/** An answer has what its verb is asked for, or a failure. */
export interface Answer {
  readonly id?: string;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
  /** Names of the outputs that are secrets. */
  readonly secrets?: ReadonlySet<string>;
  readonly changes?: boolean;
  readonly replaces?: string[];
  /** What is wrong with the inputs. The reasons name the properties. */
  readonly problems?: Problem[];
  /** What a program that collects the problems of a preview is told instead of a failure. */
  readonly problem?: string;
  readonly failure?: Failure;
}

export interface Failure {
  /** A message for the user. */
  readonly text: string;
  /** What the state records all the same, because the operation may have taken effect. */
  readonly keeps?: ResourceState;
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
interface LastCheck extends Pick<Context, "secrets" | "program"> {
  /** The inputs that it returned. */
  readonly inputs: Properties;
  readonly oldSecrets: ReadonlySet<string> | undefined;
  /** The fields that a policy had changed when `diff` followed. */
  readonly remediated: readonly string[];
  /** What is wrong with the inputs, if the program collects the problems of a preview. */
  readonly problem: string | undefined;
}

interface Read extends ResourceState {
  readonly urn: string;
  readonly isDrifted: boolean;
}

interface Asked extends Required<Pick<Call, "id" | "news">> {
  readonly call: Call;
  readonly lifecycle: Lifecycle;
  readonly context: Context;
  /** What an earlier run left; undefined for what is new. */
  readonly old: Properties | undefined;
  readonly last: LastCheck | undefined;
}

export class Run {
  readonly #engine: Engine;
  readonly #publishing = new Publishing();
  /** By URN. */
  readonly #checks = new Map<string, LastCheck>();
  /** Reads of a refresh that no `diff` has followed yet. */
  readonly #reads: Read[] = [];

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Never rejects: a failure is an answer, too. */
  async handle(call: Call): Promise<Answer> {
    const { readsOnly } = lifecycles[call.type];
    try {
      const working = this.#answer(call);
      // A write limits its own time, and records what may have been posted.
      return await (readsOnly ? within(call.limitMs, working) : working);
    } catch (error) {
      const text = messageOf(error);
      const { program } = this.#checks.get(call.urn) ?? {};
      if (call.isPreview && program?.collects && isMonitoringError(error)) return { problem: text };
      recordError(text);
      if (!(error instanceof PartialFailureError)) return { failure: { text } };
      // The state of a partial failure may contain the old outputs.
      const secrets = new Set([...secretsOf(call, call.secrets), ...secretsOf(call, call.oldSecrets)]);
      return { failure: { text, keeps: error.state }, secrets };
    }
  }

  /** True if the program said so to the last `check`: the engine doesn't tell it to a dynamic provider. */
  isPreviewed(urn: string): boolean {
    return this.#checks.get(urn)?.program?.previews === true;
  }

  /** Gives components and functions access to the run. */
  contextOf(urn: string, more: Pick<Context, "secrets" | "program" | "timeoutMs"> = {}): Context {
    const engine = this.#engine;
    return {
      get connections() {
        return engine.connections;
      },
      publishing: this.#publishing,
      engine: engine.address,
      resource: urn,
      title: updateTitle(urn, entryOf(more.program)),
      ...more,
      notice: (text) => engine.notice(text, urn),
      warn: (text) => engine.warn(text, urn),
      assertEngineAlive: () => engine.assertAlive(),
      ...(engine.signal && { signal: engine.signal }),
    };
  }

  async #answer(call: Call): Promise<Answer> {
    const { urn, verb, id = "", news = {}, olds, isPreview } = call;
    const last = this.#checks.get(urn);
    // A check begins anew, and the verbs after it go on with what it was told.
    const { secrets, program } = verb === "check" || !last ? call : { ...last, ...call };
    const context = this.contextOf(urn, { secrets, program, timeoutMs: call.limitMs });
    const old = olds && ownProperties(olds);
    const asked: Asked = { call, lifecycle: lifecycles[call.type], context, id, news, old, last };
    switch (verb) {
      case "check":
        return this.#check(asked);
      case "diff":
        return this.#diff(asked);
      case "create":
      case "update":
        if (isPreview && last?.problem !== undefined) return { problem: last.problem };
        return isPreview && !canRead(call) ? this.#preview(asked) : this.#apply(asked);
      case "read":
        return this.#read(asked);
      case "import":
        return asked.lifecycle.import(id, context);
      case "delete":
        await asked.lifecycle.delete(id, old ?? {}, context);
        return {};
    }
  }

  #check({ call, lifecycle, context, news, old = {}, last }: Asked): Answer {
    const declared = declaredIn(news);
    const isNew = Object.keys(old).length === 0;
    // The engine checks a replacement a second time, without the old inputs and without what a policy changed.
    const dropped = isNew && last ? remediationProblems(last.remediated) : [];
    const { inputs, problems: found } = lifecycle.check(declared, old, context);
    const problems = [...found, ...dropped].map(withoutValue);
    const unknown = Object.entries(news).filter(([name]) => declared.unknown.has(name));
    const checked = { ...plainObject(inputs), ...Object.fromEntries(unknown) };
    const isCollected = problems.length > 0 && context.program?.collects === true;
    const title = call.type === "IncidentUpdate" ? context.title : titleOf(call.urn);
    const problem = isCollected ? `${title}: ${listed(problems)}.` : undefined;
    this.#checks.set(call.urn, {
      inputs: checked,
      program: context.program,
      secrets: context.secrets,
      remediated: [],
      problem,
      oldSecrets: isNew ? last?.oldSecrets : (call.oldSecrets ?? new Set()),
    });
    // The SDK records what it collects.
    if (problem === undefined) for (const { reason } of problems) recordError(reason, "problem");
    return problem === undefined ? { inputs: checked, problems } : { inputs: checked, problem };
  }

  #diff({ call, lifecycle, context, id, news, old = {}, last }: Asked): Answer {
    // A preview of what is wrong says why, and does nothing else.
    if (last?.problem !== undefined) return { changes: true, replaces: [] };
    const read = this.#readBefore(call.urn, id, old);
    const remediated = remediatedIn(lifecycle, last, news);
    if (last) this.#checks.set(call.urn, { ...last, remediated });
    const diff = lifecycle.diff(id, old, declaredOf(news, last), context, read !== undefined);
    if (diff.mayPost) assertNone(remediated, call.urn);
    const changes = diff.changes || call.moves === true || read?.isDrifted === true;
    return { changes, replaces: [...diff.replaces] };
  }

  /**
   * The read of a refresh that this `diff` follows, if any. The engine displays the drift that it found only if `diff` reports a
   * change, and an `up` doesn't revert drift. No `diff` follows what a program only reads (`get`), whose outputs differ from
   * those of a managed resource.
   */
  #readBefore(urn: string, id: string, old: Properties) {
    const isBefore = (read: Read) =>
      read.id === id && (read.urn === "" || read.urn === urn) && isDeepStrictEqual(read.outputs, old);
    const index = this.#reads.findIndex(isBefore);
    return index < 0 ? undefined : this.#reads.splice(index, 1)[0];
  }

  async #preview({ call, lifecycle, context, id, news, old, last }: Asked): Promise<Answer> {
    if (!old) assertNone(remediatedIn(lifecycle, last, news), call.urn);
    const state = old && { id, outputs: old };
    const fact = await lifecycle.preview(declaredOf(news, last), state, context);
    // `monitoring preview` prints it itself.
    if (fact && !appendFact(fact)) {
      if (fact.unread) context.warn(fact.unread);
      for (const warning of fact.warnings) context.warn(`${context.title}: ${warning}.`);
      for (const text of terminalText(fact, Date.now())) context.notice(text);
    }
    const computed = old ? [] : lifecycle.facts.computed;
    const unknown = Object.fromEntries(computed.map((name) => [name, unknownValue]));
    return { outputs: { ...unknown, ...old, ...news }, secrets: secretsOf(call, call.secrets) };
  }

  /** @throws Error before `check`: without what it remembers, an entry of a timeline could be posted after a later one. */
  async #apply({ call, lifecycle, context, id, news, old, last }: Asked): Promise<Answer> {
    if (!last && !lifecycle.readsOnly)
      throw new Error("create or update was called before check. Nothing was posted");
    const isNew = call.verb === "create";
    if (isNew) assertNone(remediatedIn(lifecycle, last, news), call.urn);
    const state = isNew ? undefined : { id, outputs: old ?? {} };
    const { known } = declaredOf(news, last);
    const applied = await lifecycle.apply(known, state, context);
    return {
      id: applied.id,
      outputs: plainObject(applied.outputs),
      secrets: secretsOf(call, call.secrets),
    };
  }

  async #read({ call, lifecycle, context, id, old = {} }: Asked): Promise<Answer> {
    const { isDrifted, ...read } = await lifecycle.read(id, old, context);
    const outputs = plainObject(read.outputs);
    // A copy: Pulumi's server of dynamic providers adds the serialized provider to what `read` returns.
    this.#reads.push({ urn: call.urn, id: read.id, outputs: { ...outputs }, isDrifted });
    return { id: read.id, outputs, secrets: secretsOf(call, call.oldSecrets) };
  }
}

export function messageOf(error: unknown): string {
  if (isMonitoringError(error) || error instanceof PartialFailureError) return error.message;
  const what = error instanceof Error ? `${error.name}: ${error.message}` : "an unknown failure";
  return `Internal error in pulumi-monitoring-service; please report it: ${what}`;
}

const listed = (problems: readonly Problem[]): string => problems.map(({ reason }) => reason).join("; ");

/** Whether a preview can do what an `up` does: it reads, and knows what. */
const canRead = ({ type, news }: Call): boolean => lifecycles[type].readsOnly && !isUnknown(news);

function entryOf(program: Context["program"]) {
  const { place } = program ?? {};
  return place && place !== "later" ? { entry: place.index + 1, of: place.keys.length } : undefined;
}

function declaredOf(news: Properties, last: LastCheck | undefined) {
  const { oldSecrets } = last ?? {};
  return { ...declaredIn(news), ...(oldSecrets && { oldSecrets }) };
}

/** The fields that changed since the last check. An observed resource posts nothing. */
function remediatedIn(
  { facts, readsOnly }: Lifecycle,
  last: LastCheck | undefined,
  news: Properties,
): string[] {
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
  if (problems.length > 0) throw new InvalidInputError(`IncidentUpdate ${nameOf(urn)}`, problems);
}

function remediationProblems(fields: readonly string[]): Problem[] {
  if (fields.length === 0) return [];
  const reason =
    "changed after the check, probably by a policy that remediates. Nothing was posted. Make the change in the program";
  return [{ property: fields.join(", "), reason }];
}

/** The secret inputs, and the outputs that repeat them. */
function secretsOf({ type }: Call, inputs: ReadonlySet<string> = new Set()): Set<string> {
  return new Set([...inputs, ...lifecycles[type].facts.repeating(inputs)]);
}

/** Limits a call that only reads by `customTimeouts`. @throws TimeoutError when the work takes longer. */
async function within<T>(limitMs: number | undefined, work: Promise<T>): Promise<T> {
  if (limitMs === undefined) return work;
  const timer = new AbortController();
  const late = wait(limitMs, undefined, { signal: timer.signal }).then(() => {
    throw new TimeoutError(
      `The service did not respond within ${limitMs / 1000} s, the limit that customTimeouts sets.`,
    );
  });
  return Promise.race([work, late]).finally(() => timer.abort());
}
