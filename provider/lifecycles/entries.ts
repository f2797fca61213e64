/**
 * Implements the engine's verbs for resources that are posted once: an update on an incident, and an incident on a status page. Both are
 * entries of a container. An {@link EntryKind} defines how the entries of a resource type are declared and recorded. All else is shared.
 */
import { isDeepStrictEqual } from "node:util";
import { InvalidInputError, isMonitoringError, MonitoringError } from "../client";
import { type Connection } from "../connection";
import {
  formatTitle,
  parseProgramInput,
  programInput,
  signatureKey,
  toPlainObject,
  unknownValue,
} from "../engine";
import { findWarnings } from "../proofreading";
import {
  type Comparison,
  type Declaration,
  decode,
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
  createRefusedFact,
  formatRefusal,
  formatTypeLabel,
  getNouns,
  getNounsOfType,
  type Label,
  type PreviewSubject,
  toField,
} from "../wording";
import {
  diffFields,
  findComparedConnection,
  getConnection,
  getStoredConnection,
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
  hideProperty,
  toDeclaredInputs,
} from "./lifecycle";

/** Defines how the entries of a resource type are declared and recorded. */
export interface EntryKind {
  readonly type: "IncidentUpdate" | "Incident";
  readonly fields: Fields;
  /** Names of the outputs that aren't inputs. */
  readonly computed: readonly string[];
  /** Checks a declaration without its provider. */
  check(
    declared: DeclaredInputs,
    old: Properties,
    context: PreviewContext,
  ): { inputs: Properties; problems: readonly Problem[] };
  /** Returns the problems of the later entries of a timeline. */
  findLaterProblems?(declared: DeclaredInputs, old: Properties, context: Context): readonly Problem[];
  /** Converts valid inputs to a declaration. */
  toDeclaration(inputs: Properties, context: PreviewContext): Declaration;
  /** Converts the known values to a partial declaration. */
  toKnown(declared: DeclaredInputs, context: PreviewContext): Partial<Declaration>;
  /** Returns the properties in the state with the names that the protocol uses. */
  toStoredRecord(old: Properties): Properties;
  idOf(recorded: UpdateRecord, inputs: Properties): string;
  outputsOf(recorded: UpdateRecord, inputs: Properties, connection: Connection): Properties;
  /** Returns the title of the entry in messages. */
  nameInState(id: string, old: Properties, label?: Label): string;
  storedAt(id: string, old: Properties): Parameters<typeof findComparedConnection>[1];
  /** Completes a declaration before it is sent. @throws InvalidInputError if the service shows that an input is invalid. */
  complete(
    declared: Declaration,
    inputs: Properties,
    connection: Connection,
    context: PreviewContext,
  ): Promise<Declaration>;
  /** Returns the facts about the container for a preview. */
  describe(
    container: PreviewSubject["incident"],
    declared: Declaration,
    inputs: Properties,
    connection: Connection,
  ): Promise<Pick<PreviewSubject, "statusPageId" | "impacts">>;
  /** Reads the entry from the service. Undefined if it doesn't exist. */
  readShown(
    recorded: PostedUpdate,
    inputs: Properties,
    connection: Connection,
  ): Promise<Parameters<typeof toKeptRecord>[2]>;
  /** Rejects an entry of a timeline if a later entry can't be published. */
  assertLater?(
    properties: Properties,
    declared: Declaration,
    connection: Connection,
    context: Context,
  ): Promise<void>;
  read(id: string, old: Properties, context: Context): Promise<ResourceState>;
}

/** Creates the verbs shared by both resource types. */
export function createEntryLifecycle(kind: EntryKind): Omit<Lifecycle, "delete" | "import"> {
  const nouns = getNounsOfType(kind.type);
  return {
    facts: buildFacts(kind.fields, kind.computed),
    readsOnly: false,

    check(declared, old, context) {
      const checked = kind.check(declared, old, context);
      const later = kind.findLaterProblems?.(declared, old, context) ?? [];
      const problems = [...checked.problems, ...later, ...findConnectionProblems(declared, context)];
      if (problems.length === 0 && Object.keys(old).length > 0 && !declared.unknown.has("account")) {
        // Compare here as well, because the engine may replace a resource without calling `diff`.
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
      const recorded = findRecord(kind, id, old);
      const { changes } = diffFields(kind.fields, old, declared);
      if (!recorded) return { changes, replaces: [] };
      const connection = findComparedConnection(declared, kind.storedAt(id, old), context, isRefresh);
      const known = isRefresh
        ? recorded
        : context.publishing.withOwnNotes(recorded, old, connection, context);
      const comparison = buildComparison(kind, known, old, declared, context);
      const { difference, newer } = context.publishing.diff(isRefresh ? undefined : connection, comparison);
      // Only warn, because the entries have keys, so nothing is posted or edited.
      if (newer !== undefined)
        context.warn(
          `${context.title}: declared after ${formatResourceName(newer)}, although ${formatResourceName(newer)} is newer on the page. The order on the page doesn't change.`,
        );
      switch (difference.kind) {
        case "same":
          return {
            changes: changes || (recorded.kind === "posted" && isOnlyRespelled(recorded, declared.known)),
            replaces: [],
          };
        case "edit":
          return { changes: true, mayPost: true, replaces: [] };
        case "settle":
          // A refresh clears the engine's mark of an unfinished create, so report a change to make the engine call `update`.
          return { changes: true, mayPost: true, replaces: [] };
        case "refuse": {
          const { refusal } = difference;
          const { followedBy = context.program?.place === "later" ? [] : undefined } = comparison.declared;
          // The name of an entry with a key is more helpful than its ID, because it may be the name of a file.
          const isNamed = refusal.kind !== "changed" || context.program?.key !== undefined;
          const stored = isNamed ? undefined : kind.nameInState(id, old);
          const { statusPageId, ...inputs } = { ...comparison.declared, followedBy };
          throw new MonitoringError(
            formatRefusal(refusal, inputs, { title: context.title, stored, statusPageId }),
          );
        }
      }
    },

    createFactWithoutProvider: (urn, inputs) => createFactWithoutProvider(kind, urn, inputs),

    async preview(declared, old, context) {
      const stored = old && findRecord(kind, old.id, old.outputs);
      const subject = buildSubject(kind, declared, context, stored);
      const { unknown, known: inputs } = declared;
      if (unknown.size > 0 || context.program?.place === "later") {
        const fields = new Set([...unknown].map((property) => toField(property, nouns)));
        return toPreviewFact(
          subject,
          predict({ declared: subject.declared, recorded: stored, unknown: fields }),
        );
      }
      const content = kind.toDeclaration(inputs, context);
      const connection = getConnection(inputs, context);
      const recorded = stored && context.publishing.withOwnNotes(stored, old.outputs, connection, context);
      if (recorded && isKept(recorded, content)) {
        await verifyKeptEntry(kind, recorded, content, inputs, connection);
        const remarks = listStateNotices(kind, old.outputs, recorded, content);
        return createPreviewFact(subject, { kind: "kept", recorded, notices: remarks });
      }
      const completed = await kind.complete(content, inputs, connection, context);
      const request = { connection, context, declared: completed, isTextSecret: subject.isTextSecret };
      const previewing = context.publishing.preview({ ...request, was: recorded });
      const { container: incident, warnings, ...foreseen } = await previewing;
      const isOfProvider = connection.source === "provider";
      const read = { incident, ...(await kind.describe(incident, completed, inputs, connection)) };
      return toPreviewFact({ ...subject, ...read, isOfProvider, ...(warnings && { warnings }) }, foreseen);
    },

    async apply(properties, old, context) {
      const content = kind.toDeclaration(properties, context);
      const connection = getConnection(properties, context);
      if (!old) return publish(kind, content, properties, connection, context);
      const { id, outputs } = old;
      const stored = readRecord(kind, id, outputs);
      const recorded = context.publishing.withOwnNotes(stored, outputs, connection, context);
      const notices = recorded.kind === "posted" ? listStateNotices(kind, outputs, recorded, content) : [];
      for (const notice of notices) context.notice(formatNotice(notice, content, context.label));
      if (!isKept(recorded, content)) {
        await kind.assertLater?.(properties, content, connection, context);
        return publish(kind, content, properties, connection, context, recorded);
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

/**
 * Checks and reports a declaration with an unknown provider, because the engine doesn't call it.
 *
 * @param inputs The inputs in a plan, in which secrets are marked.
 */
function createFactWithoutProvider(kind: EntryKind, urn: string, inputs: Properties): PreviewFact {
  const entries = Object.entries(inputs);
  const secrets = new Set(
    entries.flatMap(([name, value]) => (JSON.stringify(value).includes(signatureKey) ? name : [])),
  );
  const values = entries.map(([name, value]): [string, unknown] => [
    name,
    secrets.has(name) ? unknownValue : value,
  ]);
  const { [programInput]: hidden, ...news } = Object.fromEntries(values);
  const [declared, context] = [
    toDeclaredInputs(news),
    { resource: urn, secrets, program: parseProgramInput(hidden) },
  ];
  const problems = kind.check(declared, {}, context).problems.map(hideProperty);
  if (problems.length > 0)
    return createRefusedFact(
      urn,
      problems.map(({ reason }) => reason),
    );
  const notices = [{ kind: "notKnown", fields: ["provider"] } as const];
  return toPreviewFact(buildSubject(kind, declared, context), { kind: "unknown", notices });
}

/** @param old The properties in the state, or the old inputs. */
function buildComparison(
  kind: EntryKind,
  was: Comparison["was"],
  old: Properties,
  { known, unknown }: DeclaredInputs,
  context: Context,
) {
  const { resource } = context;
  // The location of an update is unknown as long as its page is unknown.
  const isKnown = !unknown.has("statusPageId");
  const isLater = context.program?.place === "later";
  const all = new Set([...unknown, ...(isKnown ? [] : ["incidentId"]), ...(isLater ? ["followedBy"] : [])]);
  const declared = kind.toKnown({ known, unknown: all }, context);
  const nouns = getNounsOfType(kind.type);
  const fields = new Set([...all].map((property) => toField(property, nouns)));
  return { resource, was, declared, unknown: fields };
}

async function publish(
  kind: EntryKind,
  content: Declaration,
  inputs: Properties,
  connection: Connection,
  context: Context,
  was?: UpdateRecord,
): Promise<ResourceState> {
  const declared = await kind.complete(content, inputs, connection, context);
  const request = { connection, context, declared, isTextSecret: isTextSecret(context), was };
  const ending = await context.publishing.publish(request);
  // The engine only uses the ID that `create` returns.
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

function buildSubject(
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
    isNameSecret: context.secrets?.has("name") ?? true,
    wasTextSecret: context.oldSecrets?.has("description") ?? false,
    recorded,
  };
}

/** @throws MonitoringError if `pulumi up` would fail. */
function toPreviewFact(subject: PreviewSubject, foreseen: Prediction): PreviewFact {
  const isEdit = foreseen.kind === "edited";
  const { declared, warnings = findWarnings({ declared, now: Date.now(), isEdit }) } = subject;
  if (foreseen.kind === "refused") {
    const title = formatTitle(subject.urn, subject.place);
    const text = formatRefusal(foreseen.refusal, declared, { ...subject, title });
    throw new MonitoringError(text);
  }
  return createPreviewFact({ ...subject, warnings }, foreseen);
}

const isTextSecret = ({ secrets }: PreviewContext): boolean => secrets?.has("description") ?? true;

/** Returns a notice about changes that look like changes of the public entry, but only change the state. */
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
 * Returns the record of an entry if its change isn't posted, because it only changes the state, or because the service already shows the
 * declared content.
 *
 * @throws InvalidInputError if the entry was edited again or deleted on the service.
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
  const { entry, posted } = getNouns(content);
  throw new InvalidInputError(
    kind.nameInState(id, { ...inputs, ...kind.outputsOf(recorded, inputs, connection) }),
    [
      {
        property: "description",
        reason:
          `or another declared field no longer matches, because the ${entry} was changed or deleted on the service after the last refresh. ` +
          `Nothing was ${posted}. Run \`pulumi refresh\`, then \`pulumi up\``,
      },
    ],
  );
}

/** Returns true if the texts only differ in escapes or encoding, so that the public text doesn't change. */
function isOnlyRespelled(
  { declared: { description } }: PostedUpdate,
  { description: text, onChange }: { readonly description?: unknown; readonly onChange?: unknown },
): boolean {
  if (typeof text !== "string" || onChange === "edit") return false;
  return toVisibleText(text) !== toVisibleText(description) && sameText(text, description);
}

/**
 * Returns the record in the state. Undefined for a resource that a program only reads.
 * @throws InvalidInputError if the state can't be read, because a missing value could lead to a second post.
 */
export function findRecord(kind: EntryKind, id: string, old: Properties): UpdateRecord | undefined {
  const decoded = decode(kind.toStoredRecord(old));
  if (decoded?.kind === "unreadable") throw createUnreadableStateError(kind.type, id, decoded.field);
  return decoded;
}

/** Reads the record of a declared entry. Without `made`, the state would look like the state of a resource that is only read. */
export function readRecord(kind: EntryKind, id: string, state: Properties): UpdateRecord {
  const recorded = findRecord(kind, id, state);
  if (recorded) return recorded;
  throw createUnreadableStateError(kind.type, id, "made");
}

/** Describes the public entry of a resource that is removed from the state, after `The update` or `The incident`. */
export function describeRemoved(old: Properties): string {
  if (old["missing"] === true) return "was missing at the last refresh";
  return "unconfirmed" in old ? "may be public" : "stays public";
}

/**
 * Lets the name of a removed resource be used for another entry. The entry is removed from the state anyway, so a failure is ignored, such
 * as missing settings.
 */
export async function forgetRemoved(
  kind: EntryKind,
  id: string,
  old: Properties,
  context: Context,
): Promise<void> {
  try {
    const recorded = findRecord(kind, id, old);
    if (!recorded) return;
    const statusPageId = typeof old["statusPageId"] === "string" ? old["statusPageId"] : undefined;
    const { containerId } = recorded.declared;
    const connection = getStoredConnection(kind.storedAt(id, old), context);
    await context.publishing.forget(connection, { containerId, statusPageId }, context);
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
  }
}

function createUnreadableStateError(
  type: EntryKind["type"],
  id: string,
  property: string,
): InvalidInputError {
  const { entry, container, posts, posted } = getNounsOfType(type);
  const reason =
    `can't be read from the state. Nothing was ${posted}. If a newer version of pulumi-monitoring-service wrote the state, install that ` +
    "version. If the state was edited, restore it with `pulumi stack import`. Otherwise, check the public page, then remove the resource " +
    `from the state with \`pulumi state delete\`. The next \`pulumi up\` adopts the ${entry}, or ${posts} it if it isn't on the ${container}`;
  return new InvalidInputError(formatTypeLabel(type, id), [{ property, reason }]);
}
