/** Declares an update of an incident. A program declares each update once, and the engine creates them in declaration order. */
import * as pulumi from "@pulumi/pulumi";
import { type IncidentUpdateInputs, type IncidentUpdateOutputs } from "../provider/lifecycles";
import { declaredContent, type DeclaredContent } from "../provider/lifecycles/timeline";
import { type PlaceInTimeline } from "../provider/engine";
import { matches } from "../provider/protocol/identity";
import {
  declarationError,
  explicitProviderOf,
  type OutputArgs,
  pauseStacks,
  perRun,
  type ResourceOutputs,
} from "./program";
import { registrationOf, reportProblemOf } from "./registration";

/** The arguments of {@link IncidentUpdate} (operation `createIncidentUpdate` or operation `createComponentPageIncidentUpdate`). */
export interface IncidentUpdateArgs extends OutputArgs<IncidentUpdateInputs> {}

/**
 * Publishes an update of a status-page incident (operation `createIncidentUpdate`, operation `getStatusPageIncident` and operation
 * `getIncidentUpdate`; on a page with components, operation `createComponentPageIncidentUpdate`, operation `getComponentPageIncident`,
 * operation `getComponentPageIncidentUpdate` and operation `editComponentPageIncidentUpdate`).
 * The update is posted exactly once, or an identical update that exists is adopted. A posted update is public immediately:
 * removing the resource only removes it from the state; delete it in the dashboard. Changed content is refused, unless `onChange` says
 * otherwise. Updates of one incident are posted one at a time: in TypeScript and JavaScript those of one parent in
 * declaration order, if `incidentId` is plain; others as `dependsOn` says.
 *
 * The run fails, and nothing is posted, for invalid arguments, with all problems; for an update that is declared twice; for an
 * `occurrence` without the earlier ones; for changed content that `onChange` refuses; for an edit of an update that was
 * deleted or changed on the service; for a stack that now points to another account or service; and when the account has no
 * such incident. It also fails when the result of the post is unknown and the update isn't found in the incident. The state
 * records that update, and the next `pulumi up` searches for it before it posts anything.
 */
export class IncidentUpdate extends pulumi.CustomResource {
  /** @internal */
  static readonly isNative: boolean = false;

  /**
   * Reads an existing update, without managing it.
   *
   * @param id `<incidentId>/<incidentUpdateId>` or, on a page with components, `<statusPageId>/<incidentId>/<incidentUpdateId>`.
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
  constructor(
    name: string,
    args: Partial<IncidentUpdateArgs> & InTimeline,
    options: pulumi.CustomResourceOptions,
  );
  constructor(
    name: string,
    declaration: Partial<IncidentUpdateArgs> & InTimeline = {},
    options: pulumi.CustomResourceOptions = {},
  ) {
    // A program in JavaScript may pass null.
    const { [placeInTimeline]: entry, ...args } = { ...declaration };
    const isManaged = options.id === undefined;
    const incident = isManaged ? declaredIncident(args, options) : undefined;
    const duplicate = incident === undefined ? undefined : duplicateProblem(name, args, incident);
    // A preview names all mistakes of a program.
    if (duplicate !== undefined && !pulumi.runtime.isDryRun()) throw duplicate;
    // A chain has one parent, because a dependency of a component may wait for an update of another one.
    const chain = incident && JSON.stringify([incident, options.parent && numberOf(options.parent)]);
    const previous = chain && latest().get(chain);
    const ofChain = pulumi.mergeOptions(options, {
      // `published` repeats the description, which may be a secret.
      additionalSecretOutputs: typeof args.description === "string" ? [] : ["published"],
      dependsOn: previous ? [previous] : [],
    });
    const program = isManaged && {
      shown: publicContent(args),
      ...entry,
      order: pulumi.runtime.isDryRun() ? (placeInProgram().last += 1) : undefined,
    };
    const registration = registrationOf(
      "IncidentUpdate",
      name,
      args,
      ofChain,
      new.target,
      program || undefined,
    );
    const resumeStacks = pauseStacks();
    try {
      super(...registration);
    } finally {
      resumeStacks();
    }
    if (isManaged) reportProblemOf(this, duplicate?.message);
    if (chain !== undefined) latest().set(chain, this);
  }
}

export interface IncidentUpdate extends ResourceOutputs<IncidentUpdateOutputs> {}

/** The key of the argument by which a timeline says where an entry stands. No program has it. */
export const placeInTimeline = Symbol("place in the timeline");

interface InTimeline {
  readonly [placeInTimeline]?: {
    readonly place: pulumi.Output<PlaceInTimeline>;
    readonly key: string | undefined;
  };
}

/**
 * Returns a key of the incident; undefined while its id is an output other than that of an incident, which all its updates take. An explicit
 * provider or account may use another service.
 */
function declaredIncident(
  { account, incidentId }: { readonly account?: unknown; readonly incidentId?: unknown },
  options: pulumi.CustomResourceOptions,
): string | undefined {
  const incident = pulumi.Output.isInstance(incidentId) ? numberOf(incidentId) : incidentId;
  if (!["string", "number"].includes(typeof incident)) return undefined;
  if (account !== undefined && typeof account !== "string") return undefined;
  const provider = explicitProviderOf(options);
  return JSON.stringify([provider === undefined ? account : numberOf(provider), incident]);
}

const placeInProgram = perRun(() => ({ last: 0 }));

const numbers = perRun(() => new Map<object, number>());

function numberOf(provider: object): number {
  const number = numbers().get(provider) ?? numbers().size;
  numbers().set(provider, number);
  return number;
}

/**
 * Says what is wrong with a second declaration of an update, which would adopt the update of the first. The provider rejects
 * duplicates whose values are unknown here.
 */
function duplicateProblem(
  name: string,
  args: { readonly [Name in keyof DeclaredContent | "occurrence"]?: unknown },
  incident: string,
): Error | undefined {
  const { occurrence = 1 } = args;
  const content = declaredContent(args);
  if (!content || typeof occurrence !== "number") return undefined;
  const key = `${incident} ${occurrence}`;
  const earlier = declarations().get(key) ?? [];
  const duplicate = earlier.find((update) => matches(content, update.content));
  if (duplicate === undefined) {
    declarations().set(key, [...earlier, { name, content }]);
    return undefined;
  }
  return declarationError(
    "IncidentUpdate",
    name,
    `"${duplicate.name}" declares an identical update on the same incident. To post it again, set \`occurrence: ${occurrence + 1}\` and \`dependsOn\` on "${duplicate.name}".`,
  );
}

/** The declarations of this run, by incident and occurrence. */
const declarations = perRun(() => new Map<string, { name: string; content: DeclaredContent }[]>());

/**
 * The last update that this run declared in each chain. The engine requests all creates whose dependencies are met, in any
 * order, and can't cancel a request: each update depends on the one before it, which keeps the declaration order, and after
 * Ctrl-C no further create is requested.
 */
const latest = perRun(() => new Map<string, pulumi.Resource>());

/** Returns the values that messages may show: the engine doesn't tell a dynamic provider which values are secrets. */
function publicContent({ description }: Partial<IncidentUpdateArgs>): pulumi.Output<object> {
  const text = pulumi.output(description);
  const content = pulumi.isSecret(text).then((isSecret) => (isSecret ? {} : { description: text }));
  return pulumi.output(content);
}
