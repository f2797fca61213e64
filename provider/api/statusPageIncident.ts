import { z } from "zod";
import { type Severity, type UpdateStatus, updateStatuses } from "./enums";
import { publicDate } from "./publicDate";
import { type Dated, dates, flag, objectId, type Open, type Shape, text, type Timestamp } from "./shared";

/** A service shown on a status page. */
export interface StatusPageService extends Dated {
  /** Identifier. */
  id: string;
  /** Public name. */
  name: string;
  /** Account that owns the service. */
  accountId?: string | null;
}

export const statusPageService = z.looseObject({
  id: objectId,
  name: z.string(),
  accountId: text,
  ...dates,
} satisfies Shape<StatusPageService>);

/** An update in the history of a status-page incident. */
export interface StatusPageIncidentUpdate {
  /** Identifier, assigned by the service. */
  id: string;
  /** Public text; empty where the service shows none. */
  description: string;
  /** Status that the update announces. */
  status?: Open<UpdateStatus> | null;
  /** Public date. */
  publicIncidentUpdateDate?: Timestamp | null;
  /** When the service recorded the update. */
  created_at?: Timestamp | null;
  /** Whether subscribers were notified. */
  notifySubscribers?: boolean | null;
}

export const statusPageIncidentUpdate = z.looseObject({
  id: objectId,
  // One old update without a text must not make its incident unreadable.
  description: z
    .string()
    .nullable()
    .transform((shown) => shown ?? ""),
  status: text,
  publicIncidentUpdateDate: text,
  created_at: text,
  notifySubscribers: flag,
} satisfies Shape<StatusPageIncidentUpdate>);

/** A history of this length may lack older updates: services return only so many. */
export const historyLimit = 100;

/** A status-page incident. The service may omit its history. */
export interface StatusPageIncident extends Dated {
  /** Identifier. */
  id: string;
  /** Public name, at most 255 characters. */
  name: string;
  /** Severity. */
  severity?: Open<Severity> | null;
  /** Affected services. */
  services?: StatusPageService[] | null;
  /** History, usually newest first. May contain only the latest 100 updates. */
  incidentUpdates?: StatusPageIncidentUpdate[] | null;
  /** Latest status, computed by the service. It may differ from the status last posted. */
  lastUpdateStatus?: Open<UpdateStatus> | null;
  /** How long it has lasted, as the service computes it; missing where it doesn't. */
  duration?: number | null;
}

export const statusPageIncident = z.looseObject({
  id: objectId,
  name: z.string(),
  severity: text,
  services: z.array(statusPageService).nullish(),
  incidentUpdates: z.array(statusPageIncidentUpdate).nullish(),
  lastUpdateStatus: text,
  duration: z.number().nullish(),
  ...dates,
} satisfies Shape<StatusPageIncident>);

/** The content of a new update on a status-page incident (operation `createIncidentUpdate`). Other fields are rejected. */
export interface NewIncidentUpdate {
  /** Status that the update announces. */
  status: UpdateStatus;
  /** Public text; not empty. */
  description: string;
  /** Whether to email the subscribers. Always sent. Default: false. */
  notifySubscribers?: boolean;
  /** Public date, as an ISO date-time. If omitted, the service uses the current time. */
  publicIncidentUpdateDate?: Timestamp;
  /** Documented, but assigned by the service. Sent only if given. */
  id?: string;
  /** Documented, but assigned by the service. Sent only if given. */
  created_at?: Timestamp;
}

export const newIncidentUpdate = z.strictObject({
  status: z.enum(updateStatuses, { error: `must be one of ${updateStatuses.join(", ")}` }),
  description: z
    .string({ error: "must be a string" })
    .refine((value) => value.trim() !== "", { error: "must not be empty" }),
  notifySubscribers: z.boolean({ error: "must be true or false" }).optional(),
  publicIncidentUpdateDate: publicDate.optional(),
  id: z.string({ error: "must be a string" }).min(1, { error: "must not be empty" }).optional(),
  created_at: z.string({ error: "must be a date" }).min(1, { error: "must not be empty" }).optional(),
} satisfies Shape<NewIncidentUpdate>);
