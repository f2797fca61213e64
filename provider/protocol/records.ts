/**
 * Defines the record of an update in the state. The types, `encode` and `decode` are derived from one definition, so that none of them
 * silently drops a field.
 */
import { z } from "zod";
import { componentStatuses, updateStatuses } from "../api";
import {
  listChangedFields,
  type Content,
  type Declaration,
  type Identity,
  canEdit,
  isEditable,
  isOfLocation,
  isSameDeclaration,
  matches,
  type RawContent,
  type NormalizedContent,
  type ShownUpdate,
  computeContentVersion,
  matchesRecord,
  normalizeContent,
} from "./identity";

type StoredOutputs = Readonly<Record<string, unknown>>;

const text = z.string();

/** An update that a resource owns. It is recognized even if the service doesn't show it. */
export interface OwnedUpdate {
  readonly id: string;
  readonly contentKey: string;
  readonly date?: string;
  readonly containerId: string;
}

/** The version of everything that the state and the notes store. A change of a formula or a field requires the next version. */
export const formatVersion = z.literal(1);

const componentImpact = z.object({ componentId: text, status: z.enum(componentStatuses) });

const published = z.object({
  name: text.optional(),
  componentImpacts: z.array(componentImpact).readonly().optional(),
  status: text.nullish(),
  description: text,
  publicIncidentUpdateDate: text.nullish(),
  notifySubscribers: z.boolean().nullish(),
});

const posted = z.object({
  /** The update as the service last showed it. An unexpected value must not make the state unreadable. */
  published: published.optional().catch(undefined),
  createdAt: text.nullish(),
  missing: z.boolean(),
});

/** What the resource knows of its own writes. A refresh doesn't change it. */
const writes = z.strictObject({
  /** The version that the resource last wrote ({@link computeContentVersion}). An edit never overwrites any other version. */
  written: text,
  /** The time of the edit that wrote it, in milliseconds since 1970. Undefined if it was posted. */
  editedAt: z.number().optional(),
  /**
   * Other versions that reads may still return. Entries with `until`: the version before an edit, until all reads show the edit. Entries
   * without it: versions sent in edits whose results are unknown. The version is empty for a killed run's edit, because the note stores
   * only a hash of it.
   */
  mayShow: z
    .array(z.strictObject({ version: text, until: z.number().optional() }))
    .readonly()
    .optional(),
});

const sent = z.strictObject({
  /** The IDs of the updates that existed before the post. */
  ids: z.array(text).readonly(),
  /** The latest `created_at` of these updates, by the service's clock. Undefined if no update has this field. */
  newest: text.optional(),
  /** Identifies the note of the post. The resend code is computed from it. */
  nonce: text,
  at: z.number(),
  /** The ID in the response, if the response didn't contain a new update. */
  answered: text.optional(),
  /** How often the user has permitted repeating the post. */
  repeats: z.number().optional(),
  /** True if the text may have been a secret at the time of the post. */
  isTextSecret: z.boolean().default(true),
});

/** The output that contains the rest of the record. */
const record = z.union([
  z.strictObject({ version: formatVersion, posted: writes }),
  z.strictObject({ version: formatVersion, sent }),
]);

type Writes = Readonly<z.output<typeof writes>>;

export interface PostedUpdate extends Writes {
  readonly kind: "posted";
  readonly id: string;
  readonly declared: Identity;
  readonly createdAt?: string | null | undefined;
  /** True if the last refresh didn't find it. */
  readonly missing: boolean;
  readonly published?:
    | (NormalizedContent & Pick<ShownUpdate, "notifySubscribers" | "componentImpacts">)
    | undefined;
}

type SentOutputs = Readonly<z.output<typeof sent>>;

export type Snapshot = Pick<SentOutputs, "ids" | "newest">;

/** A post whose result is unknown. */
export interface UnconfirmedPost extends Omit<SentOutputs, keyof Snapshot> {
  readonly kind: "sent";
  readonly declared: Identity;
  readonly seen: Snapshot;
}

export type UpdateRecord = PostedUpdate | UnconfirmedPost;

/** The names of the properties that contain the IDs of the container and of the entry. */
export interface IdNames {
  readonly containerId: string;
  readonly id: string;
}

// The state also contains the program's other inputs.
const declaration = z.looseObject({
  containerId: text,
  statusPageId: text.optional(),
  status: z.enum(updateStatuses),
  description: text,
  name: text.optional(),
  publicIncidentUpdateDate: text.optional(),
});

/** Converts the record to outputs of the resource. @throws ZodError for a field that `decode` couldn't read. */
export function encode(recorded: UpdateRecord, names: IdNames): StoredOutputs {
  const inputs = toDeclaredOutputs(recorded.declared, names);
  if (recorded.kind === "posted") {
    const { kind, declared, id, published: shown, createdAt, missing, ...rest } = recorded;
    const outputs = posted.parse({ published: shown, createdAt, missing });
    return { ...inputs, ...outputs, [names.id]: id, record: record.parse({ version: 1, posted: rest }) };
  }
  const { kind, declared, seen, ...fields } = recorded;
  return { ...inputs, missing: false, record: record.parse({ version: 1, sent: { ...seen, ...fields } }) };
}

/** Omits fields that can be computed or that describe other entries of the timeline. */
function toDeclaredOutputs(declared: Identity, names: IdNames): StoredOutputs {
  const { containerId, text, contentKey, followedBy, follows, entry, key, ...outputs } =
    declaration.parse(declared);
  return { ...outputs, [names.containerId]: containerId };
}

/** Reads the record in the outputs. Undefined for an update that a program only reads. `field`: the path of an unreadable value. */
export function decode(state: StoredOutputs, names: IdNames) {
  if (!("record" in state)) return undefined;
  try {
    return parse(state, names);
  } catch (error) {
    if (error instanceof z.ZodError) return { kind: "unreadable", field: getIssuePath(error) } as const;
    throw error;
  }
}

function parse(state: StoredOutputs, names: IdNames): UpdateRecord {
  const { [names.id]: id, published: _, createdAt: __, missing: ___, record: ____, ...inputs } = state;
  const declared = normalizeContent(declaration.parse({ ...inputs, containerId: state[names.containerId] }));
  const { record: found } = z.object({ record }).parse(state);
  if ("sent" in found) {
    const { ids, newest, ...fields } = found.sent;
    return { kind: "sent", declared, seen: { ids, newest }, ...fields };
  }
  const { published: shown, ...fields } = posted.parse(state);
  const published = shown && normalizeContent(shown, [declared]);
  return { kind: "posted", declared, id: text.parse(id), published, ...fields, ...found.posted };
}

function getIssuePath({ issues: [first] }: z.ZodError): string {
  return first?.path.join(".") || "record";
}

export function toOwnedUpdate({ id, declared, published }: PostedUpdate): OwnedUpdate {
  // Prefer the declared date, because the service may have changed the published date.
  const date = declared.publicIncidentUpdateDate ?? published?.publicIncidentUpdateDate;
  const { contentKey, containerId } = declared;
  return { id, contentKey, containerId, ...(date != null && { date }) };
}

/** Returns the record with the shown content as the content that the resource wrote. */
export function withPublished(recorded: PostedUpdate, update: NormalizedContent): PostedUpdate {
  return { ...recorded, published: update, missing: false, written: computeContentVersion(update) };
}

/** Returns the content on the public page, according to the state. Undefined if the last refresh didn't find the update. */
export function getPublicContent({ missing, published, declared }: PostedUpdate): Content | undefined {
  return missing ? undefined : (published ?? declared);
}

/** Returns the public content with the declared date, because a service may show dates that it has changed. */
export function withDeclaredDate(shown: Content, declared: Identity): Content {
  const { publicIncidentUpdateDate = shown.publicIncidentUpdateDate } = declared;
  return { ...shown, publicIncidentUpdateDate };
}

/** Returns true if the declaration describes this update, compared with the content that the program declared for it. */
export function matchesOwned(declared: Identity, owned: OwnedUpdate): boolean {
  return owned.containerId === declared.containerId && matchesRecord(declared, owned);
}

/**
 * Returns true if the `edit` phase must verify the content of the update, because the result of an earlier edit is unknown, or because a
 * refresh found content that this resource didn't write.
 */
export function needsVerification(
  { written, mayShow = [], published, missing }: PostedUpdate,
  declared: Partial<Declaration>,
): boolean {
  const isDrifted = !missing && published && computeContentVersion(published) !== written;
  return (isDrifted && isEditable(declared)) || mayShow.some(({ until }) => until === undefined);
}

/** A post or an edit that is recorded in a note in the lock directory. */
export interface NotedPost {
  readonly nonce: string;
  /**
   * The note stores a salted hash of it. If this is the hash of no content key that the task looks for, it is empty. Only notes of edits
   * and of this resource are read in that case.
   */
  readonly contentKey: string;
  /** The 1-based index among identical entries of a timeline. */
  readonly occurrence: number;
  readonly date?: string;
  readonly at: number;
  readonly id?: string;
  /** True if a run reported that the result is unknown. */
  readonly isReported?: boolean;
  /** True if this run of Pulumi sent it for another resource, through the process of a different Provider. */
  readonly isFromOtherProvider?: boolean;
  /** True if it was sent for this resource. */
  readonly isOwn?: boolean;
  /** The ID of the update that it edits. Once the note contains an `id`, the edit was applied. */
  readonly edits?: string;
  /** The time until which the update may still appear, in milliseconds since 1970. */
  readonly mayAppearUntil: number;
  /** The time at which a resend code for the post takes effect. */
  readonly codeStart: number;
}

/** Adds the edit of a killed run to the record. Only the note of the edit contains it. */
export function withNotedEdit(recorded: PostedUpdate, notes: readonly NotedPost[]): PostedUpdate {
  const { id, declared, editedAt = -Infinity, mayShow = [] } = recorded;
  // Accept a note without a result even if the name of the resource differs, because the resource may have been renamed.
  const last = notes.filter((note) => note.edits === id && (note.isOwn || note.id === undefined)).at(-1);
  const isKnown = !last || last.at < editedAt || (last.id !== undefined && matchesRecord(declared, last));
  return isKnown ? recorded : { ...recorded, mayShow: [...mayShow, { version: "" }] };
}

/** Returns true if the public update already matches the declaration, although the declaration changed. */
export function isShownAsDeclared(
  { published, missing, declared: recorded }: PostedUpdate,
  declared: Declaration,
): boolean {
  if (missing || !published) return false;
  if (isSameDeclaration(recorded, declared)) return true;
  // The last read may be stale, so let the `edit` phase verify the content.
  if (isEditable(declared)) return false;
  return !isOfLocation(listChangedFields(recorded, declared)) && matches(declared, published);
}

/** Returns true if `pulumi up` leaves the update as it is, without running a task. */
export function isKept(recorded: UpdateRecord, declared: Declaration): recorded is PostedUpdate {
  if (recorded.kind === "sent") return false;
  const { publicIncidentUpdateDate: date = recorded.declared.publicIncidentUpdateDate } = declared;
  // Removing the declared date only changes the state.
  const changed = listChangedFields(recorded.declared, { ...declared, publicIncidentUpdateDate: date });
  return !canEdit(declared, changed) && !needsVerification(recorded, declared);
}

/**
 * Returns the record of an update that is kept. Undefined if the update doesn't match the declaration.
 *
 * @param shown The content on the service. Undefined before it is read.
 */
export function toKeptRecord(
  recorded: PostedUpdate,
  declared: Declaration,
  shown?: RawContent,
): PostedUpdate | undefined {
  const kept = { ...recorded, declared };
  if (matches(declared, recorded.declared)) return kept;
  const read = shown && normalizeContent(shown, [declared]);
  return read && matches(declared, read) ? withPublished(kept, read) : undefined;
}
