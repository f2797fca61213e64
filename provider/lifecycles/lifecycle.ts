/**
 * Defines a resource type as the engine's verbs, independent of the adapters that call them. Also defines what all types share: facts about
 * fields, and the origin of a resource, which the state stores next to its properties.
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

/** A resource type, defined by the engine's verbs. `check` sends no request, and `diff` only reads what it would otherwise reject. */
export interface Lifecycle {
  readonly facts: Facts;
  /** True if `apply` only reads, so that a preview can run it. */
  readonly readsOnly: boolean;
  /**
   * Validates only the known values. Returns the inputs to store: trimmed, with defaults, without unknown values.
   *
   * @param old The inputs in the state. Empty for a new resource.
   */
  check(
    declared: DeclaredInputs,
    old: Properties,
    context: Context,
  ): { readonly inputs: Properties; readonly problems: readonly Problem[] };
  /**
   * @param isRefresh True if only the display depends on the result; `read` has emitted the notices. @throws MonitoringError if the change
   * is rejected.
   */
  diff(
    id: string,
    old: Properties,
    declared: DeclaredInputs,
    context: Context,
    isRefresh: boolean,
  ): DiffResult | Promise<DiffResult>;
  /** @param old The inputs in the state. @throws MonitoringError in a preview if the change of a public object is rejected. */
  checkChange?(declared: DeclaredInputs, old: Properties, context: Context): Promise<void>;
  /** Reports the expected result of `apply`, if it can't run in a preview. @throws MonitoringError if `pulumi up` would fail. */
  preview(
    declared: DeclaredInputs,
    old: ResourceState | undefined,
    context: Context,
  ): Promise<PreviewFact | undefined>;
  /**
   * Checks and reports a declaration whose provider isn't known in a preview. Undefined for a resource that only observes.
   *
   * @param inputs The inputs in a plan, in which secrets are marked.
   */
  createFactWithoutProvider?(urn: string, inputs: Properties): PreviewFact;
  /** @throws PartialFailureError if the operation failed and may have taken effect. */
  apply(inputs: Properties, old: ResourceState | undefined, context: Context): Promise<ResourceState>;
  /** @returns `isDrifted`: true if the object differs from the state. */
  read(
    id: string,
    old: Properties,
    context: Context,
  ): Promise<ResourceState & { readonly isDrifted: boolean }>;
  /** @returns `inputs`: the declaration that results in no diff. @throws MonitoringError if the object doesn't exist. */
  import(id: string, context: Context): Promise<ResourceState & { readonly inputs: Properties }>;
  delete(id: string, old: Properties, context: Context): Promise<void>;
}

/** Facts about a resource type, derived from its fields. */
export interface Facts {
  /** The schemas of the inputs. The schema of the package is generated from them. */
  readonly inputs: z.ZodObject;
  readonly fields: ReadonlySet<string>;
  /** Inputs whose values are never shown. */
  readonly secrets: ReadonlySet<string>;
  /** Returns the outputs that repeat these secret inputs, and are therefore also secret. */
  getRepeatingOutputs(secretInputs: ReadonlySet<string>): ReadonlySet<string>;
  /** Outputs that the service computes, which are unknown in the preview of a create. */
  readonly computed: readonly string[];
}

export type Properties = Readonly<Record<string, unknown>>;

/** The resource of a preview, and the values that the preview must not show. */
export interface PreviewContext extends Pick<PublishingContext, "resource"> {
  /** The information that only the program has. Default: none. */
  readonly program?: Partial<ProgramInfo> | undefined;
  /** Inputs that a preview doesn't show, because they may be secrets. Default: all inputs that can be secrets. */
  readonly secrets?: ReadonlySet<string>;
  /** Inputs in the state that a preview doesn't show. Default: none. */
  readonly oldSecrets?: ReadonlySet<string> | undefined;
}

/** Gives a lifecycle access to the run. When the signal aborts, pending waits reject, and no further request is sent. */
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

/** Fails the run but records this state, because the operation may have taken effect. */
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

/** The schema of an ID, normalized to a string, because IDs of alert channels are numbers. */
export const idSchema = (what: string, problemOf: IdValidator = validateId) =>
  z
    .union([z.string(), z.number()], { error: `must be the ID of ${what}` })
    .superRefine(refineWith(problemOf))
    .transform(String);

/** The schema of the ID of the object that a resource represents. A change replaces the resource. */
export const ownIdSchema = (...what: Parameters<typeof idSchema>) =>
  idSchema(...what).register(fieldFacts, { replaces: true });

export const account = string.optional();

/** Omits the properties that the dynamic provider adds, and the serialized provider, which the engine adds. */
export function omitAdapterProperties({
  __provider,
  [programInput]: stored,
  ...properties
}: Properties): Properties {
  return properties;
}

/**
 * Splits the inputs into known and unknown ones. Treats null as absent, because the TypeScript SDK sends null for a secret output of
 * undefined.
 */
export function toDeclaredInputs(news: Properties): DeclaredInputs {
  const own = Object.entries(omitAdapterProperties(news));
  return {
    known: Object.fromEntries(own.filter(([, value]) => value !== null && !isUnknown(value))),
    unknown: new Set(own.flatMap(([name, value]) => (isUnknown(value) ? name : []))),
  };
}

/** Moves the property into the reason, because the engine prints the value of the property that a failure names, even if it is secret. */
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
    if (!result.success) problems.push(...toProblems(result.error, [name], undefined, known));
    else if (result.data !== undefined) inputs[name] = result.data;
  }
  return { inputs, problems };
}

/** Compares a declaration with the state. An unknown value is treated as changed. */
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

/** Returns the problems of the declared account and of the settings. Failures of `check` are shown without a stack trace. */
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
      // Reject a text that contains the API key, because reads fail if a response contains the key.
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
 * Returns the connection to the origin of a resource, even if its account has been renamed.
 *
 * @throws InvalidInputError if there is none, because objects of another account or service must not be compared with the state.
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
 * Returns the connection for comparing a declaration with the state. Undefined while the account is unknown. In a refresh, the declaration
 * is from the last `up`, and its account may have been renamed.
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
