/** Declares an update on an incident. A program declares each update once, and the engine creates the updates in declaration order. */
import * as pulumi from "@pulumi/pulumi";
import { type IncidentUpdateInputs, type IncidentUpdateOutputs } from "../provider/lifecycles";
import { parseDeclaredContent, type DeclaredContent } from "../provider/lifecycles/timeline";
import { isOfType, parseUrn, type PlaceInTimeline } from "../provider/engine";
import { matches } from "../provider/protocol/identity";
import {
  countDeclaration,
  createDeclarationError,
  findExplicitProvider,
  getPublicContent,
  type OutputArgs,
  pauseStackTraces,
  memoizePerRun,
  type ResourceOutputs,
} from "./program";
import { createRegistration, reportProblem } from "./registration";

/** The arguments of {@link IncidentUpdate}. */
export interface IncidentUpdateArgs extends OutputArgs<IncidentUpdateInputs> {}

/**
 * Publishes an update on a status-page incident, exactly once. If the incident already has an identical update, the resource adopts it,
 * which means that it records that update in the state and posts nothing.
 *
 * A posted update is public immediately and can't be changed by the program. For new information, declare another resource. To correct the text,
 * correct it in the dashboard and declare the public text, or declare the update as an entry of an `IncidentTimeline`. Removing the
 * resource only removes it from the state. To delete the update, use the dashboard.
 *
 * Updates of one incident are posted one at a time. In TypeScript and JavaScript, updates with the same parent are posted in declaration
 * order if `incidentId` is a plain value. In all other cases, set the order with `dependsOn`.
 *
 * The run fails without posting if:
 * - an argument is invalid (the error lists all problems)
 * - the update is declared twice
 * - an argument of a posted update changes, unless the page already shows the new content
 * - the incident doesn't exist, or the stack now uses another account or service
 *
 * If a post receives no response and the update isn't found on the incident, the run fails, and the state records the update as
 * unconfirmed. The next `pulumi up` searches for it before posting anything.
 *
 * @remarks Calls operation `createIncidentUpdate`, operation `getStatusPageIncident` and operation `getIncidentUpdate`; on pages with
 * components, operation `createComponentPageIncidentUpdate`, operation `getComponentPageIncident` and operation
 * `getComponentPageIncidentUpdate`.
 *
 * For an update that is new or unconfirmed, `pulumi up` reads the incident and posts the update unless the incident already has it. A
 * preview also reads the incident. `pulumi refresh` reads each incident once for all its updates. If an incident might not show an update,
 * the update is read by its ID. `pulumi import` and `get` also read an update by its ID.
 */
export class IncidentUpdate extends pulumi.CustomResource {
  /** @internal */
  static readonly isNative: boolean = false;

  /**
   * Reads an existing update without managing it.
   *
   * @param id `<incidentId>/<incidentUpdateId>` or, on pages with components, `<statusPageId>/<incidentId>/<incidentUpdateId>`.
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
    const incident = isManaged ? getIncidentKey(args, options) : undefined;
    // A timeline counts identical entries by itself.
    const isAlone = incident !== undefined && entry === undefined;
    const duplicate = isAlone ? createDuplicateError(name, args, incident) : undefined;
    // A preview reports all errors of a program, so it doesn't throw at the first duplicate.
    if (duplicate !== undefined && !pulumi.runtime.isDryRun()) throw duplicate;
    // A chain contains only updates with the same parent, because a dependency of a component may wait for another component's update.
    const chain = incident && JSON.stringify([incident, options.parent && getProviderNumber(options.parent)]);
    const previous = chain && latest().get(chain);
    const ofChain = pulumi.mergeOptions(options, {
      // The output `published` repeats the description, which may be a secret.
      additionalSecretOutputs: typeof args.description === "string" ? [] : ["published"],
      dependsOn: previous ? [previous] : [],
    });
    const program = isManaged
      ? {
          shown: getPublicContent(args),
          ...entry,
          order: countDeclaration(),
          incidents: listIncidents(args.incidentId),
        }
      : undefined;
    const registration = createRegistration("IncidentUpdate", name, args, ofChain, new.target, program);
    const resumeStacks = pauseStackTraces();
    try {
      super(...registration);
    } finally {
      resumeStacks();
    }
    if (isManaged) reportProblem(this, duplicate?.message);
    if (chain !== undefined) latest().set(chain, this);
  }
}

export interface IncidentUpdate extends ResourceOutputs<IncidentUpdateOutputs> {}

/** Key of the argument that contains the position of an entry in its timeline. Programs can't set it. */
export const placeInTimeline = Symbol("place in the timeline");

interface InTimeline {
  readonly [placeInTimeline]?: {
    readonly place: pulumi.Output<PlaceInTimeline>;
    readonly key: string | undefined;
  };
}

/**
 * Returns a key that identifies the incident and its page. After a migration, an incident may have the same ID on the page with cards and on
 * the page with components, with separate updates. An ID may be an output of an `Incident` or of a page, because all updates of that
 * incident use the same output. The key includes the explicit provider or the account, because each may use another service.
 */
function getIncidentKey(
  { account, incidentId, statusPageId }: Readonly<Record<string, unknown>>,
  options: pulumi.CustomResourceOptions,
): string | undefined {
  const toKey = (id: unknown) => (pulumi.Output.isInstance(id) ? getProviderNumber(id) : id);
  const [incident, page] = [toKey(incidentId), toKey(statusPageId ?? undefined)];
  if (!["string", "number"].includes(typeof incident)) return undefined;
  if (![account, page].every((value) => value === undefined || ["string", "number"].includes(typeof value)))
    return undefined;
  const provider = findExplicitProvider(options);
  return JSON.stringify([provider === undefined ? account : getProviderNumber(provider), page, incident]);
}

/** Returns the URNs of the incidents that the ID depends on, because a preview doesn't know the outputs of an incident that it opens. */
function listIncidents(incidentId: unknown): pulumi.Output<string[]> | undefined {
  if (!pulumi.Output.isInstance(incidentId) || !pulumi.runtime.isDryRun()) return undefined;
  const list: unknown = Reflect.get(incidentId, "allResources");
  const listing: unknown = typeof list === "function" ? Reflect.apply(list, incidentId, []) : [];
  // A set would be copied as a plain object.
  const reading = Promise.resolve(listing).then((resources) => () => resources);
  return pulumi
    .output(reading)
    .apply((getResources) => pulumi.all(listUrns(getResources())))
    .apply((urns) => urns.filter((urn) => isOfType(parseUrn(urn).type, "Incident")));
}

function listUrns(resources: unknown): pulumi.Output<string>[] {
  const all = resources instanceof Set ? [...resources] : [];
  return all.filter((each) => pulumi.Resource.isInstance(each)).map(({ urn }) => urn);
}

const numbers = memoizePerRun(() => new Map<object, number>());

function getProviderNumber(provider: object): number {
  const number = numbers().get(provider) ?? numbers().size;
  numbers().set(provider, number);
  return number;
}

/**
 * Returns the error for a second declaration of the same update, because it would adopt the update of the first declaration. The provider
 * rejects duplicates whose values aren't known while the program runs.
 */
function createDuplicateError(
  name: string,
  args: { readonly [Name in keyof DeclaredContent]?: unknown },
  incident: string,
): Error | undefined {
  const content = parseDeclaredContent(args);
  if (!content) return undefined;
  const earlier = declarations().get(incident) ?? [];
  const duplicate = earlier.find((update) => matches(content, update.content));
  if (duplicate === undefined) {
    declarations().set(incident, [...earlier, { name, content }]);
    return undefined;
  }
  return createDeclarationError(
    "IncidentUpdate",
    name,
    `"${duplicate.name}" declares an identical update on the same incident. To post the same text again, declare both updates as entries of an IncidentTimeline.`,
  );
}

/** The updates that this run has declared outside timelines, by incident. */
const declarations = memoizePerRun(() => new Map<string, { name: string; content: DeclaredContent }[]>());

/**
 * The last update that this run declared in each chain. The engine requests all creates whose dependencies are met, in any order, and
 * can't cancel a request. Therefore each update depends on the previous update. This keeps the declaration order and, after Ctrl-C, no
 * further create is requested.
 */
const latest = memoizePerRun(() => new Map<string, pulumi.Resource>());
