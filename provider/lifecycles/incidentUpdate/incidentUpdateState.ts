/** The state of an `IncidentUpdate`: what the protocol reads of it, and what it stores. */
import { z } from "zod";
import { updateStatuses } from "../../api";
import { type Origin } from "../../api/origin";
import { type StatusPageIncidentUpdate } from "../../client";
import { type Posted, type Recorded, type Unconfirmed } from "../../protocol";
import { type Properties } from "../lifecycle";

const declaration = z.looseObject({
  incidentId: z.string(),
  status: z.enum(updateStatuses),
  description: z.string(),
  notifySubscribers: z.boolean(),
  publicIncidentUpdateDate: z.string().optional(),
  occurrence: z.number(),
});

const past = z.array(
  z.object({
    id: z.string(),
    key: z.string(),
    occurrence: z.number(),
    date: z.string().optional(),
    incident: z.string(),
  }),
);

const posted = z.object({
  incidentUpdateId: z.string(),
  createdAt: z.string().nullish(),
  published: z
    .looseObject({
      status: z.string().nullish(),
      description: z.string(),
      publicIncidentUpdateDate: z.string().nullish(),
    })
    .optional()
    // An unexpected value of the service must not discard the other fields.
    .catch(undefined),
  missing: z.boolean(),
  past,
});

const unconfirmed = z.object({
  past,
  unconfirmed: z.object({
    ids: z.array(z.string()),
    newest: z.string().optional(),
    nonce: z.string(),
    answered: z.string().optional(),
    nothingSent: z.boolean().optional(),
    about: z.string().optional(),
    consumed: z.boolean().optional(),
    attempt: z.number().optional(),
  }),
});

/** Undefined for what no program declares: `IncidentUpdate.get` stores any update that the service shows. */
export function recordedIn(state: Properties): Recorded | undefined {
  const { data: declared } = declaration.safeParse(declaredPart(state));
  if (!declared) return undefined;
  if ("unconfirmed" in state) {
    const { data } = unconfirmed.safeParse(state);
    if (!data) return undefined;
    const { ids, newest, ...rest } = data.unconfirmed;
    return { kind: "unconfirmed", declared, seen: { ids, newest }, past: data.past, ...rest };
  }
  const { data } = posted.safeParse(state);
  if (!data) return undefined;
  const { incidentUpdateId: id, ...rest } = data;
  return { kind: "posted", id, declared, ...rest };
}

const computed = ["incidentUpdateId", "createdAt", "published", "missing", "origin", "past", "unconfirmed"];

function declaredPart(state: Properties): Properties {
  return Object.fromEntries(Object.entries(state).filter(([name]) => !computed.includes(name)));
}

/** The outputs of a resource. */
export function outputsOf(recorded: Recorded, origin: Origin): Properties {
  return recorded.kind === "posted" ? postedOutputs(recorded, origin) : unconfirmedOutputs(recorded, origin);
}

function postedOutputs(
  { id, declared, published, createdAt, missing, past }: Posted,
  origin: Origin,
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
  origin: Origin,
): Properties {
  return { ...withoutInternal(declared), missing: false, origin, past, unconfirmed: { ...seen, ...rest } };
}

function withoutInternal({ followedBy, entry, __resource, ...declared }: Properties): Properties {
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
    origin,
  };
}
