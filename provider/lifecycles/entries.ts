/**
 * Implements the engine's verbs for what is posted once: an update of an incident, and an incident of a status page. Both are entries of a
 * container. The fields of a resource type say how its entries are declared and recorded; the rest is the same.
 */
import { isDeepStrictEqual } from "node:util";
import { InvalidInputError, MonitoringError } from "../client";
import { type Connection } from "../connection";
import { toPlainObject, formatTitle } from "../engine";
import { findDoubts } from "../proofreading";
import {
  type Comparison,
  type Declaration,
  predict,
  type Prediction,
  isKept,
  toKeptRecord,
  type Notice,
  type PostedUpdate,
  type UpdateRecord,
} from "../protocol";
import { type Problem, sameText, toVisibleText } from "../texts";
import {
  formatResourceName,
  formatNotice,
  type PreviewFact,
  createPreviewFact,
  formatRefusal,
  type PreviewSubject,
} from "../wording";
import {
  diffFields,
  findComparedConnection,
  getConnection,
  findConnectionProblems,
  type Context,
  type DeclaredInputs,
  buildFacts,
  type Fields,
  type Lifecycle,
  PartialFailureError,
  type PreviewContext,
  type Properties,
  type ResourceState,
} from "./lifecycle";

/** How entries of a resource type are declared and recorded. */
export interface EntryKind {
  readonly fields: Fields;
  /** Names of the outputs that aren't inputs. */
  readonly computed: readonly string[];
  check(
    declared: DeclaredInputs,
    old: Properties,
    context: Context,
  ): { inputs: Properties; problems: readonly Problem[] };
  /** The declaration of valid inputs. */
  toDeclaration(inputs: Properties, context: PreviewContext): Declaration;
  /** The same for the values that are known. */
  toKnown(declared: DeclaredInputs, context: PreviewContext): Partial<Declaration>;
  /** Names a property of the resource as the protocol does, and a field of the protocol as a program does. */
  toField(property: string): string;
  toProperty(field: string): string;
  /** Whether the location of the container has changed, and not the container. */
  hasMoved(before: Properties, after: Properties): boolean;
  /** Undefined for what a program only reads. */
  recordedIn(id: string, old: Properties): UpdateRecord | undefined;
  idOf(recorded: UpdateRecord, inputs: Properties): string;
  outputsOf(recorded: UpdateRecord, inputs: Properties, connection: Connection): Properties;
  /** Names the entry in messages. */
  nameInState(id: string, old: Properties): string;
  storedAt(id: string, old: Properties): Parameters<typeof findComparedConnection>[1];
  /** Completes a declaration for which something is sent. @throws InvalidInputError for what only the service shows to be wrong. */
  complete(
    declared: Declaration,
    inputs: Properties,
    connection: Connection,
    context: PreviewContext,
  ): Promise<Declaration>;
  /** What a preview shows of the container. */
  describe(
    container: PreviewSubject["incident"],
    declared: Declaration,
    inputs: Properties,
    connection: Connection,
  ): Promise<Pick<PreviewSubject, "statusPageId" | "impacts">>;
  /** The entry as the service shows it; undefined if it shows none. */
  readShown(
    recorded: PostedUpdate,
    inputs: Properties,
    connection: Connection,
  ): Promise<Parameters<typeof toKeptRecord>[2]>;
  /** Rejects a change that the engine permits. */
  assertEditable?(old: Properties, context: Context): void;
  assertLater?(
    properties: Properties,
    declared: Declaration,
    connection: Connection,
    context: Context,
  ): Promise<void>;
  read(id: string, old: Properties, context: Context): Promise<ResourceState>;
}

/** Creates the verbs that both resource types share. */
export function createEntryLifecycle(kind: EntryKind): Omit<Lifecycle, "delete" | "import"> {
  return {
    facts: buildFacts(kind.fields, kind.computed),
    readsOnly: false,

    check(declared, old, context) {
      const checked = kind.check(declared, old, context);
      const problems = [...checked.problems, ...findConnectionProblems(declared, context)];
      if (problems.length === 0 && Object.keys(old).length > 0 && !declared.unknown.has("account")) {
        // The engine may replace what exists without calling `diff`.
        const was = {
          kind: "inputs",
          declared: kind.toKnown({ known: old, unknown: new Set() }, { ...context, program: undefined }),
        } as const;
        const known = { ...declared, known: checked.inputs };
        const comparison = buildComparison(kind, was, old, known, context);
        context.publishing.diff(getConnection(checked.inputs, context), comparison);
      }
      return { inputs: checked.inputs, problems };
    },

    diff(id, old, declared, context, isRefresh) {
      const recorded = kind.recordedIn(id, old);
      const { changes } = diffFields(kind.fields, old, declared);
      if (!recorded) return { changes, replaces: [] };
      const connection = findComparedConnection(declared, kind.storedAt(id, old), context, isRefresh);
      const known = isRefresh
        ? recorded
        : context.publishing.withOwnNotes(recorded, old, connection, context);
      const comparison = buildComparison(kind, known, old, declared, context);
      const { difference, newer } = context.publishing.diff(isRefresh ? undefined : connection, comparison);
      // Keys keep the entries apart, so that nothing is posted or edited.
      if (newer !== undefined)
        context.warn(
          `${context.title}: stands after ${formatResourceName(newer)}, which the page shows as the newer one. The page keeps its order.`,
        );
      switch (difference.kind) {
        case "same":
          return {
            changes: changes || (recorded.kind === "posted" && isOnlyRespelled(recorded, declared.known)),
            replaces: [],
          };
        case "move":
          return { changes: true, replaces: [] };
        case "edit":
          if (!isRefresh) kind.assertEditable?.(old, context);
          return { changes: true, mayPost: true, replaces: [] };
        case "settle":
          // A refresh clears the engine's own mark of an unfinished create. A change makes the engine call `update`.
          return { changes: true, mayPost: true, replaces: [] };
        case "replace":
          return { changes, replaces: difference.fields.map((field) => kind.toProperty(field)) };
        case "refuse": {
          const { refusal } = difference;
          const { followedBy = context.program?.place === "later" ? [] : undefined } = comparison.declared;
          // The name of an entry with a key says more than an id: it may be that of a file.
          const isNamed = refusal.kind !== "changed" || context.program?.key !== undefined;
          const stored = isNamed ? undefined : kind.nameInState(id, old);
          const { statusPageId, ...inputs } = { ...comparison.declared, followedBy };
          throw new MonitoringError(
            formatRefusal(refusal, inputs, { title: context.title, stored, statusPageId }),
          );
        }
      }
    },

    async preview(declared, old, context) {
      const stored = old && kind.recordedIn(old.id, old.outputs);
      const subject = buildSubject(kind, declared, context, stored);
      const { unknown, known: inputs } = declared;
      if (unknown.size > 0 || context.program?.place === "later") {
        const fields = new Set([...unknown].map((property) => kind.toField(property)));
        return toPreviewFact(
          subject,
          predict({ declared: subject.declared, recorded: stored, unknown: fields }),
        );
      }
      const content = kind.toDeclaration(inputs, context);
      const connection = getConnection(inputs, context);
      const recorded = stored && context.publishing.withOwnNotes(stored, old.outputs, connection, context);
      const isMoved = old !== undefined && kind.hasMoved(old.outputs, inputs);
      if (recorded && isKept(recorded, content, isMoved)) {
        await verifyKeptEntry(kind, recorded, content, inputs, connection);
        const remarks = listStateNotices(kind, old.outputs, recorded, content);
        return createPreviewFact(subject, { kind: "kept", recorded, notices: remarks });
      }
      const completed = await kind.complete(content, inputs, connection, context);
      const request = { connection, context, declared: completed, isTextSecret: subject.isTextSecret };
      const previewing = context.publishing.preview({ ...request, was: recorded, isMoved });
      const { container: incident, doubts, ...foreseen } = await previewing;
      const isOfProvider = connection.source === "provider";
      const read = { incident, ...(await kind.describe(incident, completed, inputs, connection)) };
      return toPreviewFact({ ...subject, ...read, isOfProvider, ...(doubts && { doubts }) }, foreseen);
    },

    async apply(properties, old, context) {
      const content = kind.toDeclaration(properties, context);
      const connection = getConnection(properties, context);
      if (!old) return publish(kind, content, properties, connection, context);
      const { id, outputs } = old;
      const stored = readRecord(kind, id, outputs);
      const recorded = context.publishing.withOwnNotes(stored, outputs, connection, context);
      const isMoved = kind.hasMoved(outputs, properties);
      const notices = recorded.kind === "posted" ? listStateNotices(kind, outputs, recorded, content) : [];
      for (const notice of notices) context.notice(formatNotice(notice, content));
      if (!isKept(recorded, content, isMoved)) {
        await kind.assertLater?.(properties, content, connection, context);
        return publish(kind, content, properties, connection, context, recorded, isMoved);
      }
      const kept = await verifyKeptEntry(kind, recorded, content, properties, connection);
      return { id, outputs: kind.outputsOf(kept, properties, connection) };
    },

    async read(id, old, context) {
      const read = await kind.read(id, old, context);
      return { ...read, isDrifted: !isDeepStrictEqual(toPlainObject(read.outputs), old) };
    },
  };
}

/** @param old The properties of the state, or the old inputs. */
function buildComparison(
  kind: EntryKind,
  was: Comparison["was"],
  old: Properties,
  { known, unknown }: DeclaredInputs,
  context: Context,
) {
  const { resource } = context;
  // The location of an update is unknown while its page is.
  const isKnown = !unknown.has("statusPageId");
  const isLater = context.program?.place === "later";
  const all = new Set([...unknown, ...(isKnown ? [] : ["incidentId"]), ...(isLater ? ["followedBy"] : [])]);
  const declared = kind.toKnown({ known, unknown: all }, context);
  const fields = new Set([...all].map((property) => kind.toField(property)));
  return { resource, was, declared, unknown: fields, isMoved: isKnown && kind.hasMoved(old, known) };
}

async function publish(
  kind: EntryKind,
  content: Declaration,
  inputs: Properties,
  connection: Connection,
  context: Context,
  was?: UpdateRecord,
  isMoved = false,
): Promise<ResourceState> {
  const declared = await kind.complete(content, inputs, connection, context);
  const request = { connection, context, declared, isTextSecret: isTextSecret(context), was, isMoved };
  const ending = await context.publishing.publish(request);
  // The engine takes the id of a create alone.
  const toState = (recorded: UpdateRecord) => ({
    id: kind.idOf(recorded, inputs),
    outputs: kind.outputsOf(recorded, inputs, connection),
  });
  if (!("refusal" in ending)) return toState(ending.recorded);
  const text = formatRefusal(ending.refusal, declared, {
    isOfProvider: connection.source === "provider",
    isTextSecret: request.isTextSecret,
    title: context.title,
  });
  throw ending.recorded ? new PartialFailureError(text, toState(ending.recorded)) : new MonitoringError(text);
}

export function buildSubject(
  kind: EntryKind,
  declared: DeclaredInputs,
  context: PreviewContext,
  recorded?: UpdateRecord,
) {
  const place = context.program?.place;
  return {
    urn: context.resource,
    declared: kind.toKnown(declared, context),
    place: place === "later" ? undefined : place,
    order: context.program?.order,
    isTextSecret: isTextSecret(context),
    wasTextSecret: context.oldSecrets?.has("description") ?? false,
    recorded,
  };
}

/** @throws MonitoringError when the `up` would fail. */
export function toPreviewFact(subject: PreviewSubject, foreseen: Prediction): PreviewFact {
  const isEdit = foreseen.kind === "edited";
  const { declared, doubts = findDoubts({ declared, now: Date.now(), isEdit }) } = subject;
  if (foreseen.kind === "refused") {
    const title = formatTitle(subject.urn, subject.place);
    const text = formatRefusal(foreseen.refusal, declared, { ...subject, title });
    throw new MonitoringError(text);
  }
  return createPreviewFact({ ...subject, doubts }, foreseen);
}

const isTextSecret = ({ secrets }: PreviewContext): boolean => secrets?.has("description") ?? true;

/** Returns a notice of changes that reach the state alone, although they look like changes of the public entry. */
function listStateNotices(
  kind: EntryKind,
  old: Properties,
  recorded: PostedUpdate,
  declared: Declaration,
): Notice[] {
  const { notifySubscribers, occurrence } = declared;
  const changed = {
    description: isOnlyRespelled(recorded, declared),
    notifySubscribers: notifySubscribers && old["notifySubscribers"] !== true,
    occurrence: occurrence !== recorded.declared.occurrence,
  };
  const fields = Object.entries(changed).flatMap(([name, isChanged]) => (isChanged ? [name] : []));
  return fields.length === 0 ? [] : [{ kind: "stateOnly", id: kind.idOf(recorded, old), fields }];
}

/**
 * Returns the record of an entry whose change isn't posted, because it reaches the state alone or is what the service already shows.
 *
 * @throws InvalidInputError if that text was edited again.
 */
async function verifyKeptEntry(
  kind: EntryKind,
  recorded: PostedUpdate,
  content: Declaration,
  inputs: Properties,
  connection: Connection,
): Promise<PostedUpdate> {
  const kept =
    toKeptRecord(recorded, content) ??
    toKeptRecord(recorded, content, await kind.readShown(recorded, inputs, connection));
  if (kept) return kept;
  const id = kind.idOf(recorded, inputs);
  throw new InvalidInputError(
    kind.nameInState(id, { ...inputs, ...kind.outputsOf(recorded, inputs, connection) }),
    [
      {
        property: "description",
        reason:
          "or another declared field no longer matches: the update was changed on the service after the last refresh. " +
          "Nothing was posted. Run `pulumi refresh`, then `pulumi up`",
      },
    ],
  );
}

/** Whether the texts only differ in escapes or encoding, so that the public text stays as it is. */
function isOnlyRespelled(
  { declared: { description } }: PostedUpdate,
  { description: text, onChange }: { readonly description?: unknown; readonly onChange?: unknown },
): boolean {
  if (typeof text !== "string" || onChange === "edit") return false;
  return toVisibleText(text) !== toVisibleText(description) && sameText(text, description);
}

/** Reads the record of an entry that a program declares. A state that lacks `past` would pass for one that is only read. */
function readRecord(kind: EntryKind, id: string, state: Properties): UpdateRecord {
  const recorded = kind.recordedIn(id, state);
  if (recorded) return recorded;
  throw createUnreadableStateError(kind.nameInState(id, {}), "past");
}

export function createUnreadableStateError(name: string, property: string): InvalidInputError {
  const reason =
    "can't be read from the state. Nothing was posted. If a newer version of pulumi-monitoring-service wrote it, install " +
    "that version. If the state was edited, restore it with `pulumi stack import`. Otherwise check the public page, then " +
    "remove the resource from the state with `pulumi state delete`: the next `pulumi up` adopts its update, or posts it if " +
    "the incident doesn't show it";
  return new InvalidInputError(name, [{ property, reason }]);
}
