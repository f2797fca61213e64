/** Writes and reads the state of a resource: one definition of each record serves both, and neither drops a field in silence. */
import { z } from "zod";
import { updateStatuses } from "../api";
import { type PastUpdate, type Posted, type Recorded, type Sent, type Snapshot } from "./ledger";

/** Properties as the state stores them. */
type Stored = Readonly<Record<string, unknown>>;

/** A schema for each field of the type: without one, it doesn't compile. */
type Shape<Type> = { readonly [Name in keyof Type]-?: z.ZodType<Type[Name]> };

const text = z.string();

// The program's other inputs are stored, too.
const declaration = z.looseObject({
  incidentId: text,
  status: z.enum(updateStatuses),
  description: text,
  publicIncidentUpdateDate: text.optional(),
  occurrence: z.number(),
} satisfies Shape<Recorded["declared"]>);

const past = z.array(
  z.strictObject({
    id: text,
    key: text,
    occurrence: z.number(),
    date: text.optional(),
    incident: text,
    isByWords: z.boolean().optional(),
  } satisfies Shape<PastUpdate>),
);

const published = z.object({
  status: text.nullish(),
  description: text,
  publicIncidentUpdateDate: text.nullish(),
  notifySubscribers: z.boolean().nullish(),
});

const posted = z.strictObject({
  id: text,
  // An unexpected value of the service must not make the state unreadable.
  published: published.optional().catch(undefined),
  createdAt: text.nullish(),
  missing: z.boolean(),
  isByWords: z.boolean().optional(),
  past,
} satisfies Shape<Omit<Posted, "kind" | "declared">>);

const postedOutputs = posted.omit({ id: true }).extend({ incidentUpdateId: posted.shape.id });

const snapshot = z.strictObject({ ids: z.array(text), newest: text.optional() } satisfies Shape<Snapshot>);

const sent = z.strictObject({
  nonce: text,
  at: z.number(),
  ownIds: z.array(text),
  answered: text.optional(),
  isTextSecret: z.boolean().default(true),
} satisfies Shape<Omit<Sent, "kind" | "declared" | "seen" | "past">>);

const sentOutputs = z.object({ past, unconfirmed: sent.extend(snapshot.shape) });

/** The outputs that record it. @throws ZodError for a field that could not be read again. */
export function encode(recorded: Recorded): Stored {
  if (recorded.kind === "posted") {
    const { kind, declared, ...fields } = recorded;
    const { id, ...others } = posted.parse(fields);
    return { ...declaredOutputs(declared), incidentUpdateId: id, ...others };
  }
  const { kind, declared, seen, past: pastUpdates, ...fields } = recorded;
  const unconfirmed = { ...snapshot.parse(seen), ...sent.parse(fields) };
  return { ...declaredOutputs(declared), missing: false, past: past.parse(pastUpdates), unconfirmed };
}

/** The keys of a timeline describe other updates, and its own among them. */
function declaredOutputs(declared: Recorded["declared"]): Stored {
  const { followedBy, follows, entry, ...outputs } = declaration.parse(declared);
  return outputs;
}

/**
 * Reads what the outputs record. An update that no program declares was only `read`. `field`: the path of what is `unreadable`.
 */
export function decode(state: Stored) {
  if (!("past" in state) && !("unconfirmed" in state)) return { kind: "read" } as const;
  try {
    return { kind: "recorded", recorded: parse(state) } as const;
  } catch (error) {
    if (error instanceof z.ZodError) return { kind: "unreadable", field: pathIn(error) } as const;
    throw error;
  }
}

/** @throws ZodError */
function parse(state: Stored): Recorded {
  const { incidentUpdateId, published, createdAt, missing, isByWords, past, unconfirmed, ...inputs } = state;
  const declared = declaration.parse(inputs);
  if (unconfirmed === undefined) {
    const outputs = { incidentUpdateId, published, createdAt, missing, isByWords, past };
    const { incidentUpdateId: id, ...fields } = postedOutputs.parse(outputs);
    return { kind: "posted", declared, id, ...fields };
  }
  const fields = sentOutputs.parse({ past, unconfirmed });
  const { ids, newest, ...others } = fields.unconfirmed;
  return { kind: "sent", declared, seen: { ids, newest }, past: fields.past, ...others };
}

function pathIn({ issues: [first] }: z.ZodError): string {
  const unknown = first?.code === "unrecognized_keys" ? first.keys.slice(0, 1) : [];
  return [...(first?.path ?? []), ...unknown].join(".");
}
