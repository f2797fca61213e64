import { z } from "zod";
import { type DashboardUpdateStatus, type Impact } from "./enums";
import { type Dated, dates, objectId, type Open, type Shape, text, type Timestamp } from "./shared";

/** An update of a dashboard incident. */
export interface DashboardIncidentUpdate extends Dated {
  /** Identifier. */
  id: string;
  /** Text of the update. */
  description: string;
  /** Status that the update announces. */
  status?: Open<DashboardUpdateStatus> | null;
  /** Incident that the update belongs to. */
  incidentId?: string | null;
}

export const dashboardIncidentUpdate = z.looseObject({
  id: objectId,
  description: z.string(),
  status: text,
  incidentId: text,
  ...dates,
} satisfies Shape<DashboardIncidentUpdate>);

/** A dashboard incident. */
export interface Incident extends Dated {
  /** Identifier. */
  id: string;
  /** Name. */
  name: string;
  /** Impact. */
  impact?: Open<Impact> | null;
  /** Dashboard that shows the incident. */
  dashboardId?: number | null;
  /** Only the first update, or all with `includeAllIncidentUpdates`. */
  incidentUpdates?: DashboardIncidentUpdate[] | null;
  /** When it becomes active, UTC, with or without a zone; null when not set. */
  startedAt?: Timestamp | null;
  /** When it becomes inactive, UTC, with or without a zone; null while it has no end. */
  stoppedAt?: Timestamp | null;
}

export const incident = z.looseObject({
  id: objectId,
  name: z.string(),
  impact: text,
  dashboardId: z.number().nullish(),
  incidentUpdates: z.array(dashboardIncidentUpdate).nullish(),
  startedAt: text,
  stoppedAt: text,
  ...dates,
} satisfies Shape<Incident>);
