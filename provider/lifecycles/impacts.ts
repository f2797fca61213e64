/**
 * Keeps the impacts of an open incident as the program declares them. The protocol doesn't know them: they describe the present and email
 * nobody, and a request that writes them can be repeated.
 */
import { z } from "zod";
import { type Component, type NewComponentImpact } from "../api";
import { InvalidInputError, isMonitoringError, MonitoringError } from "../client";
import { addPageHint, type Connection, type Entry, toEntry } from "../connection";
import { formatTitle } from "../engine";
import { getCodeStart } from "../protocol";
import { formatSuggestion, toOneLine, type Problem, sameText } from "../texts";
import { formatComponentState, type ImpactChange } from "../wording";
import { type Context, PartialFailureError, type Properties, type ResourceState } from "./lifecycle";

type Impacts = readonly NewComponentImpact[];

/** The effect of an incident on a component, which the program names or identifies. */
interface DeclaredImpact extends Pick<NewComponentImpact, "status"> {
  readonly component?: string | undefined;
  readonly componentId?: string | undefined;
}

const key = z.string();

const storedWrites = z.object({
  /** The {@link computeImpactsKey} of the impacts that the resource last wrote, or that it found as declared. */
  written: key,
  /** The impacts before that, which reads may still return for two minutes. */
  replaced: key.optional(),
  /** The impacts of a request whose result is unknown. */
  pending: key.optional(),
  /** The time of the last request, in milliseconds since 1970. */
  at: z.number().default(0),
});

/** What a resource has written, as its state stores it. */
export type ImpactWrites = Readonly<z.output<typeof storedWrites>>;

/** Lists the components that aren't operational, in one order. */
export function computeImpactsKey(impacts: Impacts): string {
  const lasting = impacts.filter(({ status }) => status !== "OPERATIONAL");
  return lasting
    .map(({ componentId, status }) => `${componentId}=${status}`)
    .sort()
    .join(" ");
}

/**
 * Decides what to do about the declared impacts. `settled`: the page shows them. `over`: the incident is resolved, so nothing is written.
 * `conflict`: somebody else chose the impacts on the page, or a state that this version doesn't know and would overwrite.
 *
 * @param writes Undefined if the resource has adopted the incident.
 * @param now In milliseconds since 1970.
 */
export function decideImpacts(
  declared: Impacts,
  {
    isResolved,
    componentImpacts = [],
    unknownImpacts,
  }: Pick<Entry, "isResolved" | "componentImpacts" | "unknownImpacts">,
  writes: ImpactWrites | undefined,
  now: number,
): "settled" | "over" | "write" | "conflict" {
  if (isResolved) return "over";
  if (unknownImpacts) return "conflict";
  const [wanted, shown] = [computeImpactsKey(declared), computeImpactsKey(componentImpacts)];
  const mayBeStale = writes !== undefined && now < getCodeStart(writes.at);
  // Shortly after a request with other impacts, a read that shows the declared ones may be from before it.
  const isCertain = !mayBeStale || (writes.pending ?? writes.written) === wanted;
  if (shown === wanted) return isCertain ? "settled" : "write";
  const own = [writes?.written, writes?.pending, ...(mayBeStale ? [writes.replaced] : [])];
  return own.includes(shown) ? "write" : "conflict";
}

/** Reads what the resource has written from its outputs. Undefined if that isn't known. */
export function readImpactWrites({ impactWrites }: Properties): ImpactWrites | undefined {
  return storedWrites.safeParse(impactWrites).data;
}

/** Returns true if `pulumi up` must compare the impacts, although their declaration hasn't changed. */
export function needsComparison(old: Properties): boolean {
  const writes = readImpactWrites(old);
  const shown = publishedImpacts.safeParse(old["published"]).data?.componentImpacts;
  const isDrifted = shown && computeImpactsKey(shown) !== writes?.written;
  return writes === undefined || writes.pending !== undefined || isDrifted === true;
}

const publishedImpacts = z.object({
  componentImpacts: z.array(z.custom<NewComponentImpact>()).optional(),
});

/** The declared impacts, and the incident as the page shows it. */
interface Comparison {
  readonly declared: Impacts;
  readonly shown: Entry;
  readonly writes: ImpactWrites | undefined;
  readonly statusPageId: string;
  readonly connection: Connection;
  readonly context: Pick<Context, "title">;
}

/** Returns the changes that `pulumi up` makes on the page. @throws MonitoringError if somebody else chose the impacts on the page. */
export async function previewImpacts(comparison: Comparison): Promise<ImpactChange[]> {
  const { declared, shown, writes } = comparison;
  const decision = decideImpacts(declared, shown, writes, Date.now());
  if (decision === "conflict") throw await createConflictError(comparison);
  return decision === "write" ? listChanges(comparison) : [];
}

/**
 * Makes the page show the declared impacts.
 *
 * @param state The state of the resource, for a request whose result is unknown.
 * @returns What was written, and the impacts that the page shows after that.
 * @throws MonitoringError if somebody else chose the impacts on the page. @throws PartialFailureError if the result is unknown.
 */
export async function writeImpacts(
  comparison: Comparison & { readonly context: Context },
  state: ResourceState,
): Promise<{ readonly impactWrites: ImpactWrites; readonly componentImpacts: Impacts | undefined }> {
  const { declared, shown, statusPageId, context } = comparison;
  const written = computeImpactsKey(declared);
  const { writes = { written, at: 0 } } = comparison;
  switch (decideImpacts(declared, shown, comparison.writes, Date.now())) {
    case "over":
      if (writes.written !== written)
        context.notice(
          `${context.label(`${statusPageId}/${shown.id}`)}: only the state changes (impacts), because the incident is resolved.`,
        );
      return { impactWrites: writes, componentImpacts: undefined };
    case "settled":
      return { impactWrites: { written, at: 0 }, componentImpacts: declared };
    case "conflict":
      throw await createConflictError(comparison);
    case "write":
      return { impactWrites: await sendImpacts(comparison, state), componentImpacts: declared };
  }
}

/** Sends the declared impacts with the name that the page shows, because each request replaces both. */
async function sendImpacts(
  { declared, shown, writes, statusPageId, connection, context }: Parameters<typeof writeImpacts>[0],
  { id, outputs }: ResourceState,
): Promise<ImpactWrites> {
  const written = computeImpactsKey(declared);
  const replaced = computeImpactsKey(shown.componentImpacts ?? []);
  const at = Date.now();
  const failUnknown = (text: string): never => {
    const impactWrites = { written: replaced, ...writes, pending: written, at };
    throw new PartialFailureError(
      `${context.title}: ${text} Run \`pulumi up\` again: it compares the impacts and repeats the request if necessary. No email is sent.`,
      { id, outputs: { ...outputs, impactWrites } },
    );
  };
  const beforeSend = async (): Promise<void> => {
    await context.assertEngineAlive();
    context.signal?.throwIfAborted();
  };
  const incident = { name: shown.name, componentImpacts: [...declared] };
  const edited = await connection.client
    .editComponentPageIncident(statusPageId, shown.id, incident, { beforeSend })
    .catch((error: unknown) => {
      if (isMonitoringError(error) && error.applied === "unknown") return failUnknown(error.message);
      throw error;
    })
    .finally(() => connection.forgetIncident(shown.id));
  const { componentImpacts: stored = declared } = toEntry(edited);
  if (computeImpactsKey(stored) !== written)
    failUnknown("The service responded to the edit of the impacts with different impacts.");
  return { written, replaced, at };
}

/** Returns the components whose state on the page differs from the declaration. */
async function listChanges({
  declared,
  shown,
  statusPageId,
  connection,
}: Comparison): Promise<ImpactChange[]> {
  const names = await readComponentNames(connection, statusPageId);
  const states = (impacts: Impacts) => new Map(impacts.map((each) => [each.componentId, each.status]));
  const [before, after] = [states(shown.componentImpacts ?? []), states(declared)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [was, becomes] = [before.get(id) ?? "OPERATIONAL", after.get(id) ?? "OPERATIONAL"];
    return was === becomes ? [] : { component: names.get(id) ?? id, was, becomes };
  });
}

async function createConflictError(comparison: Comparison): Promise<MonitoringError> {
  const { shown, context } = comparison;
  if (shown.unknownImpacts)
    return new MonitoringError(
      `${context.title}: incident ${shown.id} has impacts with states that this version doesn't know, on the components ` +
        `${shown.unknownImpacts.join(", ")}. A change of \`impacts\` would overwrite them. Nothing was edited. Update ` +
        "pulumi-monitoring-service, or restore `impacts` and change the impacts in the dashboard.",
    );
  const changes = await listChanges(comparison);
  const states = changes.map(
    ({ component, was, becomes }) =>
      `${toOneLine(component)} shows ${formatComponentState(was)}, but ${formatComponentState(becomes)} is declared`,
  );
  return new MonitoringError(
    `${context.title}: the page shows impacts of incident ${shown.id} that this resource didn't write: ` +
      `${states.join("; ")}. Nothing was edited. Declare the impacts that the page shows, and run \`pulumi up\`. To replace them, then ` +
      "declare yours.",
  );
}

/** Returns the names of a page's components by their IDs. Empty if they can't be read. */
export async function readComponentNames({ reads }: Connection, statusPageId: string) {
  const components = await reads.getComponents(statusPageId).catch((error: unknown) => {
    if (isMonitoringError(error)) return [];
    throw error;
  });
  return new Map(components.map(({ id, name }) => [id, name]));
}

/** Finds the components that a declaration names. @throws InvalidInputError if a name or an ID doesn't match exactly one component. */
export async function findImpacts(
  impacts: readonly DeclaredImpact[],
  statusPageId: string,
  { client, reads }: Connection,
  resource: string,
): Promise<Impacts> {
  if (impacts.length === 0) return [];
  const components = await addPageHint(client, statusPageId, reads.getComponents(statusPageId));
  const found = impacts.map((impact) => findComponents(impact, components));
  const problems = found.flatMap((matching, index): Problem[] => {
    const { component: name } = impacts[index] ?? {};
    const property = `impacts[${index}].${name === undefined ? "componentId" : "component"}`;
    const reason = findImpactProblem(impacts[index] ?? {}, matching, components, statusPageId);
    if (reason !== undefined) return [{ property, reason }];
    const isRepeated = found.findIndex((each) => each.length === 1 && each[0] === matching[0]) < index;
    const twice = { property: `impacts[${index}]`, reason: "must not name a component twice" };
    return isRepeated ? [twice] : [];
  });
  if (problems.length > 0) throw new InvalidInputError(formatTitle(resource), problems);
  return impacts.map(({ status }, index) => ({ componentId: found[index]?.[0]?.id ?? "", status }));
}

const findComponents = (
  { component: name, componentId }: DeclaredImpact,
  components: readonly Component[],
): Component[] =>
  components.filter((each) => (name === undefined ? each.id === componentId : sameText(each.name, name)));

/** Returns the reason why an impact doesn't name exactly one component, if it doesn't. */
function findImpactProblem(
  { component: name, componentId }: Partial<DeclaredImpact>,
  matching: readonly Component[],
  components: readonly Component[],
  statusPageId: string,
): string | undefined {
  const [only] = matching;
  if (!only) {
    const known = components.map((each) => toOneLine(name === undefined ? each.id : each.name));
    const listed = components
      .filter(({ type }) => type !== "GROUP")
      .map((each) => (name === undefined ? `${each.id} (${toOneLine(each.name)})` : toOneLine(each.name)));
    const hint =
      formatSuggestion(name ?? componentId ?? "", known) || `; its components are ${listed.join(", ")}`;
    return `isn't a component of the status page ${statusPageId}${hint}`;
  }
  if (matching.length > 1) {
    const ids = matching.map((each) => each.id).join(", ");
    return `is the name of ${matching.length} components. Set componentId (${ids})`;
  }
  return only.type === "GROUP" ? "is a group. Name its components" : undefined;
}
