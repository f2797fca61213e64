/**
 * Defines what the state of a resource records. The types, `encode` and `decode` follow from one definition, so that none silently drops a
 * field.
 */
import { z } from "zod";
import { componentStatuses, sameSecond, type StatusPageIncidentUpdate, updateStatuses } from "../api";
import {
  listChangedFields,
  type Content,
  type Declaration,
  type Identity,
  isEditOf,
  isSameDeclaration,
  isSameSaid,
  matches,
  onChangeOf,
  type RawContent,
  type NormalizedContent,
  computeContentVersion,
  matchesRecord,
  normalizeContent,
} from "./identity";

type StoredOutputs = Readonly<Record<string, unknown>>;

const text = z.string();

const storedPast = z.strictObject({
  id: text,
  words: text,
  occurrence: z.number(),
  date: text.optional(),
  /** The ID of the container. The name is that of the first releases. */
  incident: text,
  isByWords: z.boolean().optional(),
});

type StoredPast = Readonly<z.output<typeof storedPast>>;

/** An update that a resource had before, recognizable even if the service doesn't show it. */
export interface PastUpdate extends Omit<StoredPast, "incident"> {
  readonly container: string;
}

const past = z.array(storedPast).readonly();

function encodePast({ container: incident, ...update }: PastUpdate): StoredPast {
  return { ...update, incident };
}

function decodePast({ incident: container, ...update }: StoredPast): PastUpdate {
  return { ...update, container };
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
  /** What the resource made public last ({@link computeContentVersion}). A refresh leaves it, and an edit overwrites nothing else unasked. */
  made: text.optional(),
  /** When it did, by an edit; in milliseconds since 1970. */
  madeAt: z.number().optional(),
  /**
   * What reads may show instead: until a time, what it said before; without one, what edits say whose results are unknown. Of an edit of a
   * killed run, which only its note has, nobody knows the words: they are empty.
   */
  maySay: z
    .array(z.strictObject({ said: text, until: z.number().optional() }))
    .readonly()
    .optional(),
  /** True if only its words match the declaration: it may have been posted with another date or other characters. */
  isByWords: z.boolean().optional(),
  past,
});

type PostedOutputs = Readonly<z.output<typeof posted>>;

export interface PostedUpdate extends Omit<PostedOutputs, "incidentUpdateId" | "published" | "past"> {
  readonly kind: "posted";
  readonly id: PostedOutputs["incidentUpdateId"];
  readonly declared: Identity;
  readonly published?: (NormalizedContent & Pick<StatusPageIncidentUpdate, "notifySubscribers">) | undefined;
  readonly past: readonly PastUpdate[];
}

const sent = z.strictObject({
  /** The updates that existed before the post. */
  ids: z.array(text).readonly(),
  /** The latest `created_at` of these, by the service's clock; undefined if none has one. */
  newest: text.optional(),
  /** Identifies the note of the post, and the question about it. */
  nonce: text,
  at: z.number(),
  answered: text.optional(),
  /** The impacts that were sent with an incident, so that impacts which somebody has changed since aren't overwritten. */
  componentImpacts,
  /** How often the user has permitted to repeat it. */
  repeats: z.number().optional(),
  /** True if the text may have been a secret at the time of the post. */
  isTextSecret: z.boolean().default(true),
});

type SentOutputs = Readonly<z.output<typeof sent>>;

export type Snapshot = Pick<SentOutputs, "ids" | "newest">;

/** A resource whose update was sent, and whose result is unknown. */
export interface UnconfirmedPost extends Omit<SentOutputs, keyof Snapshot | "componentImpacts"> {
  readonly kind: "sent";
  readonly declared: Identity;
  readonly seen: Snapshot;
  readonly past: readonly PastUpdate[];
}

export type UpdateRecord = PostedUpdate | UnconfirmedPost;

// The state has the program's other inputs, too.
const declaration = z.looseObject({
  /** The ID of the container. The name is that of the first releases. */
  incidentId: text,
  status: z.enum(updateStatuses),
  description: text,
  name: text.optional(),
  impacts: text.optional(),
  publicIncidentUpdateDate: text.optional(),
  occurrence: z.number(),
});

const sentOutputs = z.object({ past, unconfirmed: sent });
/** The same beside the inputs, which the state has, too. */
const postedOutputs = posted.strip();

/** Makes the outputs that record it. @throws ZodError for a field that `decode` couldn't read. */
export function encode(recorded: UpdateRecord): StoredOutputs {
  if (recorded.kind === "posted") {
    const { kind, declared, id, past, ...fields } = recorded;
    const outputs = posted.parse({ incidentUpdateId: id, ...fields, past: past.map(encodePast) });
    return { ...toDeclaredOutputs(declared), ...outputs };
  }
  const { kind, declared, seen, past, ...fields } = recorded;
  const unconfirmed = { ...seen, ...fields, componentImpacts: declared.componentImpacts };
  const outputs = sentOutputs.parse({ past: past.map(encodePast), unconfirmed });
  return { ...toDeclaredOutputs(declared), missing: false, ...outputs };
}

/** Leaves out what can be computed, and the keys of a timeline, which describe other updates, or this one among them. */
function toDeclaredOutputs({
  containerId: incidentId,
  ...declared
}: UpdateRecord["declared"]): StoredOutputs {
  const stored = declaration.parse({ incidentId, ...declared });
  const { text, contentKey, componentImpacts, followedBy, follows, entry, key, ...outputs } = stored;
  return outputs;
}

/** Reads what the outputs record; undefined for an update that a program only reads. `field`: the path of what is `unreadable`. */
export function decode(state: StoredOutputs) {
  if (!("past" in state) && !("unconfirmed" in state)) return undefined;
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
    const { incidentUpdateId: id, published: shown, past, ...fields } = postedOutputs.parse(state);
    const published = shown && normalizeContent(shown, [declared]);
    return { kind: "posted", declared, id, published, ...fields, past: past.map(decodePast) };
  }
  const { past, unconfirmed } = sentOutputs.parse(state);
  const { ids, newest, componentImpacts: impacts, ...fields } = unconfirmed;
  const sentAs = impacts === undefined ? declared : { ...declared, componentImpacts: impacts };
  return { kind: "sent", declared: sentAs, seen: { ids, newest }, past: past.map(decodePast), ...fields };
}

function getIssuePath({ issues: [first] }: z.ZodError): string {
  const unknown = first?.code === "unrecognized_keys" ? first.keys.slice(0, 1) : [];
  return [...(first?.path ?? []), ...unknown].join(".");
}

export function toPastUpdate({ id, declared, published, isByWords }: PostedUpdate): PastUpdate {
  // Prefers the declared date, because the service may have changed it.
  const date = declared.publicIncidentUpdateDate ?? published?.publicIncidentUpdateDate;
  const { occurrence, containerId: container } = declared;
  const past = { id, words: declared.contentKey, occurrence, container, ...(date != null && { date }) };
  return isByWords ? { ...past, isByWords } : past;
}

export interface Lineage {
  readonly past: readonly PastUpdate[];
  readonly current?: PastUpdate;
  /** True if these had other ids, perhaps, at another address of the container. */
  readonly isMoved?: boolean | undefined;
}

export function listPastUpdates({ past, current }: Lineage): readonly PastUpdate[] {
  return current ? [...past, current] : past;
}

export function withDeclaration(recorded: PostedUpdate, declared: Identity): PostedUpdate {
  const [before, after] = [recorded.declared, declared].map((each) => each.publicIncidentUpdateDate);
  const isSameDate = before === after || sameSecond(before, after);
  return { ...recorded, declared, ...(!isSameDate && { isByWords: true }) };
}

/** What is recorded once the program declares what the service shows. */
export function withPublished(recorded: PostedUpdate, update: NormalizedContent): PostedUpdate {
  return { ...recorded, published: update, missing: false, made: computeContentVersion(update) };
}

/** What is recorded, at another address of its container, where that may have another id. */
export function withIncidentId(containerId: string, recorded: UpdateRecord): UpdateRecord {
  const { containerId: from } = recorded.declared;
  return {
    ...recorded,
    declared: { ...recorded.declared, containerId },
    past: recorded.past.map((each) => (each.container === from ? { ...each, container: containerId } : each)),
  };
}

/** The content on the public page, as far as the state knows; undefined if the last refresh didn't find the update. */
export function getPublicContent({ missing, published, declared }: PostedUpdate): Content | undefined {
  return missing ? undefined : (published ?? declared);
}

/** Whether the declaration describes this update, judged by what the program declared for it. */
export function matchesPast(declared: Identity, past: Omit<PastUpdate, "id">): boolean {
  return past.container === declared.containerId && matchesRecord(declared, past);
}

/** How the declaration differs from the one that another resource has for this update. */
export function findDifference(
  declared: Identity,
  past: Omit<PastUpdate, "id">,
): "occurrence" | "content" | undefined {
  if (!matchesPast(declared, past)) return "content";
  return past.occurrence === declared.occurrence ? undefined : "occurrence";
}

/**
 * Whether an edit must make sure what the update says: the result of an earlier one is unknown, or a refresh has found what this resource
 * didn't make.
 */
export function needsVerification(
  { made, maySay = [], published, missing }: PostedUpdate,
  { onChange }: Partial<Declaration>,
): boolean {
  const isDrifted =
    !missing && published && made !== undefined && !isSameSaid(computeContentVersion(published), made);
  return (isDrifted && onChange === "edit") || maySay.some(({ until }) => until === undefined);
}

/** A post that has a note in the lock directory. */
export interface NotedPost {
  readonly nonce: string;
  readonly words: string;
  readonly occurrence: number;
  readonly date?: string;
  readonly at: number;
  readonly id?: string;
  /** True if only its words identify the update. */
  readonly isByWords?: boolean;
  readonly isReported?: boolean;
  /** True if this run of Pulumi sent it for another resource, by the process of another Provider. */
  readonly isFromOtherProvider?: boolean;
  /** True if it was sent for this very resource. */
  readonly isOwn?: boolean;
  /** The update that it edited, which has these words once the note has an id. Of such notes and own ones, `words` is empty for other words. */
  readonly edits?: string;
  /** True if an edit has taken these words away since: they tell only this very resource whose update it is. */
  readonly isReworded?: boolean;
  /** Until this time, the service may still show it; in milliseconds since 1970. */
  readonly mayAppearUntil: number;
  /** From this time on, a code about it counts. */
  readonly codeStart: number;
}

const hasMatchingDate = ({ date }: NotedPost, { publicIncidentUpdateDate: declared }: Identity): boolean =>
  date === undefined || declared === undefined || sameSecond(date, declared);

/** The record, with the edit of a killed run that only its note has. */
export function withNotedEdit(recorded: PostedUpdate, noted: readonly NotedPost[]): PostedUpdate {
  const { id, declared, madeAt = -Infinity, maySay = [] } = recorded;
  // The resource may have another name since.
  const last = noted.filter((note) => note.edits === id && (note.isOwn || note.id === undefined)).at(-1);
  const isKnown =
    !last ||
    last.at < madeAt ||
    (last.id !== undefined && last.words === declared.contentKey && hasMatchingDate(last, declared));
  return isKnown ? recorded : { ...recorded, maySay: [...maySay, { said: "" }] };
}

/** Whether the public update already matches the declaration, although the declaration changed. */
export function isShownAsDeclared(
  { published, missing, declared: recorded }: PostedUpdate,
  declared: Declaration,
): boolean {
  if (missing || !published) return false;
  // A timeline counts the occurrences of its entries itself.
  const isEntry = declared.followedBy !== undefined;
  const before = isEntry ? { ...recorded, occurrence: declared.occurrence } : recorded;
  if (isSameDeclaration(before, declared)) return true;
  // What a read shows may be late: an edit makes sure.
  if (onChangeOf(declared, listChangedFields(before, declared)) === "edit") return false;
  const isSamePlace =
    before.containerId === declared.containerId && before.occurrence === declared.occurrence;
  return isSamePlace && matches(declared, published);
}

/** Whether an `up` leaves the update as it is, so that nothing is asked of the protocol. */
export function isKept(
  recorded: UpdateRecord,
  declared: Declaration,
  isMoved: boolean,
): recorded is PostedUpdate {
  if (recorded.kind === "sent" || isMoved) return false;
  const { publicIncidentUpdateDate: date = recorded.declared.publicIncidentUpdateDate } = declared;
  // A date that is dropped changes the state alone.
  const changed = listChangedFields(recorded.declared, { ...declared, publicIncidentUpdateDate: date });
  return !isEditOf(declared, changed) && !needsVerification(recorded, declared);
}

/**
 * What is recorded of an update that is kept; undefined if it doesn't say what is declared.
 *
 * @param shown What it says on the service; undefined before it is read.
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
