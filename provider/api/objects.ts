/** Defines the API's objects: for each, its type and the schema that reads it. */
import { z } from "zod";
import { boolean, fieldsIn, oneOf, string, text } from "../problems";
import {
  type AlertChannelType,
  type DashboardUpdateStatus,
  type Impact,
  type Severity,
  type UpdateStatus,
  updateStatuses,
} from "./enums";

/** A documented value, or a newer one that the service added later: reading accepts both. */
export type Open<Known extends string> = Known | (string & {});

/**
 * A time as the service returns it: an ISO date-time with or without milliseconds, a date alone, or
 * `YYYY-MM-DD HH:mm:ss` without a zone, which means UTC. Compare the times, not the strings.
 */
export type Timestamp = string;

/** Requires a schema for each field of the interface, and for no other field. */
export type Shape<Type> = { readonly [Name in keyof Type]-?: z.ZodType<Type[Name]> };

/** An object with its dates. */
export interface Dated {
  /** When it was created. */
  created_at?: Timestamp | null;
  /** When it was last changed; null when never. */
  updated_at?: Timestamp | null;
}

export const nullableText = z.string().nullish();
const nullableFlag = z.boolean().nullish();

/** An id as a string: some services return numbers. */
const objectId = z.union([z.string().min(1), z.int().transform(String)]);

/** The id of another object, or a cursor, as a string for the same reason. Empty if there is none. */
const reference = z.union([z.string(), z.int().transform(String)]).nullish();

/** The fields of {@link Dated}. */
export const dates = { created_at: nullableText, updated_at: nullableText } satisfies Shape<Dated>;

/** One page of a list. */
export interface ListOf<Entry> {
  /** The objects on this page of the list. */
  entries: Entry[];
  /** Number of entries on this page, not a total. */
  length?: number | null;
  /** Opaque cursor of the next page; missing, null or empty at the end. */
  nextId?: string | null;
}

/** One page of a list of these objects. */
export const listOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.looseObject({
    entries: z.array(entry),
    length: z.number().nullish(),
    nextId: reference,
  } satisfies Shape<ListOf<z.output<Entry>>>);

/** An entry of a list that doesn't match the API. */
export class Mismatch {
  constructor(
    /** Its id; undefined if it has none. */
    readonly id: number | undefined,
    /** The fields that don't match. */
    readonly fields: readonly string[],
  ) {}
}

const identified = z.object({ id: z.int() });

/** A list whose entries are read each on its own, so that one that doesn't match can't hide the others. */
const each = <Entry extends z.ZodType>(entry: Entry) =>
  z.array(z.union([entry, z.unknown().transform((value) => mismatchOf(entry, value))]));

function mismatchOf(schema: z.ZodType, value: unknown): Mismatch {
  const { error = { issues: [] } } = schema.safeParse(value);
  return new Mismatch(identified.safeParse(value).data?.id, fieldsIn(error, "all of it"));
}

/** A project that manages objects as code. */
export interface ProjectOwner {
  /** Identifier. */
  id?: string | number | null;
  /** Name. */
  name?: string | null;
}

/** Which project manages the object as code. */
export interface ProjectBindings {
  /** The project; null when none manages the object. */
  owner?: ProjectOwner | null;
}

const projectOwner = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  name: nullableText,
} satisfies Shape<ProjectOwner>);

export const projectBindings = z.looseObject({
  owner: projectOwner.nullish(),
} satisfies Shape<ProjectBindings>);

const notADate = "must be an ISO 8601 date-time with a zone, such as 2026-01-31T09:30:00Z";

/** A full ISO 8601 date-time, as UTC: the only form that every deployment accepts for a public date. */
export const publicDate = z.iso
  .datetime({ offset: true, error: notADate })
  .transform((value) => (value.endsWith("Z") ? value : new Date(value).toISOString()))
  // The conversion to UTC may leave the years 0 to 9999, which ISO 8601 writes with four digits.
  .refine((value) => /^\d{4}-/.test(value), { error: notADate });

/** Days before expiry at which certificates may be reported. */
export const sslExpiryThresholdBounds = { least: 1, most: 30 } as const;

/** A check, or a group of checks, that alerts through a channel. */
export interface AlertChannelSubscription {
  /** Identifier. */
  id?: string | number | null;
  /** Check that is subscribed; null for a group. */
  checkId?: string | null;
  /** Group that is subscribed; null for a check. */
  groupId?: string | number | null;
  /** Whether the subscription is active. */
  activated?: boolean | null;
}

export const alertChannelSubscription = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  checkId: reference,
  groupId: z.union([z.string(), z.number()]).nullish(),
  activated: nullableFlag,
} satisfies Shape<AlertChannelSubscription>);

/** A target that check alerts are delivered to. Its `config` contains credentials in plain text. */
export interface AlertChannel extends Dated {
  /**
   * Identifier.
   * @integer
   */
  id: number;
  /** Kind of target. */
  type: Open<AlertChannelType>;
  /** Settings of the target, by type. Contains credentials in plain text: never print it. */
  config: Record<string, unknown>;
  /** Checks subscribed to this channel. */
  subscriptions?: AlertChannelSubscription[] | null;
  /** Whether recoveries are sent. */
  sendRecovery?: boolean | null;
  /** Whether failures are sent. */
  sendFailure?: boolean | null;
  /** Whether degradations are sent. */
  sendDegraded?: boolean | null;
  /** Whether expiring certificates are reported. */
  sslExpiry?: boolean | null;
  /**
   * Days before expiry at which reporting starts: 1 to 30 as documented; some old channels have other values.
   * @integer
   */
  sslExpiryThreshold?: number | null;
  /** Whether new checks are subscribed automatically. */
  autoSubscribe?: boolean | null;
  /** The project that manages it as code, or none. Missing where the service doesn't say. */
  projectBindings?: ProjectBindings | null;
}

/** Deeper values would overflow the stack of recursive functions. */
const maxDepth = 50;

export const alertChannel = z.looseObject({
  id: z.number(),
  type: z.string().min(1),
  config: z.record(z.string(), z.unknown()).refine((config) => isShallow(config, maxDepth), {
    error: `must be nested at most ${maxDepth} levels deep`,
  }),
  subscriptions: z.array(alertChannelSubscription).nullish(),
  sendRecovery: nullableFlag,
  sendFailure: nullableFlag,
  sendDegraded: nullableFlag,
  sslExpiry: nullableFlag,
  sslExpiryThreshold: z.number().nullish(),
  autoSubscribe: nullableFlag,
  projectBindings: projectBindings.nullish(),
  ...dates,
} satisfies Shape<AlertChannel>);

/** One page of the list of alert channels. */
export const alertChannelList = each(alertChannel);

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
  status: nullableText,
  incidentId: reference,
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
  impact: nullableText,
  dashboardId: z.number().nullish(),
  incidentUpdates: z.array(dashboardIncidentUpdate).nullish(),
  startedAt: nullableText,
  stoppedAt: nullableText,
  ...dates,
} satisfies Shape<Incident>);

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
  accountId: reference,
  ...dates,
} satisfies Shape<StatusPageService>);

/** An update in the history of a status-page incident. */
export interface StatusPageIncidentUpdate {
  /** Identifier. */
  id: string;
  /** Public text; empty where the service shows none. */
  description: string;
  /** Status that the update announces. */
  status?: Open<UpdateStatus> | null;
  /** Public date. */
  publicIncidentUpdateDate?: Timestamp | null;
  /** Time at which the service recorded the update. */
  created_at?: Timestamp | null;
  /** Whether subscribers were notified. */
  notifySubscribers?: boolean | null;
}

export const statusPageIncidentUpdate = z.looseObject({
  id: objectId,
  // An old update may lack a text, which must not make its incident unreadable.
  description: z
    .string()
    .nullable()
    .transform((shown) => shown ?? ""),
  status: nullableText,
  publicIncidentUpdateDate: nullableText,
  created_at: nullableText,
  notifySubscribers: nullableFlag,
} satisfies Shape<StatusPageIncidentUpdate>);

/** Services return at most this many updates of an incident, so a history of this length may lack older ones. */
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
  severity: nullableText,
  services: z.array(statusPageService).nullish(),
  incidentUpdates: z.array(statusPageIncidentUpdate).nullish(),
  lastUpdateStatus: nullableText,
  duration: z.number().nullish(),
  ...dates,
} satisfies Shape<StatusPageIncident>);

/** The content of a new update on a status-page incident (operation `createIncidentUpdate`). Other fields are rejected. */
export interface NewIncidentUpdate {
  /** Status that the update announces. */
  status: UpdateStatus;
  /** Public text; not empty. */
  description: string;
  /** If true, subscribers are emailed. Always sent. Default: false. */
  notifySubscribers?: boolean;
  /** Public date, as an ISO date-time. If omitted, the service uses the current time. */
  publicIncidentUpdateDate?: Timestamp;
  /** The API doesn't document who assigns it. Sent only if given. */
  id?: string;
  /** Documented, but assigned by the service. Sent only if given. */
  created_at?: Timestamp;
}

export const newIncidentUpdate = z.strictObject({
  status: oneOf(updateStatuses),
  description: string.refine((value) => value.trim() !== "", { error: "must not be empty" }),
  notifySubscribers: boolean.optional(),
  publicIncidentUpdateDate: publicDate.optional(),
  id: text.optional(),
  created_at: z.string({ error: "must be a date" }).min(1, { error: "must not be empty" }).optional(),
} satisfies Shape<NewIncidentUpdate>);

/** A group of services on a status page. */
export interface StatusPageCard extends Dated {
  /** Identifier. */
  id: string;
  /** Public heading. */
  name: string;
  /** Services under this heading. */
  services?: StatusPageService[] | null;
}

export const statusPageCard = z.looseObject({
  id: objectId,
  name: z.string(),
  services: z.array(statusPageService).nullish(),
  ...dates,
} satisfies Shape<StatusPageCard>);

/** Colours by part of the page, for each theme. */
export interface StatusPageThemeColors {
  /** Colours of the light theme, by part of the page. */
  light?: Record<string, unknown> | null;
  /** Colours of the dark theme, by part of the page. */
  dark?: Record<string, unknown> | null;
}

/** The API documents a string. Another value must not make the whole page unreadable. */
const color = z.unknown().optional();

const statusPageColors = z.looseObject({
  bodyBackgroundColor: color,
  headerBackgroundColor: color,
  headerFontColor: color,
  titleFontColor: color,
  bodyFontColor: color,
  bodyFontColorMuted: color,
  navigationFontColor: color,
  linkFontColor: color,
  cardBackgroundColor: color,
  borderColor: color,
  primaryButtonBackgroundColor: color,
  primaryButtonFontColor: color,
});

export const statusPageThemeColors = z.looseObject({
  light: statusPageColors.nullish(),
  dark: statusPageColors.nullish(),
} satisfies Shape<StatusPageThemeColors>);

/** A status page with its cards and incidents. */
export interface StatusPage extends Dated {
  /** Identifier. */
  id: string;
  /** Name. */
  name: string;
  /** Public description. */
  description?: string | null;
  /** Slug of the page, such as `acme-status`; not a URL. */
  url?: string | null;
  /** Account that owns the page. */
  accountId?: string | null;
  /** Custom host name, if any. */
  customDomain?: string | null;
  /** Address of the logo. */
  logo?: string | null;
  /** Address of the icon. */
  favicon?: string | null;
  /** Target of the link on the logo. */
  redirectTo?: string | null;
  /** Initial theme for visitors, such as `AUTO`. */
  defaultTheme?: string | null;
  /** Whether only those who are allowed to can see it. */
  isPrivate?: boolean | null;
  /** The project that manages it as code, or none. Missing where the service doesn't say. */
  projectBindings?: ProjectBindings | null;
  /** Colours by theme (`light`, `dark`) and by part of the page. */
  themeColors?: StatusPageThemeColors | null;
  /** Groups of services. */
  cards?: StatusPageCard[] | null;
  /** Incidents of this page. */
  incidents?: StatusPageIncident[] | null;
}

export const statusPage = z.looseObject({
  id: objectId,
  name: z.string(),
  description: nullableText,
  url: nullableText,
  accountId: reference,
  customDomain: nullableText,
  logo: nullableText,
  favicon: nullableText,
  redirectTo: nullableText,
  defaultTheme: nullableText,
  isPrivate: nullableFlag,
  projectBindings: projectBindings.nullish(),
  themeColors: statusPageThemeColors.nullish(),
  cards: z.array(statusPageCard).nullish(),
  incidents: z.array(statusPageIncident).nullish(),
  ...dates,
} satisfies Shape<StatusPage>);

/** One page of the list of status pages (operation `listStatusPages`). */
export interface StatusPageList extends ListOf<StatusPage> {}

export const statusPageList = listOf(statusPage);

/** Returns true if the value is an object and not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns true if the value has no fields. */
export function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** Returns true if the value is nested at most this many levels deep. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}
