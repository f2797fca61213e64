/**
 * The objects of the API as the contract states them, strictly: every documented field is there, none is unknown,
 * closed value sets are closed, and null occurs only where the contract says "or null". Made from the client's
 * lenient schemas, so that a field is named once.
 */
import { z } from "zod";
import * as api from "../provider/api";

type Bare<Field extends z.core.$ZodType> =
  Field extends z.ZodOptional<infer Inner extends z.core.$ZodType>
    ? Bare<Inner>
    : Field extends z.ZodNullable<infer Inner extends z.core.$ZodType>
      ? Bare<Inner>
      : Field;

function bare(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodOptional || field instanceof z.ZodNullable ? bare(field.unwrap()) : field;
}

/** The same fields, none of which may be missing or null, and no others. */
function documented<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
): z.ZodObject<{ [Name in keyof Shape]: Bare<Shape[Name]> }, z.core.$strict>;
function documented({ shape }: z.ZodObject<Record<string, z.core.$ZodType>>) {
  return z.strictObject(
    Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, bare(field)])),
  );
}

const instant = z.iso.datetime({
  error: "must be an ISO date-time in UTC, such as 2026-01-31T09:30:00.000Z",
});
const zonelessInstant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, { error: "must look like 2026-01-31 09:30:00" });
const stamps = { created_at: instant, updated_at: instant };
const updateStatus = z.enum(api.updateStatuses);

const statusPageService = documented(api.statusPageService).extend(stamps);

export const statusPageIncidentUpdate = documented(api.statusPageIncidentUpdate).extend({
  status: updateStatus,
  publicIncidentUpdateDate: instant,
  created_at: instant,
});

export const statusPageIncident = documented(api.statusPageIncident).extend({
  name: z.string().max(255),
  severity: z.enum(api.severities),
  services: z.array(statusPageService),
  incidentUpdates: z.array(statusPageIncidentUpdate),
  lastUpdateStatus: updateStatus,
  ...stamps,
});

const colourSet = z.record(api.statusPageColors.keyof(), z.string());

const statusPageCard = documented(api.statusPageCard).extend({
  services: z.array(statusPageService),
  ...stamps,
});

export const statusPage = documented(api.statusPage).extend({
  themeColors: z.strictObject({ light: colourSet, dark: colourSet }),
  cards: z.array(statusPageCard),
  incidents: z.array(statusPageIncident),
  ...stamps,
});

export const statusPageList = documented(api.statusPageList).extend({
  entries: z.array(statusPage),
  length: z.int(),
  nextId: z.string().nullable(),
});

const dashboardIncidentUpdate = documented(api.dashboardIncidentUpdate).extend({
  status: updateStatus,
  created_at: instant,
  updated_at: instant.nullable(),
});

export const incident = documented(api.incident).extend({
  impact: z.enum(api.impacts),
  incidentUpdates: z.array(dashboardIncidentUpdate).min(1),
  startedAt: zonelessInstant.nullable(),
  stoppedAt: zonelessInstant.nullable(),
  created_at: instant,
  updated_at: instant.nullable(),
});

const subscription = documented(api.alertChannelSubscription).extend({
  checkId: z.string().nullable(),
  groupId: z.union([z.string(), z.number()]).nullable(),
});

/** `sslExpiryThreshold` may be out of the documented bounds, as on old channels: an audit has to find it. */
export const alertChannel = documented(api.alertChannel).extend({
  id: z.int(),
  type: z.enum(api.alertChannelTypes),
  subscriptions: z.array(subscription),
  sslExpiryThreshold: z.int(),
  ...stamps,
});

export type StatusPageService = z.infer<typeof statusPageService>;
export type StatusPageIncidentUpdate = z.infer<typeof statusPageIncidentUpdate>;
export type StatusPageIncident = z.infer<typeof statusPageIncident>;
export type ColourSet = z.infer<typeof colourSet>;
export type Incident = z.infer<typeof incident>;
export type AlertChannel = z.infer<typeof alertChannel>;
export type UpdateStatus = api.UpdateStatus;
export type Severity = api.Severity;
