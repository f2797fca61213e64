/**
 * Implements the engine's verbs for resources that are posted once: an update on an incident, and an incident on a status page. Both are
 * entries of a container. An {@link EntryKind} defines how the entries of a resource type are declared. All else is shared.
 */
import { isDeepStrictEqual } from "node:util";
import { type NewComponentImpact } from "../api";
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
  isEditable,
  isKept,
  type Notice,
  type PostedUpdate,
  predict,
  type Prediction,
  toKeptRecord,
  type UpdateRecord,
} from "../protocol";
import { type Problem, sameText, toVisibleText } from "../texts";
import {
  formatNotice,
  type ImpactChange,
  type PreviewFact,
  createPreviewFact,
  createRejectedFact,
  formatRejection,
  formatTypeLabel,
  getNouns,
  getNounsOfType,
  type PreviewSubject,
  toField,
} from "../wording";
import {
  type EntryNames,
  findRecord,
  formatResourceId,
  formatStoredTitle,
  readRecord,
  type ShownEntry,
  toOrigin,
  toPublished,
  toState,
} from "./entryState";
import {
  compareWithPage,
  createMovedError,
  createRejectionError,
  isTextSecret,
  locateIncident,
  rejectPublicChange,
  toOldInputs,
} from "./changes";
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

/** Defines how the entries of a resource type are declared and read. */
export interface EntryKind extends EntryNames {
  readonly fields: Fields;
  /** Names of the outputs that aren't inputs. */
  readonly computed: readonly string[];
  /** Checks a declaration without its provider. */
  check(
    declared: DeclaredInputs,
    old: Properties,
    context: PreviewContext,
  ): { inputs: Properties; problems: readonly Problem[] };
  /** Converts valid inputs to a declaration. */
  toDeclaration(inputs: Properties, context: PreviewContext): Declaration;
  /** Converts the known values to a partial declaration. */
  toKnown(declared: DeclaredInputs, context: PreviewContext): Partial<Declaration>;
  /** Reads the entry from the service. Undefined if it doesn't exist. */
  readShown(recorded: PostedUpdate, connection: Connection): Promise<ShownEntry | undefined>;
  /** Reads the affected components for a preview. */
  describe(container: PreviewSubject["incident"], request: EntryRequest): Promise<PreviewSubject["impacts"]>;
  readonly timeline?: TimelineEntryKind;
  readonly impacts?: ImpactKind;
}

/** The rules for entries of a timeline. */
interface TimelineEntryKind {
  /** Returns the problems of the later entries. */
  findLaterProblems(declared: DeclaredInputs, old: Properties, context: Context): readonly Problem[];
  /** Rejects an entry if a later entry can't be published. */
  assertLater(request: EntryRequest): Promise<void>;
  /** Reads an update that a program only reads. */
  readExisting(id: string, old: Properties, connection: Connection): Promise<ResourceState>;
}

/** The impacts of an incident, which the protocol doesn't know. */
interface ImpactKind {
  /** @throws InvalidInputError if the page shows that a component is invalid. */
  find(inputs: Properties, connection: Connection, resource: string): Promise<Impacts>;
  /** Returns true if the impacts on the page must be compared, although their declaration hasn't changed. */
  needsComparison(old: Properties): boolean;
  /** Returns the changes that `pulumi up` makes. @throws MonitoringError if it would fail. */
  preview(
    recorded: PostedUpdate,
    old: Properties | undefined,
    request: EntryRequest,
  ): Promise<ImpactChange[]>;
  /** Makes the page show the impacts. Returns the outputs that record it. @throws PartialFailureError with the given state. */
  write(applied: AppliedEntry, old: Properties | undefined, request: EntryRequest): Promise<Properties>;
}

type Impacts = readonly NewComponentImpact[];

/** A declaration that is published or previewed. */
export interface EntryRequest {
  readonly inputs: Properties;
  readonly declared: Declaration;
  readonly impacts: Impacts;
  readonly connection: Connection;
  readonly context: Context;
}

interface AppliedEntry extends ResourceState {
  readonly recorded: PostedUpdate;
  /** True if this run has opened it, so that the page shows the declared impacts. */
  readonly isOpened: boolean;
  /** True if the state already records it. */
  readonly isKept: boolean;
}

/** Creates the verbs shared by both resource types. */
export function createEntryLifecycle(kind: EntryKind): Omit<Lifecycle, "delete" | "import"> {
  const nouns = getNounsOfType(kind.type);
  return {
    facts: buildFacts(kind.fields, kind.computed),
    readsOnly: false,

    check(declared, old, context) {
      const checked = kind.check(declared, old, context);
      const later = kind.timeline?.findLaterProblems(declared, old, context) ?? [];
      const problems = [...checked.problems, ...later, ...findConnectionProblems(declared, context)];
      if (problems.length === 0 && Object.keys(old).length > 0 && !declared.unknown.has("account")) {
        // Compare here as well, because the engine may replace a resource without calling `diff`.
        const known = { ...declared, known: checked.inputs };
        const comparison = buildComparison(kind, toOldInputs(kind, old, context), known, context);
        context.publishing.diff(getConnection(checked.inputs, context), comparison);
      }
      return { inputs: checked.inputs, problems };
    },

    checkChange: (declared, old, context) => rejectPublicChange(kind, declared, old, context),

    async diff(id, old, news, context, isRefresh) {
      const stored = readRecord(kind, id, old);
      const { declared, opener } = locateIncident(kind, news, context, true);
      if (opener !== undefined && stored.kind === "posted")
        throw createMovedError(kind, toOldInputs(kind, old, context).declared, declared, opener, context);
      const { changes } = diffFields(kind.fields, old, declared);
      const connection = findComparedConnection(declared, toOrigin(kind, id, old), context, isRefresh);
      const recorded = isRefresh ? stored : context.publishing.withOwnNotes(stored, connection, context);
      const compared = isRefresh ? undefined : connection;
      const comparison = buildComparison(kind, recorded, declared, context);
      const { difference } = await compareWithPage(kind, comparison, compared, context);
      // In a refresh, the declaration is that of the last run, without its key. The next `up` decides about it.
      if (difference.kind !== "reject" || isRefresh) {
        const isOnlyStored = recorded.kind === "posted" && isOnlyRespelled(recorded, comparison.declared);
        const needsImpacts = kind.impacts?.needsComparison(old) ?? false;
        // A refresh clears the engine's mark of an unfinished create, so report a change to make the engine call `update`.
        const mayPost = difference.kind !== "same";
        return { changes: changes || isOnlyStored || needsImpacts || mayPost, mayPost, replaces: [] };
      }
      const { followedBy = context.program?.place === "unknown" ? [] : undefined } = comparison.declared;
      throw createRejectionError(difference.rejection, { ...comparison.declared, followedBy }, context);
    },

    createFactWithoutProvider: (urn, inputs) => createFactWithoutProvider(kind, urn, inputs),

    async preview(news, old, context) {
      const stored = old && readRecord(kind, old.id, old.outputs);
      const { declared, opener } = locateIncident(kind, news, context, stored?.kind === "posted");
      const subject = { ...buildSubject(kind, declared, context, stored), opener };
      const { unknown, known: inputs } = declared;
      if (unknown.size > 0 || context.program?.place === "unknown") {
        const fields = new Set([...unknown].map((property) => toField(property, nouns)));
        const prediction = predict({ declared: subject.declared, recorded: stored, unknown: fields });
        // The protocol doesn't know the impacts.
        const mayWrite = prediction.kind === "kept" && unknown.has("impacts");
        const notKnown = mayWrite ? [{ kind: "notKnown", fields: ["impacts"] } as const] : [];
        return toPreviewFact(subject, { ...prediction, notices: [...prediction.notices, ...notKnown] });
      }
      const content = kind.toDeclaration(inputs, context);
      const connection = getConnection(inputs, context);
      const recorded = stored && context.publishing.withOwnNotes(stored, connection, context);
      const impacts = (await kind.impacts?.find(inputs, connection, context.resource)) ?? [];
      const request = { inputs, declared: content, impacts, connection, context };
      const previewImpacts = async (kept: PostedUpdate) => kind.impacts?.preview(kept, old?.outputs, request);
      if (recorded && isKept(recorded, content)) {
        const kept = await verifyKeptEntry(kind, recorded, content, connection);
        const notices = listStateNotices(kind, old.outputs, recorded, content);
        const impactChanges = await previewImpacts(kept);
        return createPreviewFact({ ...subject, impactChanges }, { kind: "kept", recorded, notices });
      }
      const { isTextSecret } = subject;
      const previewing = context.publishing.preview({ ...request, isTextSecret, was: recorded });
      const { container: incident, warnings, ...prediction } = await previewing;
      const isOfProvider = connection.source === "provider";
      const read = { incident, impacts: await kind.describe(incident, request) };
      const isPublic = prediction.kind === "adopted" || prediction.kind === "kept";
      const impactChanges = isPublic ? await previewImpacts(prediction.recorded) : undefined;
      return toPreviewFact(
        { ...subject, ...read, impactChanges, isOfProvider, ...(warnings && { warnings }) },
        prediction,
      );
    },

    async apply(inputs, old, context) {
      const declared = kind.toDeclaration(inputs, context);
      const connection = getConnection(inputs, context);
      const impacts = (await kind.impacts?.find(inputs, connection, context.resource)) ?? [];
      const request = { inputs, declared, impacts, connection, context };
      const { id, outputs, ...applied } = await applyEntry(kind, request, old);
      const written = await kind.impacts
        ?.write({ id, outputs, ...applied }, old?.outputs, request)
        .catch((error: unknown) => {
          // Record an entry that this run has opened or found, because the engine forgets a create that fails.
          if (applied.isKept || !isMonitoringError(error)) throw error;
          throw new PartialFailureError(error.message, { id, outputs });
        });
      return { id, outputs: { ...outputs, ...written } };
    },

    async read(id, old, context) {
      const { outputs, ...read } = await readState(kind, id, old, context);
      return { ...read, outputs, isDrifted: !isDeepStrictEqual(toPlainObject(outputs), old) };
    },
  };
}

/** Publishes the entry, or keeps it if it is public as declared. */
async function applyEntry(
  kind: EntryKind,
  request: EntryRequest,
  old?: ResourceState,
): Promise<AppliedEntry> {
  const { declared, connection, context } = request;
  const stored = old && readRecord(kind, old.id, old.outputs);
  const was = stored && context.publishing.withOwnNotes(stored, connection, context);
  if (old && was?.kind === "posted")
    for (const notice of listStateNotices(kind, old.outputs, was, declared))
      context.notice(formatNotice(notice, declared, context.label));
  if (was && isKept(was, declared)) {
    const recorded = await verifyKeptEntry(kind, was, declared, connection);
    const state = { ...toState(kind, recorded, connection), id: old.id };
    return { ...state, recorded, isOpened: false, isKept: true };
  }
  if (was) await kind.timeline?.assertLater(request);
  const result = await context.publishing.publish({ ...request, isTextSecret: isTextSecret(context), was });
  if (!("rejection" in result)) {
    const { recorded } = result;
    const isOpened = result.kind === "posted";
    return { ...toState(kind, recorded, connection), recorded, isOpened, isKept: stored?.kind === "posted" };
  }
  const text = formatRejection(result.rejection, declared, {
    isOfProvider: connection.source === "provider",
    isTextSecret: isTextSecret(context),
    title: context.title,
  });
  if (!result.recorded) throw new MonitoringError(text);
  throw new PartialFailureError(text, toState(kind, result.recorded, connection));
}

/** Reads an entry that is in the state, for a refresh. */
async function readState(
  kind: EntryKind,
  id: string,
  old: Properties,
  context: Context,
): Promise<ResourceState> {
  const connection = getStoredConnection(toOrigin(kind, id, old), context);
  const { entry, posted } = getNounsOfType(kind.type);
  if (kind.timeline && !findRecord(kind, id, old)) return kind.timeline.readExisting(id, old, connection);
  const recorded = readRecord(kind, id, old);
  if (recorded.kind === "sent") {
    context.notice(
      `${formatStoredTitle(kind, id, old, context.label)}: still unconfirmed. \`pulumi up\` searches for the ${entry}.`,
    );
    return { id, outputs: old };
  }
  // A refresh replaces the temporary ID of an entry that was found after a lost response.
  const shownId = formatResourceId(kind, recorded);
  const shown = await kind.readShown(recorded, connection);
  if (shown) return { id: shownId, outputs: { ...old, published: toPublished(shown), missing: false } };
  // Keep the outputs. Without them, the engine would remove the resource, and the next `up` would post the update again.
  context.notice(
    `${context.label(shownId)}: not found on the service. It stays in the state and is not ${posted} again.`,
  );
  return { id: shownId, outputs: { ...old, missing: true } };
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
    return createRejectedFact(
      urn,
      problems.map(({ reason }) => reason),
    );
  const notices = [{ kind: "notKnown", fields: ["provider"] } as const];
  return toPreviewFact(buildSubject(kind, declared, context), { kind: "unknown", notices });
}

function buildComparison(
  kind: EntryKind,
  was: Comparison["was"],
  { known, unknown }: DeclaredInputs,
  context: Context,
) {
  const { resource } = context;
  // The location of an update is unknown as long as its page is unknown.
  const isKnown = !unknown.has("statusPageId");
  const isPlaceUnknown = context.program?.place === "unknown";
  const all = new Set([
    ...unknown,
    ...(isKnown ? [] : ["incidentId"]),
    ...(isPlaceUnknown ? ["followedBy"] : []),
  ]);
  const declared = kind.toKnown({ known, unknown: all }, context);
  const nouns = getNounsOfType(kind.type);
  const fields = new Set([...all].map((property) => toField(property, nouns)));
  return { resource, was, declared, unknown: fields };
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
    place: place === "unknown" ? undefined : place,
    order: context.program?.order,
    isTextSecret: isTextSecret(context),
    isNameSecret: context.secrets?.has("name") ?? true,
    wasTextSecret: context.oldSecrets?.has("description") ?? false,
    recorded,
  };
}

/** @throws MonitoringError if `pulumi up` would fail. */
function toPreviewFact(subject: PreviewSubject, prediction: Prediction): PreviewFact {
  const isEdit = prediction.kind === "edited";
  const { declared, warnings = findWarnings({ declared, now: Date.now(), isEdit }) } = subject;
  if (prediction.kind === "refused") {
    const title = formatTitle(subject.urn, subject.place);
    const text = formatRejection(prediction.rejection, declared, { ...subject, title });
    throw new MonitoringError(text);
  }
  return createPreviewFact({ ...subject, warnings }, prediction);
}

/** Returns a notice about changes that look like changes of the public entry, but only change the state. */
function listStateNotices(
  kind: EntryKind,
  old: Properties,
  recorded: PostedUpdate,
  declared: Declaration,
): Notice[] {
  const changed = {
    description: isOnlyRespelled(recorded, declared),
    notifySubscribers: declared.notifySubscribers && old["notifySubscribers"] !== true,
  };
  const fields = Object.entries(changed).flatMap(([name, isChanged]) => (isChanged ? [name] : []));
  return fields.length === 0 ? [] : [{ kind: "stateOnly", id: formatResourceId(kind, recorded), fields }];
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
  connection: Connection,
): Promise<PostedUpdate> {
  const kept =
    toKeptRecord(recorded, content) ??
    toKeptRecord(recorded, content, await kind.readShown(recorded, connection));
  if (kept) return kept;
  const { entry, posted } = getNouns(content);
  throw new InvalidInputError(formatTypeLabel(kind.type, formatResourceId(kind, recorded)), [
    {
      property: "description",
      reason:
        `or another declared field no longer matches, because the ${entry} was changed or deleted on the service after the last refresh. ` +
        `Nothing was ${posted}. Run \`pulumi refresh\`, then \`pulumi up\``,
    },
  ]);
}

/** Returns true if the texts only differ in escapes or encoding, so that the public text doesn't change. */
function isOnlyRespelled(
  { declared: { description } }: PostedUpdate,
  declared: Partial<Declaration>,
): boolean {
  const { description: text } = declared;
  if (text === undefined || isEditable(declared)) return false;
  return toVisibleText(text) !== toVisibleText(description) && sameText(text, description);
}
