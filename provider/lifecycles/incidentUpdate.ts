/**
 * Implements an `IncidentUpdate`: its inputs and outputs, each field once with its checks, facts and doc comment, and the engine's verbs.
 * The protocol decides whether a run may post. The outputs contain the protocol's record and the origin of the update.
 */
import { z } from "zod";
import {
  listLastingImpacts,
  type Origin,
  publicDate,
  sameSecond,
  type StatusPageIncidentUpdate,
  updateStatuses,
  type Without,
} from "../api";
import { InvalidInputError } from "../client";
import { type AccountArgs, type AnyIncident, type Connection, ignoreNotFound } from "../connection";
import { boolean, type InputsOf, castSchema, oneOf, type OutputsOf, string } from "../problems";
import { findRejections } from "../proofreading";
import { createRecord, type Declaration, normalizeContent } from "../protocol";
import { normalizeId, normalizeText, type Problem, sameText } from "../texts";
import { createEntryLifecycle, type EntryKind, type EntryRequest } from "./entries";
import { describeRemoved, forgetRemoved, formatStoredTitle, toState } from "./entryState";
import { readComponentNames } from "./impacts";
import {
  account,
  checkFields,
  type Context,
  fieldFacts,
  findConnectionProblems,
  getConnection,
  idSchema,
  toDeclaredInputs,
  type DeclaredInputs,
  type Lifecycle,
  type PreviewContext,
  type Properties,
} from "./lifecycle";
import { computeOrder, findChangedField, type Order, parseDeclaredContent } from "./timeline";

const maxDescriptionLength = 65_536;
const controlCharacter = /[^\P{Cc}\t\n\r]/u;
/** The engine replaces a lone surrogate with U+FFFD. */
const loneSurrogate = /[\p{Cs}\uFFFD]/u;

/** The schema of a public text, without surrounding white space. @param most The number of characters; an emoji may have several. */
export const publicText = (most: number) =>
  string
    .trim()
    // `min` and `max` would report a second problem for a list.
    .refine((value) => normalizeText(value) !== "", { error: "must not be empty" })
    .refine((value) => Array.from(value).length <= most, { error: `must have at most ${most} characters` })
    .refine((value) => !controlCharacter.test(value), { error: "must not contain control characters" })
    .refine((value) => !loneSurrogate.test(value), {
      error: "must be well-formed Unicode, but contains a lone surrogate (or U+FFFD, its replacement)",
    });

export const compareStringsWith = (same: (a: string, b: string) => boolean) => (a: unknown, b: unknown) =>
  a === b || (typeof a === "string" && typeof b === "string" && same(a, b));

export const defaults = { notifySubscribers: false } as const;

const inputs = {
  /** ID of the status-page incident. Changes are rejected. */
  incidentId: castSchema<string, string>(idSchema("a status-page incident")),
  /**
   * ID of the incident's status page. Required for pages with components, not allowed for pages with cards. Changes are rejected. After a
   * page is migrated, declare the update as a new resource with this ID. It adopts the public update and posts nothing.
   */
  statusPageId: castSchema<string, string>(idSchema("a status page with components")).optional(),
  /** Status of the incident that the update announces. Changes are rejected, except in an entry of a timeline. */
  status: oneOf(updateStatuses),
  /**
   * Text of the update, which is public. Surrounding white space is trimmed. Changes are rejected, except in an entry of a timeline, and
   * except invisible ones (white space, invisible characters, HTML entities, Unicode normalization).
   */
  description: publicText(maxDescriptionLength).register(fieldFacts, {
    secret: true,
    repeatedIn: "published",
    same: compareStringsWith(sameText),
  }),
  /** Whether to email all subscribers when the update is posted. Default: false. */
  notifySubscribers: boolean.default(defaults.notifySubscribers),
  /** Public date, as an ISO 8601 date-time. Use a fixed date, because `new Date()` changes in every run. Default: the time of the post. */
  publicIncidentUpdateDate: publicDate
    .optional()
    .register(fieldFacts, { same: compareStringsWith(sameSecond) }),
};

export interface IncidentUpdateInputs extends InputsOf<typeof inputs>, AccountArgs {}

/** An update as the service shows it. */
export interface PublishedIncidentUpdate extends Without<StatusPageIncidentUpdate, "id" | "created_at"> {}

const computed = {
  /** ID of the update. */
  incidentUpdateId: string,
  /** Creation time, as recorded by the service. Null or undefined if the service doesn't return it. */
  createdAt: string.nullish(),
  /**
   * The update as the service showed it at the last refresh, with manual edits. A Pulumi secret when `description` is an
   * output.
   */
  published: z.custom<PublishedIncidentUpdate>(),
  /** Whether the update or its incident was missing at the last refresh. A missing update isn't posted again. */
  missing: boolean,
};

export interface IncidentUpdateOutputs
  extends OutputsOf<typeof inputs>, AccountArgs, OutputsOf<typeof computed> {}

export const fields = { ...inputs, account };

const declaration = z.object(fields);

const kind: EntryKind = {
  type: "IncidentUpdate",
  fields,
  computed: Object.keys(computed),
  names: { containerId: "incidentId", id: "incidentUpdateId" },

  check: checkUpdate,
  toDeclaration: parseInputs,
  toKnown: parseKnownInputs,

  readShown: ({ id: incidentUpdateId, declared: { containerId: incidentId, statusPageId } }, connection) =>
    readUpdate(connection, { statusPageId, incidentId, incidentUpdateId }),

  async describe(incident, { declared: { statusPageId }, connection }) {
    return statusPageId === undefined ? undefined : readImpacts(incident, statusPageId, connection);
  },

  timeline: {
    findLaterProblems: (declared, old, context) =>
      findLaterProblems(declared, old, context.program, (entry) => [
        ...checkUpdate(entry).problems,
        ...findConnectionProblems(entry, context),
      ]),
    assertLater: assertLaterEntries,
    async readExisting(id, old, connection) {
      const ids = parseIds(id, "IncidentUpdate.get");
      const { uncached } = connection.getIncidents(ids.statusPageId);
      // The state of a new `get` only contains inputs. Later, a missing update doesn't fail a refresh.
      const update = await ("origin" in old
        ? readUpdate(connection, ids)
        : uncached.readUpdate(ids.incidentId, ids.incidentUpdateId));
      if (!update) return { id, outputs: { ...old, missing: true } };
      return { id, outputs: toExistingOutputs(old, ids, update, connection.origin) };
    },
  },
};

export const incidentUpdate: Lifecycle = {
  ...createEntryLifecycle(kind),

  async delete(id, old, context) {
    const isOwned = context.publishing.isOwned(old["incidentId"], old["incidentUpdateId"]);
    const advice = old["missing"] === true ? "" : " To take it off the page, delete it in the dashboard.";
    const removed = isOwned
      ? // Another resource owns the update, because the program has a new name for it.
        "a resource in the state still owns this update. Only an earlier record of it is removed."
      : `removed from the state. The update ${describeRemoved(kind, old)}.${advice}`;
    context.notice(`${formatStoredTitle(kind, id, old, context.label)}: ${removed}`);
    await forgetRemoved(kind, id, old, context);
  },

  async import(id, context) {
    const ids = parseIds(id, "IncidentUpdate import");
    const { statusPageId, incidentId, incidentUpdateId } = ids;
    const connection = getConnection({}, context);
    const incidents = connection.getIncidents(statusPageId);
    const update = await incidents.uncached.readUpdate(incidentId, incidentUpdateId);
    // Omit the public date, because a program without a date would otherwise declare a change.
    const address = { ...(statusPageId !== undefined && { statusPageId }), incidentId };
    const inputs = {
      ...address,
      status: update.status,
      description: update.description,
      ...(update.notifySubscribers === true && { notifySubscribers: true }),
    };
    const declared = declaration.safeParse(inputs).data;
    if (!declared) {
      // The engine doesn't pass whether it imports or only gets the update. In an import, `check` rejects these inputs.
      const outputs = toExistingOutputs({}, ids, update, connection.origin);
      return { id, inputs: address, outputs };
    }
    const recorded = createRecord(
      parseInputs(declared, {}),
      normalizeContent({ ...update, id: normalizeId(update.id) }),
    );
    return { id, inputs, outputs: toState(kind, recorded, connection).outputs };
  },
};

/** Checks a declaration without requests to the service. */
export function checkUpdate(
  declared: DeclaredInputs,
  old: Properties = {},
  { program }: Pick<PreviewContext, "program"> = {},
) {
  const checked = checkFields(fields, declared);
  const problems = [
    ...checked.problems,
    ...findTransformationProblem(checked.inputs, program),
    ...findTextProblems(checked.inputs, old),
  ];
  return { ...checked, problems };
}

/**
 * Returns the problems of the entries after a new entry, because it is posted before the engine checks them. A preview reports them for
 * each entry separately.
 *
 * @param problemsOf Returns the problems of one entry.
 */
function findLaterProblems(
  declared: DeclaredInputs,
  old: Properties,
  program: Context["program"],
  problemsOf: (entry: DeclaredInputs) => readonly Problem[],
): Problem[] {
  const place = getPlace({ program });
  if (!place || program?.collectsProblems || Object.keys(old).length > 0) return [];
  const { status, description, publicIncidentUpdateDate, notifySubscribers, ...common } = declared.known;
  const isCommon = (property: string) =>
    Object.hasOwn({ incidentId: true, account: true, ...common }, property);
  return (place.later ?? []).flatMap((entry, index) => {
    const { key, ...content } = entry;
    return problemsOf({ known: { ...common, ...content }, unknown: declared.unknown })
      .filter(({ property }) => !isCommon(property))
      .map(({ property, reason }) => ({
        property: `updates[${place.index + 1 + index}].${property}`,
        reason,
      }));
  });
}

/** Returns the problems of the text. A text in the state is accepted, because it was imported, or posted before the rule existed. */
function findTextProblems({ description }: Properties, old: Properties): Problem[] {
  const { description: before } = old;
  if (typeof description !== "string") return [];
  if (typeof before === "string" && sameText(description, before)) return [];
  return findRejections(description).map((reason) => ({ property: "description", reason }));
}

/** Rejects an entry that a transformation changed after its timeline computed the keys, because the keys no longer match the content. */
function findTransformationProblem(inputs: Properties, program: Context["program"]): Problem[] {
  const place = getPlace({ program });
  const key = place?.keys[place.index];
  // An invalid entry has an empty key.
  const content = key ? parseDeclaredContent(inputs) : undefined;
  const property = key && content && findChangedField(key, content);
  if (!property) return [];
  const reason =
    `${property === "description" ? "or status " : ""}was changed by a transformation of the program ` +
    "(`transforms` or `transformations`), so the order of the " +
    "timeline can't be checked. Make the change in `updates` of the IncidentTimeline instead";
  return [{ property, reason }];
}

/**
 * Checks later entries before this entry is edited, because the engine checks them only after the edit. Entries that are already public are
 * allowed.
 */
async function assertLaterEntries({ inputs, declared, connection, context }: EntryRequest): Promise<void> {
  const { program, title } = context;
  const listProblemsUnless = (isPublic: (entry: Properties) => boolean) =>
    findLaterProblems(toDeclaredInputs(inputs), {}, program, (entry) =>
      isPublic(entry.known) ? [] : checkUpdate(entry).problems,
    );
  if (listProblemsUnless(() => false).length === 0) return;
  const incident = await connection.getIncidents(declared.statusPageId).find(declared.containerId);
  const shown = incident?.incidentUpdates ?? [];
  const problems = listProblemsUnless(({ status, description }) =>
    shown.some((each) => each.status === status && sameText(each.description, String(description))),
  );
  if (problems.length > 0) throw new InvalidInputError(title, problems);
}

/** Returns the components that an incident affects, for a preview. Uses their IDs if their names can't be read. */
async function readImpacts(incident: AnyIncident | undefined, statusPageId: string, connection: Connection) {
  const lasting = listLastingImpacts(incident?.componentImpacts).filter(
    ({ status }) => status !== "OPERATIONAL",
  );
  if (lasting.length === 0) return [];
  const names = await readComponentNames(connection, statusPageId);
  return lasting.map(({ componentId: id, status }) => ({
    component: names.get(id) ?? id,
    id,
    state: status ?? "UNKNOWN",
  }));
}

/** Returns undefined if the update or its incident doesn't exist. All updates of an incident share one read. */
async function readUpdate(
  connection: Connection,
  { statusPageId, incidentId, incidentUpdateId }: Ids,
): Promise<StatusPageIncidentUpdate | undefined> {
  const incidents = connection.getIncidents(statusPageId);
  const incident = await incidents.find(incidentId);
  if (!incident) return undefined;
  const wantedId = normalizeId(incidentUpdateId);
  const shown = incident.incidentUpdates?.find(({ id }) => normalizeId(id) === wantedId);
  // A history may contain only the latest updates, so read a missing update by its ID.
  return shown ?? ignoreNotFound(incidents.getUpdate(incidentId, incidentUpdateId));
}

const text = z.string().optional().catch(undefined);

/** Reads values by type only, because `check` validates them. A value of another type is treated as missing. */
const checkedDeclaration = z.object({
  incidentId: text,
  statusPageId: text,
  status: z.enum(updateStatuses).optional().catch(undefined),
  description: text,
  notifySubscribers: z.boolean().optional().catch(undefined),
  publicIncidentUpdateDate: text,
});

/** Returns the key of the entry and, as soon as all texts of the timeline are known, the keys of the other entries. */
function getOrder(context: Pick<PreviewContext, "program">): Order {
  const { key } = context.program ?? {};
  const place = getPlace(context);
  return place ? computeOrder(place, key) : { key };
}

/** Parses inputs that `check` has accepted. */
function parseInputs(properties: Properties, context: Pick<PreviewContext, "program">): Declaration {
  const { incidentId: containerId, ...others } = declaration.parse(properties);
  return { ...normalizeContent({ containerId, ...others }), ...getOrder(context) };
}

function parseKnownInputs({ known, unknown }: DeclaredInputs, context: Pick<PreviewContext, "program">) {
  const values = Object.entries({ ...defaults, ...known }).filter(([name]) => !unknown.has(name));
  const { description, incidentId, ...others } = checkedDeclaration.parse(Object.fromEntries(values));
  const located = incidentId === undefined ? others : { ...others, containerId: incidentId };
  const content = description === undefined ? located : normalizeContent({ ...located, description });
  return { ...content, ...getOrder(context) };
}

/** Returns the place of an entry in its timeline, if the keys are known. */
const getPlace = ({ program }: Pick<PreviewContext, "program">) =>
  program?.place === "unknown" ? undefined : program?.place;

interface Ids {
  readonly statusPageId: string | undefined;
  readonly incidentId: string;
  readonly incidentUpdateId: string;
}

/** Splits the ID of a resource at slashes, because IDs of the service contain no slash. @throws InvalidInputError if a part is missing. */
function parseIds(id: string, operation: string): Ids {
  const parts = id.split("/");
  const [incidentUpdateId = "", incidentId = "", statusPageId] = parts.toReversed();
  if (parts.length <= 3 && parts.length >= 2 && !parts.includes(""))
    return { statusPageId, incidentId, incidentUpdateId };
  const reason =
    "must be <incidentId>/<incidentUpdateId> or, on a page with components, <statusPageId>/<incidentId>/<incidentUpdateId>";
  throw new InvalidInputError(operation, [{ property: "id", reason }]);
}

/** Returns the outputs of an update that a program only reads. */
function toExistingOutputs(
  old: Properties,
  { statusPageId, incidentId }: Ids,
  update: StatusPageIncidentUpdate,
  origin: Origin,
): Properties {
  const { status, description, publicIncidentUpdateDate } = update;
  const { id: incidentUpdateId, created_at: createdAt, notifySubscribers } = update;
  const published = { status, description, publicIncidentUpdateDate, notifySubscribers };
  const own = { statusPageId, incidentId, ...published, notifySubscribers: notifySubscribers ?? false };
  return { ...old, ...own, incidentUpdateId, createdAt, published, missing: false, origin };
}
