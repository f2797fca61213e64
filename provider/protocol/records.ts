/**
 * Defines the record of an update in the state. The types, `encode` and `decode` are derived from one definition, so that none of them
 * silently drops a field.
 */
import { z } from "zod";
import { componentStatuses, sameSecond, type StatusPageIncidentUpdate, updateStatuses } from "../api";
import {
  listChangedFields,
  type Content,
  type Declaration,
  type Identity,
  canEdit,
  isSameDeclaration,
  matches,
  type RawContent,
  type NormalizedContent,
  computeContentVersion,
  hasSameDate,
  matchesRecord,
  normalizeContent,
} from "./identity";

type StoredOutputs = Readonly<Record<string, unknown>>;

const text = z.string();

/** An update that a resource owns. It is recognized even if the service doesn't show it. */
export interface OwnedUpdate {
  readonly id: string;
  /** The content key. */
  readonly words: string;
  readonly occurrence: number;
  readonly date?: string;
  readonly container: string;
  readonly isByWords?: boolean;
}

const componentImpact = z.object({ componentId: text, status: z.enum(componentStatuses) });

const componentImpacts = z.array(componentImpact).readonly().optional();

const published = z.object({
  name: text.optional(),
  componentImpacts,
  status: text.nullish(),
  description: text,
  publicIncidentUpdateDate: text.nullish(),
  notifySubscribers: z.boolean().nullish(),
});

const posted = z.strictObject({
  incidentUpdateId: text,
  /** The update as the service last showed it. An unexpected value must not make the state unreadable. */
  published: published.optional().catch(undefined),
  createdAt: text.nullish(),
  missing: z.boolean(),
  /**
   * The version that the resource last wrote ({@link computeContentVersion}). A refresh doesn't change it. An edit requires a resend code
   * to overwrite any other version.
   */
  made: text.optional(),
  /** The time of the edit that wrote it, in milliseconds since 1970. Undefined if it was posted. */
  madeAt: z.number().optional(),
  /**
   * Other versions that reads may still return. Entries with `until`: the version before an edit, until all reads show the edit. Entries
   * without it: versions sent in edits whose results are unknown. The version is empty for a killed run's edit, because the note stores
   * only a hash of it.
   */
  maySay: z
    .array(
      z.strictObject({ said: text, until: z.number().optional() }),
    )
    .readonly()
    .optional(),
  /** True if only its content identifies it: it may have been posted with a different date or different characters. */
  isByWords: z.boolean().optional(),
});

type PostedOutputs = Readonly<z.output<typeof posted>>;

export interface PostedUpdate extends Omit<PostedOutputs, "incidentUpdateId" | "published"> {
  readonly kind: "posted";
  readonly id: PostedOutputs["incidentUpdateId"];
  readonly declared: Identity;
  readonly published?: (NormalizedContent & Pick<StatusPageIncidentUpdate, "notifySubscribers">) | undefined;
}

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

type SentOutputs = Readonly<z.output<typeof sent>>;

export type Snapshot = Pick<SentOutputs, "ids" | "newest">;

/** A post whose result is unknown. */
export interface UnconfirmedPost extends Omit<SentOutputs, keyof Snapshot> {
  readonly kind: "sent";
  readonly declared: Identity;
  readonly seen: Snapshot;
}

export type UpdateRecord = PostedUpdate | UnconfirmedPost;

// The state also contains the program's other inputs.
const declaration = z.looseObject({
  /** The ID of the container. The field keeps its name from the first releases. */
  incidentId: text,
  status: z.enum(updateStatuses),
  description: text,
  name: text.optional(),
  impacts: text.optional(),
  publicIncidentUpdateDate: text.optional(),
  occurrence: z.number(),
});

const sentOutputs = z.object({ unconfirmed: sent });
/** Like `posted`, but ignores the inputs that the state also contains. */
const postedOutputs = posted.strip();

/** Converts the record to outputs of the resource. @throws ZodError for a field that `decode` couldn't read. */
export function encode(recorded: UpdateRecord): StoredOutputs {
  if (recorded.kind === "posted") {
    const { kind, declared, id, ...fields } = recorded;
    const outputs = posted.parse({ incidentUpdateId: id, ...fields });
    return { ...toDeclaredOutputs(declared), ...outputs };
  }
  const { kind, declared, seen, ...fields } = recorded;
  const unconfirmed = { ...seen, ...fields };
  const outputs = sentOutputs.parse({ unconfirmed });
  return { ...toDeclaredOutputs(declared), missing: false, ...outputs };
}

/** Omits fields that can be computed or that describe other entries of the timeline. */
function toDeclaredOutputs({
  containerId: incidentId,
  ...declared
}: UpdateRecord["declared"]): StoredOutputs {
  const stored = declaration.parse({ incidentId, ...declared });
  const { text, contentKey, componentImpacts, followedBy, follows, entry, key, ...outputs } = stored;
  return outputs;
}

/** Reads the record in the outputs. Undefined for an update that a program only reads. `field`: the path of an unreadable value. */
export function decode(state: StoredOutputs) {
  if (!("made" in state) && !("unconfirmed" in state)) return undefined;
  try {
    return parse(state);
  } catch (error) {
    if (error instanceof z.ZodError) return { kind: "unreadable", field: getIssuePath(error) } as const;
    throw error;
  }
}

function parse(state: StoredOutputs): UpdateRecord {
  const inputs = Object.entries(state).filter(
    ([name]) => !(name in posted.shape || name in sentOutputs.shape),
  );
  const { incidentId: containerId, ...content } = declaration.parse(Object.fromEntries(inputs));
  const declared = normalizeContent({ containerId, ...content });
  if (state["unconfirmed"] === undefined) {
    const { incidentUpdateId: id, published: shown, ...fields } = postedOutputs.parse(state);
    const published = shown && normalizeContent(shown, [declared]);
    return { kind: "posted", declared, id, published, ...fields };
  }
  const { unconfirmed } = sentOutputs.parse(state);
  const { ids, newest, ...fields } = unconfirmed;
  return { kind: "sent", declared, seen: { ids, newest }, ...fields };
}

function getIssuePath({ issues: [first] }: z.ZodError): string {
  const unknown = first?.code === "unrecognized_keys" ? first.keys.slice(0, 1) : [];
  return [...(first?.path ?? []), ...unknown].join(".");
}

export function toOwnedUpdate({ id, declared, published, isByWords }: PostedUpdate): OwnedUpdate {
  // Prefer the declared date, because the service may have changed the published date.
  const date = declared.publicIncidentUpdateDate ?? published?.publicIncidentUpdateDate;
  const { occurrence, containerId: container } = declared;
  const owned = { id, words: declared.contentKey, occurrence, container, ...(date != null && { date }) };
  return isByWords ? { ...owned, isByWords } : owned;
}

export function withDeclaration(recorded: PostedUpdate, declared: Identity): PostedUpdate {
  return { ...recorded, declared, ...(!hasSameDate(recorded.declared, declared) && { isByWords: true }) };
}

/** Returns the record with the shown content as the content that the resource wrote. */
export function withPublished(recorded: PostedUpdate, update: NormalizedContent): PostedUpdate {
  return { ...recorded, published: update, missing: false, made: computeContentVersion(update) };
}

/** Returns the content on the public page, according to the state. Undefined if the last refresh didn't find the update. */
export function getPublicContent({ missing, published, declared }: PostedUpdate): Content | undefined {
  return missing ? undefined : (published ?? declared);
}

/** Returns true if the declaration describes this update, compared with the content that the program declared for it. */
export function matchesOwned(declared: Identity, owned: Omit<OwnedUpdate, "id">): boolean {
  return owned.container === declared.containerId && matchesRecord(declared, owned);
}

/** Returns how the declaration differs from another resource's declaration of this update. */
export function findDifference(
  declared: Identity,
  owned: Omit<OwnedUpdate, "id">,
): "occurrence" | "content" | undefined {
  if (!matchesOwned(declared, owned)) return "content";
  return owned.occurrence === declared.occurrence ? undefined : "occurrence";
}

/**
 * Returns true if the `edit` phase must verify the content of the update, because the result of an earlier edit is unknown, or because a
 * refresh found content that this resource didn't write.
 */
export function needsVerification(
  { made, maySay = [], published, missing }: PostedUpdate,
  { onChange }: Partial<Declaration>,
): boolean {
  const isDrifted =
    !missing && published && made !== undefined && computeContentVersion(published) !== made;
  return (isDrifted && onChange === "edit") || maySay.some(({ until }) => until === undefined);
}

/** A post or an edit that is recorded in a note in the lock directory. */
export interface NotedPost {
  readonly nonce: string;
  /**
   * The content key. The note stores a salted hash of it. If this is the hash of no content key that the task looks for, `words` is empty.
   * Only notes of edits and of this resource are read in that case.
   */
  readonly words: string;
  readonly occurrence: number;
  readonly date?: string;
  readonly at: number;
  readonly id?: string;
  /** True if only its content identifies the update. */
  readonly isByWords?: boolean;
  readonly isReported?: boolean;
  /** True if this run of Pulumi sent it for another resource, through the process of a different Provider. */
  readonly isFromOtherProvider?: boolean;
  /** True if it was sent for this resource. */
  readonly isOwn?: boolean;
  /** The ID of the update that it edits. Once the note contains an `id`, the edit was applied. */
  readonly edits?: string;
  /** True if a later edit has replaced the content of this post. The note then only identifies the update of its own resource. */
  readonly isReworded?: boolean;
  /** The time until which the update may still appear, in milliseconds since 1970. */
  readonly mayAppearUntil: number;
  /** The time at which a resend code for the post takes effect. */
  readonly codeStart: number;
}

const hasMatchingDate = ({ date }: NotedPost, { publicIncidentUpdateDate: declared }: Identity): boolean =>
  date === undefined || declared === undefined || sameSecond(date, declared);

/** Adds the edit of a killed run to the record. Only the note of the edit contains it. */
export function withNotedEdit(recorded: PostedUpdate, noted: readonly NotedPost[]): PostedUpdate {
  const { id, declared, madeAt = -Infinity, maySay = [] } = recorded;
  // Accept a note without a result even if the name of the resource differs, because the resource may have been renamed.
  const last = noted.filter((note) => note.edits === id && (note.isOwn || note.id === undefined)).at(-1);
  const isKnown =
    !last ||
    last.at < madeAt ||
    (last.id !== undefined && last.words === declared.contentKey && hasMatchingDate(last, declared));
  return isKnown ? recorded : { ...recorded, maySay: [...maySay, { said: "" }] };
}

/** Returns true if the public update already matches the declaration, although the declaration changed. */
export function isShownAsDeclared(
  { published, missing, declared: recorded }: PostedUpdate,
  declared: Declaration,
): boolean {
  if (missing || !published) return false;
  // A timeline numbers the occurrences of its entries itself, so a different number isn't a change.
  const isEntry = declared.followedBy !== undefined;
  const before = isEntry ? { ...recorded, occurrence: declared.occurrence } : recorded;
  if (isSameDeclaration(before, declared)) return true;
  // The last read may be stale, so let the `edit` phase verify the content.
  if (declared.onChange === "edit") return false;
  const isSamePlace =
    before.containerId === declared.containerId && before.occurrence === declared.occurrence;
  return isSamePlace && matches(declared, published);
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
  const kept = withDeclaration(recorded, declared);
  if (matches(declared, recorded.declared)) return kept;
  const read = shown && normalizeContent(shown, [declared]);
  return read && matches(declared, read) ? withPublished(kept, read) : undefined;
}
