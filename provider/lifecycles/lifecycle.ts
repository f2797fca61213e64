/**
 * Defines a resource type: the engine's verbs, independent of the adapters that call them, and what all types share: facts about fields,
 * and the origin of a resource, which the state stores beside its properties.
 */
import { z } from "zod";
import { formatOrigin, type IdValidator, validateId, type Origin, originSchema } from "../api";
import { ConfigurationError, InvalidInputError } from "../client";
import { type Connection } from "../connection";
import { type ProgramInfo, isUnknown, programInput } from "../engine";
import { refineWith, toProblems, string } from "../problems";
import { type Publishing, type PublishingContext } from "../publishing";
import { type NoticeText, formatNotKnown, toPrintable, type Problem } from "../texts";
import { type PreviewFact } from "../wording";

/** A resource type, by the engine's verbs. `check` and `diff` send no request. */
export interface Lifecycle {
  readonly facts: Facts;
  /** True if `apply` only reads, so that a preview can run it. */
  readonly readsOnly: boolean;
  /**
   * Validates only the known values. Returns the inputs to store: trimmed, with defaults, without unknown values.
   *
   * @param old The inputs of the state; empty for a new resource.
   */
  check(
    declared: DeclaredInputs,
    old: Properties,
    context: Context,
  ): { readonly inputs: Properties; readonly problems: readonly Problem[] };
  /** @param isRefresh The result only affects the display, and `read` has emitted the notices. @throws MonitoringError when the change is refused. */
  diff(
    id: string,
    old: Properties,
    declared: DeclaredInputs,
    context: Context,
    isRefresh: boolean,
  ): DiffResult;
  /** Reports what `apply` would do, if it can't run in a preview. @throws MonitoringError when the `up` would fail. */
  preview(
    declared: DeclaredInputs,
    old: ResourceState | undefined,
    context: Context,
  ): Promise<PreviewFact | undefined>;
  /** @throws PartialFailureError when the operation may have taken effect. */
  apply(inputs: Properties, old: ResourceState | undefined, context: Context): Promise<ResourceState>;
  /** @returns `isDrifted`: whether the object isn't as the state has it. */
  read(
    id: string,
    old: Properties,
    context: Context,
  ): Promise<ResourceState & { readonly isDrifted: boolean }>;
  /** @returns `inputs`: what a program has to declare to avoid a diff. @throws MonitoringError when no such object exists. */
  import(id: string, context: Context): Promise<ResourceState & { readonly inputs: Properties }>;
  delete(id: string, old: Properties, context: Context): Promise<void>;
}

/** What the fields of a resource type say of it. */
export interface Facts {
  /** The schemas of its inputs. The schema of the package is made of them. */
  readonly inputs: z.ZodObject;
  readonly fields: ReadonlySet<string>;
  /** Inputs whose values are never shown. */
  readonly secrets: ReadonlySet<string>;
  /** Returns the outputs that repeat these secret inputs, and so are secret, too. */
  getRepeatingOutputs(secretInputs: ReadonlySet<string>): ReadonlySet<string>;
  /** Outputs that the service computes, which are unknown in the preview of a create. */
  readonly computed: readonly string[];
}

export type Properties = Readonly<Record<string, unknown>>;

/** Names the resource of a preview, and what the preview must not show. */
export interface PreviewContext extends Pick<PublishingContext, "resource"> {
  /** What only the program knows. Default: nothing. */
  readonly program?: Partial<ProgramInfo> | undefined;
  /** Inputs that a preview doesn't show, because they may be secrets. Default: all that may ever be. */
  readonly secrets?: ReadonlySet<string>;
  /** Those that it doesn't show of the state. Default: none. */
  readonly oldSecrets?: ReadonlySet<string> | undefined;
}

/** Gives a lifecycle access to the run. When its signal aborts, pending waits reject, and no further request is sent. */
export interface Context extends PublishingContext, PreviewContext {
  readonly publishing: Publishing;
  notice(text: NoticeText): void;
}

/** The inputs that a program declares. In a preview, some values may be unknown. */
export interface DeclaredInputs {
  readonly known: Properties;
  readonly unknown: ReadonlySet<string>;
}

interface DiffResult {
  readonly changes: boolean;
  /** True if an update without a replacement may post. */
  readonly mayPost?: boolean;
  readonly replaces: readonly string[];
}

export interface ResourceState {
  readonly id: string;
  readonly outputs: Properties;
}

/** Fails the run and still records this state, because the operation may have taken effect. */
export class PartialFailureError extends Error {
  readonly state: ResourceState;

  constructor(message: string, state: ResourceState) {
    super(toPrintable(message));
    this.state = state;
  }
}

interface FieldFacts {
  /** True if a change replaces the resource. */
  readonly replaces?: boolean;
  /** True if the value may be a secret. Messages never show it. */
  readonly secret?: boolean;
  readonly repeatedIn?: string;
  /** Default: `Object.is`. */
  readonly same?: (a: unknown, b: unknown) => boolean;
}

export const fieldFacts = z.registry<FieldFacts>();

export type Fields = Readonly<Record<string, z.ZodType>>;

/** An id, normalized to a string because ids of alert channels are numbers. */
export const idSchema = (what: string, problemOf: IdValidator = validateId) =>
  z
    .union([z.string(), z.number()], { error: `must be the ID of ${what}` })
    .superRefine(refineWith(problemOf))
    .transform(String);

/** The id of what a resource is about: a change replaces the resource. */
export const ownIdSchema = (...what: Parameters<typeof idSchema>) =>
  idSchema(...what).register(fieldFacts, { replaces: true });

export const account = string.optional();

/** The dynamic provider stores more beside the properties, and the engine the serialized provider. */
export function omitAdapterProperties({
  __provider,
  [programInput]: stored,
  ...properties
}: Properties): Properties {
  return properties;
}

/** Treats null as absent: the SDK of TypeScript sends null for a secret output of undefined. */
export function toDeclaredInputs(news: Properties): DeclaredInputs {
  const own = Object.entries(omitAdapterProperties(news));
  return {
    known: Object.fromEntries(own.filter(([, value]) => value !== null && !isUnknown(value))),
    unknown: new Set(own.flatMap(([name, value]) => (isUnknown(value) ? name : []))),
  };
}

/** The engine prints the value of the property that a failure names, also of a secret. The reason names it instead. */
export function hideProperty({ property, reason }: Problem): Problem {
  return { property: "", reason: `${property} ${reason}` };
}

export function checkFields(
  fields: Fields,
  { known, unknown }: DeclaredInputs,
): ReturnType<Lifecycle["check"]> {
  const inputs: Record<string, unknown> = {};
  const problems: Problem[] = [...Object.keys(known), ...unknown]
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => ({ property: name, reason: formatNotKnown(name, Object.keys(fields)) }));
  for (const [name, schema] of Object.entries(fields)) {
    if (unknown.has(name)) continue;
    const result = schema.safeParse(known[name]);
    if (!result.success) problems.push(...toProblems(result.error, [name]));
    else if (result.data !== undefined) inputs[name] = result.data;
  }
  return { inputs, problems };
}

/** Compares a declaration with the state. A value that is not known yet counts as changed. */
export function diffFields(fields: Fields, old: Properties, { known, unknown }: DeclaredInputs): DiffResult {
  const changed = Object.keys(fields).filter((name) => {
    const { same = Object.is } = getFieldFacts(fields, name);
    const getValue = (properties: Properties): unknown =>
      properties[name] ?? fields[name]?.safeParse(undefined).data;
    return unknown.has(name) || !same(getValue(old), getValue(known));
  });
  const replaces = changed.filter((name) => getFieldFacts(fields, name).replaces === true);
  return { changes: changed.length > 0, replaces };
}

/** The problems of the declared account and of the settings. The engine shows failures of `check` without a stack. */
export function findConnectionProblems(
  { known, unknown }: DeclaredInputs,
  context: Pick<Context, "connections">,
): readonly Problem[] {
  const { account } = known;
  if (unknown.has("account") || (account !== undefined && typeof account !== "string")) return [];
  try {
    const reason = context.connections.validateAccount(account);
    return [
      ...(reason === undefined ? [] : [{ property: "account", reason }]),
      // Once a response has the key, no read of the object succeeds.
      ...context.connections.findKeyProblems(known),
    ];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems;
  }
}

export function buildFacts(fields: Fields, computed: readonly string[]): Facts {
  const names = Object.keys(fields);
  return {
    computed,
    fields: new Set(names),
    inputs: z.object(fields),
    secrets: new Set(names.filter((name) => getFieldFacts(fields, name).secret)),
    getRepeatingOutputs: (secretInputs) =>
      new Set([...secretInputs].flatMap((name) => getFieldFacts(fields, name).repeatedIn ?? [])),
  };
}

function getFieldFacts(fields: Fields, name: string): FieldFacts {
  const schema = fields[name];
  return (schema && fieldFacts.get(schema)) ?? {};
}

export function getConnection(inputs: Properties, { connections }: Context): Connection {
  return connections.connect(getAccount(inputs));
}

function getAccount({ account }: Properties): string | undefined {
  return typeof account === "string" ? account : undefined;
}

interface StoredResource {
  readonly old: Properties;
  readonly title: string;
  /** Its relation to its origin, such as "it was read from". */
  readonly relation: string;
}

/**
 * The connection to the origin of a resource, also when its account has been renamed.
 *
 * @throws InvalidInputError when there is none: objects of another account or service must not be compared with the state.
 */
export function getStoredConnection(stored: StoredResource, { connections }: Context): Connection {
  const then = findOrigin(stored.old);
  const connection = connections.reconnect(
    getAccount(stored.old),
    (now) => then !== undefined && isSameService(then, now) && then.accountId === now.accountId,
  );
  return assertOrigin(stored, connection);
}

/**
 * The connection for comparing a declaration with the state; undefined while the account is unknown. A refresh passes the declaration of
 * the last `up`, whose account may have been renamed.
 */
export function findComparedConnection(
  declared: DeclaredInputs,
  stored: StoredResource,
  context: Context,
  isRefresh: boolean,
): Connection | undefined {
  if (declared.unknown.has("account")) return undefined;
  if (isRefresh) return getStoredConnection(stored, context);
  return assertOrigin(stored, getConnection(declared.known, context));
}

const storedOrigin = z.object({ origin: originSchema });

function findOrigin(old: Properties): Origin | undefined {
  return storedOrigin.safeParse(old).data?.origin;
}

function isSameService(then: Origin, now: Origin): boolean {
  return then.host === now.host && then.path === now.path;
}

function assertOrigin({ old, title, relation }: StoredResource, connection: Connection): Connection {
  const { origin: now } = connection;
  const then = findOrigin(old);
  if (!then) return connection;
  const otherAccount =
    then.accountId !== undefined && now.accountId !== undefined && then.accountId !== now.accountId;
  if (isSameService(then, now) && !otherAccount) return connection;
  const property = isSameService(then, now) ? "account" : "baseUrl";
  const reason =
    `points to ${formatOrigin(now)}, but ${relation} ${formatOrigin(then)}. Nothing was changed. Restore the previous setting, ` +
    "or remove the resource from the state with `pulumi state delete` and declare it again";
  throw new InvalidInputError(title, [{ property, reason }]);
}
