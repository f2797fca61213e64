/**
 * The objects of the API, strictly as documented: every documented field is present, none is unknown, enums allow no
 * other value, and null occurs only where it is documented. Derived from the client's lenient schemas, so that each
 * field is declared once.
 */
import { z } from "zod";
import * as api from "../provider/api";

type NonNullish<Field extends z.core.$ZodType> =
  Field extends z.ZodOptional<infer Inner extends z.core.$ZodType>
    ? NonNullish<Inner>
    : Field extends z.ZodNullable<infer Inner extends z.core.$ZodType>
      ? NonNullish<Inner>
      : Field;

function nonNullish(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodOptional || field instanceof z.ZodNullable
    ? nonNullish(field.unwrap())
    : field;
}

/** The same fields, all of them required and not null, and no others. */
function documented<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
): z.ZodObject<{ [Name in keyof Shape]: NonNullish<Shape[Name]> }, z.core.$strict>;
function documented({ shape }: z.ZodObject<Record<string, z.core.$ZodType>>) {
  return z.strictObject(
    Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, nonNullish(field)])),
  );
}

/** What some objects of the service have, and others don't. */
const projectBindings = documented(api.projectBindings)
  .extend({ owner: documented(api.projectOwner).nullable() })
  .optional();

const dateTime = z.iso.datetime({
  error: "must be an ISO date-time in UTC, such as 2026-01-31T09:30:00.000Z",
});
/** With a zone since 2026, without one before. */
const startOrStop = z.union([dateTime, z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)], {
  error: "must look like 2026-01-31T09:30:00.000Z or 2026-01-31 09:30:00",
});
const timestamps = { created_at: dateTime, updated_at: dateTime.nullable() };
const updateStatus = z.enum(api.updateStatuses);

const statusPageService = documented(api.statusPageService).extend(timestamps);

export const statusPageIncidentUpdate = documented(api.statusPageIncidentUpdate).extend({
  status: updateStatus,
  publicIncidentUpdateDate: dateTime,
  created_at: dateTime,
});

export const statusPageIncident = documented(api.statusPageIncident).extend({
  name: z.string().max(255),
  severity: z.enum(api.severities),
  services: z.array(statusPageService),
  incidentUpdates: z.array(statusPageIncidentUpdate),
  lastUpdateStatus: updateStatus,
  duration: z.number().optional(),
  ...timestamps,
});

const colorSet = z.record(api.statusPageColors.keyof(), z.string());

const statusPageCard = documented(api.statusPageCard).extend({
  services: z.array(statusPageService),
  ...timestamps,
});

export const statusPage = documented(api.statusPage).extend({
  description: z.string().nullable().optional(),
  isPrivate: z.boolean().optional(),
  projectBindings,
  customDomain: z.string().nullable(),
  logo: z.string().nullable(),
  favicon: z.string().nullable(),
  redirectTo: z.string().nullable(),
  themeColors: z.strictObject({ light: colorSet, dark: colorSet }).nullable(),
  cards: z.array(statusPageCard),
  incidents: z.array(statusPageIncident),
  ...timestamps,
});

export const statusPageList = documented(api.statusPageList).extend({
  entries: z.array(statusPage),
  length: z.int(),
  nextId: z.string().nullable(),
});

const dashboardIncidentUpdate = documented(api.dashboardIncidentUpdate).extend({
  status: z.enum(api.dashboardUpdateStatuses),
  ...timestamps,
});

export const incident = documented(api.incident).extend({
  impact: z.enum(api.impacts),
  incidentUpdates: z.array(dashboardIncidentUpdate).min(1),
  startedAt: startOrStop.nullable(),
  stoppedAt: startOrStop.nullable(),
  ...timestamps,
});

const subscription = documented(api.alertChannelSubscription).extend({
  checkId: z.string().nullable(),
  groupId: z.union([z.string(), z.number()]).nullable(),
});

/** `sslExpiryThreshold` may be outside the documented range, as on old channels: an audit reports it. */
export const alertChannel = documented(api.alertChannel).extend({
  id: z.int(),
  type: z.enum(api.alertChannelTypes),
  subscriptions: z.array(subscription),
  sslExpiryThreshold: z.int(),
  projectBindings,
  ...timestamps,
});

export type SandboxIncidentUpdate = z.infer<typeof statusPageIncidentUpdate>;
export type SandboxStatusPageIncident = z.infer<typeof statusPageIncident>;
export type SandboxAlertChannel = z.infer<typeof alertChannel>;
