/** What the engine asks of one kind of resource, without the ways of the engine: those are in `dynamic/`. */
import { type Problem } from "../client";
import { type Connections } from "../connection";

export type Properties = Readonly<Record<string, unknown>>;

/** What a lifecycle may use of the context. */
export interface Context {
  readonly connections: Connections;
  /** Tells the user something that is no error. */
  notice(text: string): void;
  /** Rejects when the engine that asked for this work is gone: then nobody would remember a write. */
  assertEngineAlive(): Promise<void>;
  /** Aborts when the run is cancelled, with a {@link MonitoringError}. Waits end at once, and nothing more is sent. */
  readonly signal?: AbortSignal | undefined;
  /** The longest time that the user allows for a create or update, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Whether the engine asks `diff` about what a refresh read: nothing follows from the answer but what is shown. */
  readonly afterRefresh?: boolean;
}

/** What a program declares. In a preview some of it may not be known yet. */
export interface Declared {
  readonly known: Properties;
  readonly unknown: ReadonlySet<string>;
}

interface Difference {
  readonly changes: boolean;
  /** Properties whose change makes it another object. */
  readonly replaces: readonly string[];
}

/** An object as the stack remembers it. */
export interface ResourceState {
  readonly id: string;
  readonly outputs: Properties;
}

/** What is right and wrong about a declaration. */
interface Checked {
  /** As it is to be kept: trimmed, with defaults, without what isn't known yet. */
  readonly inputs: Properties;
  readonly problems: readonly Problem[];
  /** What creating it does to the context, to be told before it is done. */
  readonly announcement?: string;
}

/** An object that the user takes over into the stack. */
interface Imported extends ResourceState {
  /** What a program has to declare so that nothing changes. */
  readonly inputs: Properties;
}

/** One kind of resource: the six verbs of the engine. `check` and `diff` never make a request. */
export interface Lifecycle {
  /** Names of what a program may declare. */
  readonly fields: ReadonlySet<string>;
  /** Properties whose values are never shown. */
  readonly secrets: ReadonlySet<string>;
  /** The outputs that are computed from these inputs, and as secret as they are. */
  secretOutputs(secretInputs: ReadonlySet<string>): ReadonlySet<string>;
  /** Outputs that only the service knows, and that a preview of a create can't tell. */
  readonly computed: readonly string[];
  /** Whether create and update only read, so that a preview can run them. */
  readonly readsOnly: boolean;
  /** Only what is known is looked at. */
  check(declared: Declared): Checked;
  diff(id: string, old: Properties, declared: Declared, context: Context): Difference;
  /** @throws PartialFailureError when it may have been created: the stack then remembers it, and the run fails. */
  create(inputs: Properties, context: Context): Promise<ResourceState>;
  read(id: string, old: Properties, context: Context): Promise<ResourceState>;
  /** @throws NotFoundError or another MonitoringError when there is no such object. */
  import(id: string, context: Context): Promise<Imported>;
  /** @throws PartialFailureError when it may have been changed. */
  update(id: string, old: Properties, inputs: Properties, context: Context): Promise<Properties>;
  delete(id: string, old: Properties, context: Context): Promise<void>;
}

/** The run fails, and yet the stack is to remember this much, because something may have been done. */
export class PartialFailureError extends Error {
  readonly remembered: ResourceState;

  constructor(message: string, remembered: ResourceState) {
    super(message);
    this.remembered = remembered;
  }
}
