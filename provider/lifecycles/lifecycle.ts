/** The account and service of a resource, which the state stores beside its properties. */
import { type NoticeText } from "../texts";
import { type PublishingContext, type Publishing } from "../publishing";
import { formatOrigin, type Origin, originSchema } from "../api";
import { type Connection } from "../connection";
import { InvalidInputError, type Problem } from "../client";
import { z } from "zod";

// The interface of a resource type, independent of the adapters that connect it to the engine.

export type Properties = Readonly<Record<string, unknown>>;

/** What a run provides to a lifecycle. Pending waits reject, and no request is sent any more, when its signal aborts. */
export interface Context extends PublishingContext {
  /** The updates that this run publishes. */
  readonly publishing: Publishing;
  /** Whether the engine calls `diff` for a refresh. The result then only affects what the engine displays. */
  readonly afterRefresh?: boolean;
  notice(text: NoticeText): void;
}

/** The inputs that a program declares. In a preview, some values may be unknown. */
export interface DeclaredInputs {
  readonly known: Properties;
  readonly unknown: ReadonlySet<string>;
}

/** The inputs of a preview. */
interface DeclaredInPreview extends DeclaredInputs {
  /** Inputs that a preview doesn't show, because they may be secrets. */
  readonly secrets: ReadonlySet<string>;
}

interface DiffResult {
  readonly changes: boolean;
  /** Changed properties that require a replacement. */
  readonly replaces: readonly string[];
  /** Why the change is refused. */
  readonly failure?: string;
}

/** A resource as the state stores it. */
export interface ResourceState {
  readonly id: string;
  readonly outputs: Properties;
}

/** The result of validating a declaration. */
interface Checked {
  /** The inputs to store: trimmed, with defaults, without unknown values. */
  readonly inputs: Properties;
  readonly problems: readonly Problem[];
}

/** What an `up` would do. */
interface PreviewResult {
  readonly notices: readonly NoticeText[];
  readonly failure?: string | undefined;
}

/** Fails the run. What is remembered is recorded all the same, because the operation may have taken effect. */
export interface Failure {
  readonly failure: string;
  readonly remembered?: ResourceState | undefined;
}

/** An existing object that the user imports. */
interface Imported extends ResourceState {
  /** The inputs that a program has to declare to avoid a diff. */
  readonly inputs: Properties;
}

/** A resource type: the engine's six verbs. `check` and `diff` send no request. */
export interface Lifecycle {
  /** Names of the inputs. */
  readonly fields: ReadonlySet<string>;
  /** Inputs whose values are never shown. */
  readonly secrets: ReadonlySet<string>;
  /** The outputs that repeat these secret inputs, and so are secret too. */
  secretOutputs(secretInputs: ReadonlySet<string>): ReadonlySet<string>;
  /** Outputs that the service computes, which are unknown in the preview of a create. */
  readonly computed: readonly string[];
  /** Whether `create` and `update` only read, so that a preview can run them. */
  readonly readsOnly: boolean;
  /** What a refresh compares with the state to find drift. Default: all outputs. */
  readonly compared?: ((outputs: Properties) => Properties) | undefined;
  /** Validates only the known values. */
  check(declared: DeclaredInputs): Checked;
  /** Follows `check` of a resource that exists: the engine may then replace it without a call of `diff`. */
  noteChange?(oldInputs: Properties, declared: DeclaredInputs, context: Context): void;
  diff(id: string, old: Properties, declared: DeclaredInputs, context: Context): DiffResult;
  /** Of a create, or of an update of this state, where those can't run in a preview. */
  preview(
    declared: DeclaredInPreview,
    old: ResourceState | undefined,
    context: Context,
  ): Promise<PreviewResult>;
  create(inputs: Properties, context: Context): Promise<ResourceState | Failure>;
  read(id: string, old: Properties, context: Context): Promise<ResourceState>;
  /** @throws NotFoundError or another MonitoringError when no such object exists. */
  import(id: string, context: Context): Promise<Imported>;
  update(id: string, old: Properties, inputs: Properties, context: Context): Promise<ResourceState | Failure>;
  delete(id: string, old: Properties, context: Context): Promise<void>;
}

const stored = z.object({ origin: originSchema });

/** The connection to the declared account. */
export function connectionOf({ account }: Properties, { connections }: Context): Connection {
  return connections.connect(typeof account === "string" ? account : undefined);
}

/** The connection to the origin of a resource, also when its account has been renamed. */
export function storedConnection(old: Properties, { connections }: Context): Connection {
  const { account } = old;
  const then = stored.safeParse(old).data?.origin;
  return connections.reconnect(
    typeof account === "string" ? account : undefined,
    (now) => then !== undefined && isSameService(then, now) && then.accountId === now.accountId,
  );
}

/**
 * The connection for comparing a declaration with the state; undefined while the account is unknown. A refresh passes
 * the declaration of the last `up`, whose account may have been renamed.
 */
export function comparedConnection(
  declared: DeclaredInputs,
  old: Properties,
  context: Context,
): Connection | undefined {
  if (declared.unknown.has("account")) return undefined;
  return context.afterRefresh ? storedConnection(old, context) : connectionOf(declared.known, context);
}

function isSameService(then: Origin, now: Origin): boolean {
  return then.host === now.host && then.path === now.path;
}

/**
 * @throws InvalidInputError when the connection points to another account or service than the resource's origin, whose
 * objects must not be compared with the state.
 * @param relation How the resource relates to its origin, such as "it was read from".
 */
export function assertOrigin(
  title: string,
  old: Properties,
  { origin: now }: Connection,
  relation: string,
): void {
  const then = stored.safeParse(old).data?.origin;
  if (!then) return;
  const otherAccount =
    then.accountId !== undefined && now.accountId !== undefined && then.accountId !== now.accountId;
  if (isSameService(then, now) && !otherAccount) return;
  const property = isSameService(then, now) ? "account" : "baseUrl";
  const reason =
    `points to ${formatOrigin(now)}, but ${relation} ${formatOrigin(then)}. Nothing was changed. Restore the previous setting, ` +
    "or remove the resource from the state with `pulumi state delete` and declare it again";
  throw new InvalidInputError(title, [{ property, reason }]);
}
