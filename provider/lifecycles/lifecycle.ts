/** The interface of a resource type, independent of the adapters that connect it to the engine. */
import { type NoticeText } from "../texts/printable";
import { type Problem } from "../client";
import { type PublishingContext } from "../publishing/context";
import { type Publishing } from "../publishing/publishing";

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
