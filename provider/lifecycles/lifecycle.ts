/** The interface of a resource type, independent of the adapters that connect it to the engine. */
import { printable } from "../api/printable";
import { isMonitoringError, type Problem } from "../client";
import { type Connections } from "../connection";

export type Properties = Readonly<Record<string, unknown>>;

/** What a run provides to a lifecycle. */
export interface Context {
  readonly connections: Connections;
  /** Identifies the resource within the run; undefined when it isn't known. */
  readonly resource?: string | undefined;
  /** Shows the user an informational message. */
  notice(text: string): void;
  /** Rejects when the engine that requested this work has exited, because no state would record a write. */
  assertEngineAlive(): Promise<void>;
  /** Aborts with a {@link MonitoringError} when the run is cancelled. Pending waits reject, and no request is sent any more. */
  readonly signal?: AbortSignal | undefined;
  /** The user's time limit for a create or update, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Whether the engine calls `diff` for a refresh. The result then only affects what the engine displays. */
  readonly afterRefresh?: boolean;
}

/** The inputs that a program declares. In a preview, some values may be unknown. */
export interface Declared {
  readonly known: Properties;
  readonly unknown: ReadonlySet<string>;
}

interface Difference {
  readonly changes: boolean;
  /** Changed properties that require a replacement. */
  readonly replaces: readonly string[];
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
  /** A notice for the preview: the public effect of creating the resource. */
  readonly announcement?: string;
}

/** An existing object that the user imports. */
interface Imported extends ResourceState {
  /** The inputs that a program has to declare to avoid a diff. */
  readonly inputs: Properties;
}

/** A resource type: the engine's six verbs. `check` and `diff` never send a request. */
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
  /** Validates only the known values. */
  check(declared: Declared): Checked;
  /** Follows `check` of a resource that exists: the engine may then replace it without a call of `diff`. */
  noteChange?(oldInputs: Properties, declared: Declared, context: Context): void;
  diff(id: string, old: Properties, declared: Declared, context: Context): Difference;
  /** @throws PartialFailureError when the object may have been created: the state then records it, and the run fails. */
  create(inputs: Properties, context: Context): Promise<ResourceState>;
  read(id: string, old: Properties, context: Context): Promise<ResourceState>;
  /** @throws NotFoundError or another MonitoringError when no such object exists. */
  import(id: string, context: Context): Promise<Imported>;
  /** @throws PartialFailureError when the object may have been changed. */
  update(id: string, old: Properties, inputs: Properties, context: Context): Promise<Properties>;
  delete(id: string, old: Properties, context: Context): Promise<void>;
}

/** Fails the run and still records this state, because the operation may have taken effect. */
export class PartialFailureError extends Error {
  readonly remembered: ResourceState;

  constructor(message: string, remembered: ResourceState) {
    super(printable(message));
    this.remembered = remembered;
  }
}

/** The message for the user. */
export function messageOf(error: unknown): string {
  if (isMonitoringError(error) || error instanceof PartialFailureError) return error.message;
  const what = error instanceof Error ? `${error.name}: ${error.message}` : "an unknown failure";
  return `Internal error in pulumi-monitoring-service; please report it: ${what}`;
}
