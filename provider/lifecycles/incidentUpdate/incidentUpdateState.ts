/** The state of an `IncidentUpdate`: what the protocol reads of it, and what it stores. */
import { z } from "zod";
import { updateStatuses } from "../../api";
import { type Origin, type StoredOrigin } from "../../api/origin";
import { type StatusPageIncidentUpdate } from "../../client";
import { type Posted, type Recorded, type Unconfirmed } from "../../protocol";
import { splitId } from "./incidentUpdateId";
import { type Properties } from "../lifecycle";

/** Parsed leniently: any release may have written the state. */
const declaration = z.looseObject({
  incidentId: z.string(),
  status: z.enum(updateStatuses),
  description: z.string(),
  notifySubscribers: z.boolean().default(false),
  publicIncidentUpdateDate: z.string().optional(),
  occurrence: z.number().default(1),
});

const stored = z.object({
  incidentUpdateId: z.string().optional(),
  createdAt: z.string().nullish(),
  published: z
    .looseObject({
      status: z.string().nullish(),
      description: z.string(),
      publicIncidentUpdateDate: z.string().nullish(),
    })
    .optional()
    // An unexpected value here must not discard the other fields.
    .catch(undefined),
  missing: z.boolean().default(false),
  past: z
    .array(
      z.object({
        id: z.string(),
        key: z.string(),
        occurrence: z.number(),
        date: z.string().optional(),
        incident: z.string().optional(),
      }),
    )
    .optional()
    .catch(undefined),
  unconfirmed: z
    .object({
      ids: z.array(z.string()),
      newest: z.string().optional(),
      nonce: z.string().optional(),
      nothingSent: z.boolean().optional(),
      consumed: z.boolean().optional(),
      attempt: z.number().optional(),
    })
    .optional(),
});

/** Undefined for what is no declaration: `IncidentUpdate.get` stores any update that the service shows. */
export function recordedIn(id: string, state: Properties): Recorded | undefined {
  const { data: declared } = declaration.safeParse(declaredPart(state));
  const { data } = stored.safeParse(state);
  if (!declared || !data) return undefined;
  const { incidentUpdateId, unconfirmed, createdAt, published, missing } = data;
  // An earlier state doesn't say of which incident: that of the resource.
  const past = data.past?.map((each) => ({ incident: declared.incidentId, ...each }));
  if (!unconfirmed) {
    const updateId = incidentUpdateId ?? splitId(id)?.incidentUpdateId ?? "";
    return { kind: "posted", id: updateId, declared, published, createdAt, missing, past };
  }
  const { ids, newest, ...rest } = unconfirmed;
  return { kind: "unconfirmed", declared, seen: { ids, newest }, past, ...rest };
}

const computed = ["incidentUpdateId", "createdAt", "published", "missing", "origin", "past", "unconfirmed"];

function declaredPart(state: Properties): Properties {
  return Object.fromEntries(Object.entries(state).filter(([name]) => !computed.includes(name)));
}

/** The outputs of a resource. */
export function outputsOf(recorded: Recorded, origin: StoredOrigin): Properties {
  return recorded.kind === "posted" ? postedOutputs(recorded, origin) : unconfirmedOutputs(recorded, origin);
}

function postedOutputs(
  { id, declared, published, createdAt, missing, past }: Posted,
  origin: StoredOrigin,
): Properties {
  return {
    ...withoutInternal(declared),
    incidentUpdateId: id,
    createdAt,
    published: published && publishedOf(published),
    missing,
    origin,
    past,
  };
}

function unconfirmedOutputs(
  { declared, seen, past, kind, ...rest }: Unconfirmed,
  origin: StoredOrigin,
): Properties {
  return { ...withoutInternal(declared), missing: false, origin, past, unconfirmed: { ...seen, ...rest } };
}

function withoutInternal({ followedBy, __resource, ...declared }: Properties): Properties {
  return declared;
}

/** The update as the service shows it. */
export function publishedOf({
  status,
  description,
  publicIncidentUpdateDate,
  notifySubscribers,
}: Partial<StatusPageIncidentUpdate>): Properties {
  return { status, description, publicIncidentUpdateDate, notifySubscribers };
}

/** Of an update that a program only reads. */
export function existingOutputs(
  old: Properties,
  incidentId: string,
  update: StatusPageIncidentUpdate,
  origin: Origin,
): Properties {
  const {
    id,
    status,
    description,
    notifySubscribers,
    publicIncidentUpdateDate,
    created_at: createdAt,
  } = update;
  return {
    ...old,
    incidentId,
    status,
    description,
    notifySubscribers: notifySubscribers ?? false,
    publicIncidentUpdateDate,
    incidentUpdateId: id,
    createdAt,
    published: publishedOf(update),
    missing: false,
    origin: withoutRootPath(origin),
  };
}

/** Omits the path "/", which release 0.1.0 did not store: each run reads the origin again, and must not show it as changed. */
function withoutRootPath({ path, ...origin }: Origin): StoredOrigin {
  return path === "/" ? origin : { ...origin, path };
}
