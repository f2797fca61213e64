import * as pulumi from "@pulumi/pulumi";
import type { UpdateStatus } from "../../provider/api/enums";
import { matches } from "../../provider/lifecycles/updateContent";
import { baseUrlOf, warnOfSettings } from "../stackConnections";
import { afterGates } from "../gates";
import { registrationOf } from "../registration";
import { perRun } from "../run";
import { wellFormedArgs } from "../wellFormed";
import { type DeclaredContent, declaredContent } from "./declaredContent";
import { declarationError } from "./declarationError";

/** What a program declares of an update (section 4.1 of the service's API). */
export interface IncidentUpdateArgs {
  /** Id of the status-page incident whose history the update stands in. Changing it posts a new update. */
  incidentId: pulumi.Input<string>;
  /** State that the update announces. Changing it posts a new update. */
  status: pulumi.Input<UpdateStatus>;
  /** Text that the public reads; white space around it is trimmed. Changing it posts a new update. */
  description: pulumi.Input<string>;
  /** Whether to mail every subscriber when the update is posted. Default: false. */
  notifySubscribers?: pulumi.Input<boolean>;
  /** Date that the public sees, as an ISO 8601 date-time. Default: when it is posted. Changing it posts a new update. */
  publicIncidentUpdateDate?: pulumi.Input<string>;
  /** 1-based index among identical updates of the incident. Default: 1. */
  occurrence?: pulumi.Input<number>;
  /** Whether changed words are posted as a new update, or refused. Default: `post`. */
  onChange?: pulumi.Input<"post" | "refuse">;
  /** What to do about an update that was sent, received no response and isn't found in the incident. Default: `fail`. */
  onUnconfirmed?: pulumi.Input<"fail" | "resend">;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: pulumi.Input<string>;
  /**
   * What marks the later entries of the timeline that this is an entry of.
   *
   * @internal
   */
  followedBy?: pulumi.Input<string[]>;
}

/** An update as the service shows it. */
export interface PublishedIncidentUpdate {
  /** State that it announces. */
  status?: string;
  /** Text that the public reads. */
  description: string;
  /** Date that the public sees. */
  publicIncidentUpdateDate?: string | null;
  /** Whether subscribers were notified. */
  notifySubscribers?: boolean | null;
}

/**
 * Declares that an update stands in the history of a status-page incident. It is posted once, or adopted when it
 * already stands there, and never again. It is public at once and can't be taken back: removing the resource
 * forgets it, and changed words are a new update. Updates of one incident are posted in the order in which they are
 * declared, each after the one before it.
 *
 * @throws InvalidInputError for arguments that can't be right, all mistakes at once; for words that are declared twice;
 * for an `occurrence` that can't be counted; for changed words under `onChange: "refuse"`; for a stack that is pointed
 * at another account or service.
 * @throws NotFoundError when the account has no such incident. Nothing is posted.
 * @throws OutcomeUnknownError when no response was received and the update isn't found in the incident. It may stand
 * there: the stack remembers it, and the next `pulumi up` settles it before anything else is posted.
 */
export class IncidentUpdate extends pulumi.CustomResource {
  /** @internal */
  static readonly isNative: boolean = false;

  /** Id of the status-page incident. */
  declare readonly incidentId: pulumi.Output<string>;
  /** State that the update announces, as declared. */
  declare readonly status: pulumi.Output<UpdateStatus>;
  /** Text of the update, as declared. */
  declare readonly description: pulumi.Output<string>;
  /** Whether subscribers were to be mailed, as declared. */
  declare readonly notifySubscribers: pulumi.Output<boolean>;
  /** Date that the public was to see, as declared. */
  declare readonly publicIncidentUpdateDate: pulumi.Output<string | undefined>;
  /** 1-based index among identical updates of the incident. */
  declare readonly occurrence: pulumi.Output<number>;
  /** Whether changed words are posted as a new update, or refused. */
  declare readonly onChange: pulumi.Output<"post" | "refuse">;
  /** What to do about an update that was sent, received no response and isn't found in the incident. */
  declare readonly onUnconfirmed: pulumi.Output<"fail" | "resend">;
  /** Name of the account in `monitoring:accounts`. */
  declare readonly account: pulumi.Output<string | undefined>;
  /** Identifier of the update, made by the service. */
  declare readonly incidentUpdateId: pulumi.Output<string>;
  /** When the service recorded the update; null or missing where it doesn't show that. */
  declare readonly createdAt: pulumi.Output<string | null | undefined>;
  /**
   * The update as the service shows it since the last refresh; it may have been edited there by hand. It is a Pulumi
   * secret when `description` was given as an output, which may hold one.
   */
  declare readonly published: pulumi.Output<PublishedIncidentUpdate>;
  /** Whether the update, or its incident, is gone from the service. It is not posted again. */
  declare readonly missing: pulumi.Output<boolean>;

  /**
   * An update that stands on the service already, whoever posted it. The stack only reads it.
   *
   * @param id `<incidentId>/<incidentUpdateId>`.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: Pick<IncidentUpdateArgs, "account"> = {},
    options: pulumi.CustomResourceOptions = {},
  ): IncidentUpdate {
    return new this(name, state, { ...options, id });
  }

  constructor(name: string, args: IncidentUpdateArgs, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: Partial<IncidentUpdateArgs>, options: pulumi.CustomResourceOptions);
  constructor(
    name: string,
    given: Partial<IncidentUpdateArgs> = {},
    options: pulumi.CustomResourceOptions = {},
  ) {
    // A program in JavaScript may pass null.
    const args = { ...given };
    warnOfSettings();
    const { token, inputs, aliases } = registrationOf("IncidentUpdate", new.target);
    if (options.import !== undefined && !new.target.isNative) {
      throw declarationError(
        "IncidentUpdate",
        name,
        "can't be imported by the dynamic provider. Declare an identical update to adopt it, or import it with the " +
          'class from "pulumi-monitoring-service/native".',
      );
    }
    const place = options.id === undefined ? placeOf(args, options) : undefined;
    if (place !== undefined) refuseDuplicates(name, args, place);
    super(
      token,
      name,
      { ...everyOutput, ...wellFormedArgs(args), ...inputs },
      pulumi.mergeOptions(afterGates(options), {
        aliases,
        // What is published repeats the description, which may be a secret.
        additionalSecretOutputs: typeof args.description === "string" ? [] : ["published"],
        dependsOn: place === undefined ? [] : latestOn(place, options),
      }),
    );
    if (place !== undefined) latest().set(place, { update: this, waitsFor: options.dependsOn });
  }
}

/** Pulumi gives a program only those outputs whose names it was told of. */
const everyOutput = {
  incidentId: undefined,
  status: undefined,
  description: undefined,
  notifySubscribers: undefined,
  publicIncidentUpdateDate: undefined,
  occurrence: undefined,
  onChange: undefined,
  onUnconfirmed: undefined,
  account: undefined,
  incidentUpdateId: undefined,
  createdAt: undefined,
  published: undefined,
  missing: undefined,
} satisfies Record<Exclude<keyof IncidentUpdate, keyof pulumi.CustomResource>, undefined>;

/** The incident, when the program knows it. An explicit provider may lead to another service. */
function placeOf(
  { account, incidentId }: Partial<IncidentUpdateArgs>,
  options: pulumi.CustomResourceOptions,
): string | undefined {
  if (typeof incidentId !== "string" || (account !== undefined && typeof account !== "string"))
    return undefined;
  const provider = providerOf(options);
  return JSON.stringify([provider === undefined ? baseUrlOf(account) : numberOf(provider), incidentId]);
}

/** The provider that the program chose for the resource, or for what it is part of. */
function providerOf({ provider, parent }: pulumi.CustomResourceOptions): object | undefined {
  if (provider !== undefined) return provider;
  const inherited: unknown = parent && Reflect.get(parent, "__providers");
  const found: unknown =
    typeof inherited === "object" && inherited !== null ? Reflect.get(inherited, "monitoring") : undefined;
  return typeof found === "object" && found !== null ? found : undefined;
}

const numbers = perRun(() => new Map<object, number>());

function numberOf(provider: object): number {
  const number = numbers().get(provider) ?? numbers().size;
  numbers().set(provider, number);
  return number;
}

/** The update that this run declared last on each incident. */
const latest = perRun(() => new Map<string, Latest>());

interface Latest {
  readonly update: IncidentUpdate;
  readonly waitsFor: pulumi.CustomResourceOptions["dependsOn"];
}

/**
 * What an update on this incident waits for. The engine requests every create whose dependencies are met, in no order,
 * and can't take a request back: chained, they are posted as declared, and after Ctrl-C no further one is requested.
 */
function latestOn(place: string, { parent }: pulumi.CustomResourceOptions): IncidentUpdate[] {
  const before = latest().get(place);
  if (!before) return [];
  // What waits for a component waits for its children: a child that waited for that would never come to its turn.
  const { waitsFor = [] } = before;
  if (parent && !isPlainList(waitsFor)) return [];
  const waited = new Set<unknown>([waitsFor].flat());
  return ancestorsOf(parent).some((ancestor) => waited.has(ancestor)) ? [] : [before.update];
}

function isPlainList(resources: unknown): boolean {
  return [resources].flat().every((resource) => pulumi.Resource.isInstance(resource));
}

function ancestorsOf(resource: pulumi.Resource | undefined): pulumi.Resource[] {
  if (!resource) return [];
  const parent: unknown = Reflect.get(resource, "__parentResource");
  return [resource, ...ancestorsOf(pulumi.Resource.isInstance(parent) ? parent : undefined)];
}

interface Declared {
  readonly name: string;
  readonly words: DeclaredContent;
}

/** What was declared in this run, by where it is to stand. */
const declared = perRun(() => new Map<string, Declared[]>());

/** The later would adopt what the earlier posts; where the values are known only later, the provider refuses. */
function refuseDuplicates(name: string, args: Partial<IncidentUpdateArgs>, place: string): void {
  const { occurrence = 1 } = args;
  const words = declaredContent(args);
  if (!words || typeof occurrence !== "number") return;
  const key = `${place} ${occurrence}`;
  const earlier = declared().get(key) ?? [];
  const twin = earlier.find((one) => matches(words, one.words));
  if (twin !== undefined) {
    throw declarationError(
      "IncidentUpdate",
      name,
      `"${twin.name}" declares an identical update on the same incident. To post it twice, set occurrence: 2 and dependsOn on this one.`,
    );
  }
  declared().set(key, [...earlier, { name, words }]);
}
