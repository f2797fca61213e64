import * as pulumi from "@pulumi/pulumi";
import type { UpdateStatus } from "../../provider/api/enums";
import { warnOfSettings } from "../program/stackSettings";
import { afterGates } from "../program/gates";
import { registrationOf } from "../program/registration";
import { wellFormedArgs } from "../program/wellFormed";
import { pauseStacks } from "../program/debugStacks";
import { assertUpdateImportable } from "./importRefusal";
import { chainOf, declaredIncident, latest } from "./declarationOrder";
import { assertNoDuplicate } from "./duplicateUpdates";

/** The arguments of {@link IncidentUpdate} (operation `createIncidentUpdate`). */
export interface IncidentUpdateArgs {
  /** Id of the status-page incident. A change posts a new update. */
  incidentId: pulumi.Input<string>;
  /** Status that the update announces. A change posts a new update. */
  status: pulumi.Input<UpdateStatus>;
  /**
   * Public text. Surrounding white space is trimmed. A change posts a new update; a change of only white space, HTML
   * entities or Unicode is recorded, and posts nothing.
   */
  description: pulumi.Input<string>;
  /** Whether to email all subscribers when the update is posted. Default: false. */
  notifySubscribers?: pulumi.Input<boolean>;
  /** Public date, as an ISO 8601 date-time. Default: the time of the post. A change posts a new update. */
  publicIncidentUpdateDate?: pulumi.Input<string>;
  /** 1-based index among identical updates of the incident. Default: 1. */
  occurrence?: pulumi.Input<number>;
  /** Whether changed content is posted as a new update or rejected. Default: `post`. */
  onChange?: pulumi.Input<"post" | "refuse">;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: pulumi.Input<string>;
  /**
   * The keys of the later entries of the same timeline.
   *
   * @internal
   */
  followedBy?: pulumi.Input<string[]>;
  /**
   * The key of the entry before this one.
   *
   * @internal
   */
  follows?: pulumi.Input<string>;
  /**
   * The key of this entry of the timeline.
   *
   * @internal
   */
  entry?: pulumi.Input<string>;
}

/** An update as the service shows it. */
export interface PublishedIncidentUpdate {
  /** Status that it announces. */
  status?: string;
  /** Public text. */
  description: string;
  /** Public date. */
  publicIncidentUpdateDate?: string | null;
  /** Whether subscribers were notified. */
  notifySubscribers?: boolean | null;
}

/**
 * Publishes an update of a status-page incident (operation `createIncidentUpdate` and operation `getStatusPageIncident`).
 * The update is posted exactly once, or an identical update that exists is adopted. A posted update is public immediately and
 * can't be deleted: removing the resource only removes it from the state, and changed content is posted as a new update. Updates
 * of one incident are posted one at a time: in TypeScript and JavaScript in declaration order, elsewhere as `dependsOn` says.
 *
 * @throws InvalidInputError for invalid arguments, with all problems; for an update that is declared twice; for an `occurrence`
 * without the earlier ones; for changed content with `onChange: "refuse"`; for a stack that now points to another account or
 * service.
 * @throws NotFoundError when the account has no such incident. Nothing is posted.
 * @throws OutcomeUnknownError when the result of the post is unknown and the update isn't found in the incident. The state
 * records the update, and the next `pulumi up` searches for it before it posts anything.
 */
export class IncidentUpdate extends pulumi.CustomResource {
  /** @internal */
  static readonly isNative: boolean = false;

  /** Id of the status-page incident. */
  declare readonly incidentId: pulumi.Output<string>;
  /** Status that the update announces, as declared. */
  declare readonly status: pulumi.Output<UpdateStatus>;
  /** Public text, as declared. */
  declare readonly description: pulumi.Output<string>;
  /** Whether to email all subscribers, as declared. */
  declare readonly notifySubscribers: pulumi.Output<boolean>;
  /** Public date, as declared. */
  declare readonly publicIncidentUpdateDate: pulumi.Output<string | undefined>;
  /** 1-based index among identical updates of the incident. */
  declare readonly occurrence: pulumi.Output<number>;
  /** Whether changed content is posted as a new update or rejected. */
  declare readonly onChange: pulumi.Output<"post" | "refuse">;
  /** Name of the account in `monitoring:accounts`. */
  declare readonly account: pulumi.Output<string | undefined>;
  /** Identifier of the update, assigned by the service. */
  declare readonly incidentUpdateId: pulumi.Output<string>;
  /** Creation time, as recorded by the service; null or undefined when the service doesn't return it. */
  declare readonly createdAt: pulumi.Output<string | null | undefined>;
  /**
   * The update as the service showed it at the last refresh, with manual edits. A Pulumi secret when `description` is an
   * output.
   */
  declare readonly published: pulumi.Output<PublishedIncidentUpdate>;
  /** Whether the update or its incident was deleted, as the last refresh found. The update isn't posted again. */
  declare readonly missing: pulumi.Output<boolean>;

  /**
   * Reads an existing update, without managing it.
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
    const { token, outputs, inputs, aliases } = registrationOf("IncidentUpdate", new.target);
    assertUpdateImportable(name, options, new.target);
    const isManaged = options.id === undefined;
    const incident = isManaged ? declaredIncident(args, options) : undefined;
    // The engine tells the native plugin which resource it calls for, and whether it previews.
    const unsaid =
      isManaged && !new.target.isNative
        ? {
            __resource: qualifiedName(name, options.parent),
            ...(pulumi.runtime.isDryRun() && { __preview: shownIn(args) }),
          }
        : {};
    if (incident !== undefined) assertNoDuplicate(name, args, incident);
    const chain = incident === undefined ? undefined : chainOf(incident, options.parent);
    const previous = chain && latest().get(chain);
    const resumeStacks = pauseStacks();
    try {
      super(
        token,
        name,
        { ...outputs, ...wellFormedArgs(args), ...inputs, ...unsaid },
        pulumi.mergeOptions(afterGates(options), {
          aliases,
          // `published` repeats the description, which may be a secret.
          additionalSecretOutputs: typeof args.description === "string" ? [] : ["published"],
          dependsOn: previous ? [previous] : [],
        }),
      );
    } finally {
      resumeStacks();
    }
    if (chain !== undefined) latest().set(chain, this);
  }
}

/** What a preview may show: not a secret. The engine doesn't tell a dynamic provider which values are secrets. */
function shownIn({ description }: Partial<IncidentUpdateArgs>): pulumi.Output<object> {
  const text = pulumi.output(description);
  const shown = pulumi.isSecret(text).then((isSecret) => (isSecret ? {} : { description: text }));
  return pulumi.output(shown);
}

/** Unique in the stack, as the engine's URN, which isn't known yet: a name is unique among those with equal parent types. */
function qualifiedName(name: string, parent: pulumi.Resource | undefined): string {
  const types = ancestorsOf(parent).map((ancestor) => String(Reflect.get(ancestor, "__pulumiType")));
  return [...types.reverse(), name].join("$");
}

function ancestorsOf(resource: pulumi.Resource | undefined): pulumi.Resource[] {
  if (!resource) return [];
  const parent: unknown = Reflect.get(resource, "__parentResource");
  return [resource, ...ancestorsOf(pulumi.Resource.isInstance(parent) ? parent : undefined)];
}
