/**
 * Defines the objects that the API returns. Each has a schema that reads it, with doc comments on its fields, and a type that is inferred from the schema.
 */
import { z } from "zod";
import { listInvalidFields, castSchema } from "../problems";
import {
  type AlertChannelType,
  type ComponentStatus,
  type DashboardUpdateStatus,
  type Impact,
  type Severity,
  type UpdateStatus,
} from "./enums";

/** A documented value, or a newer one that the service added later: reading accepts both. */
export type Open<Known extends string> = Known | (string & {});

/**
 * A time as the service returns it: an ISO date-time with or without milliseconds, a date without a time, or `YYYY-MM-DD HH:mm:ss` without
 * a zone (UTC). Compare the times, not the strings.
 */
export type Timestamp = string;

/** An object with these fields. Reading keeps undocumented fields, but the type doesn't include them. */
const object = <Fields extends z.ZodRawShape>(fields: Fields): z.ZodObject<Fields> => z.looseObject(fields);

/** The same fields except some, in their order. With `Omit`, the order depends on the rest of the program. */
export type Without<Fields, Name extends keyof Fields> = {
  [Each in keyof Fields as Exclude<Each, Name>]: Fields[Each];
};

const nullableText = z.string().nullish();
const nullableFlag = z.boolean().nullish();

/** An ID, converted to a string because some services return numbers. */
const objectId = z.union([z.string().min(1), z.int().transform(String)]);

/** The ID of another object, or a cursor, also converted to a string. Empty if there is none. */
const reference = z.union([z.string(), z.int().transform(String)]).nullish();

const dates = {
  /** When it was created. */
  created_at: nullableText,
  /** When it was last changed; null when never. */
  updated_at: nullableText,
};

const ofPage = {
  /** Number of entries on this page, not a total. */
  length: z.number().nullish(),
  /** Opaque cursor of the next page; missing, null or empty at the end. */
  nextId: reference,
};

/** One page of a list. */
export interface ListOf<Entry> extends z.output<z.ZodObject<typeof ofPage>> {
  /** The objects on this page of the list. */
  entries: Entry[];
}

/** An entry of a list that doesn't match the API. */
export class Mismatch {
  constructor(
    /** ID of the entry, if any. */
    readonly id: number | undefined,
    /** The fields that don't match. */
    readonly fields: readonly string[],
  ) {}
}

const identified = z.object({ id: z.int() });

/** A list whose entries are validated separately, so that an entry that doesn't match can't hide the others. */
const each = <Entry extends z.ZodType>(entry: Entry) =>
  z.array(z.union([entry, z.unknown().transform((value) => createMismatch(entry, value))]));

function createMismatch(schema: z.ZodType, value: unknown): Mismatch {
  const { error = { issues: [] } } = schema.safeParse(value);
  return new Mismatch(identified.safeParse(value).data?.id, listInvalidFields(error, "all of it"));
}

/** A project that manages objects as code. */
export interface ProjectOwner extends z.output<typeof projectOwner> {}

const projectOwner = object({
  /** Identifier. */
  id: z.union([z.string(), z.number()]).nullish(),
  /** Name. */
  name: nullableText,
});

/** The project that manages the object as code. */
export interface ProjectBindings extends z.output<typeof projectBindings> {}

export const projectBindings = object({
  /** The project; null if no project manages the object. */
  owner: castSchema<ProjectOwner>(projectOwner).nullish(),
});

/** Days before expiry at which certificates may be reported. */
export const sslExpiryThresholdBounds = { least: 1, most: 30 } as const;

/** A check, or a group of checks, that alerts through a channel. */
export interface AlertChannelSubscription extends z.output<typeof alertChannelSubscription> {}

export const alertChannelSubscription = object({
  /** Identifier. */
  id: z.union([z.string(), z.number()]).nullish(),
  /** Check that is subscribed; null for a group. */
  checkId: reference,
  /** Group that is subscribed; null for a check. */
  groupId: z.union([z.string(), z.number()]).nullish(),
  /** Whether the subscription is active. */
  activated: nullableFlag,
});

/** Values that are nested deeper would overflow the stack of recursive functions. */
const maxDepth = 50;

/** A target that check alerts are delivered to. Its `config` contains credentials in plain text. */
export interface AlertChannel extends z.output<typeof alertChannel> {}

export const alertChannel = object({
  /**
   * Identifier.
   * @integer
   */
  id: z.number(),
  /** Kind of target. */
  type: castSchema<Open<AlertChannelType>>(z.string().min(1)),
  /** Settings of the target, depending on its type. Contains credentials in plain text, so never print it. */
  config: z.record(z.string(), z.unknown()).refine((config) => isShallow(config, maxDepth), {
    error: `must be nested at most ${maxDepth} levels deep`,
  }),
  /** Checks subscribed to this channel. */
  subscriptions: z.array(castSchema<AlertChannelSubscription>(alertChannelSubscription)).nullish(),
  /** Whether recoveries are sent. */
  sendRecovery: nullableFlag,
  /** Whether failures are sent. */
  sendFailure: nullableFlag,
  /** Whether degradations are sent. */
  sendDegraded: nullableFlag,
  /** Whether expiring certificates are reported. */
  sslExpiry: nullableFlag,
  /**
   * Days before expiry at which reporting starts: 1 to 30 as documented; some old channels have other values.
   * @integer
   */
  sslExpiryThreshold: z.number().nullish(),
  /** Whether new checks are subscribed automatically. */
  autoSubscribe: nullableFlag,
  /** The project that manages it as code, if any. Missing if the service doesn't return it. */
  projectBindings: castSchema<ProjectBindings>(projectBindings).nullish(),
  ...dates,
});

/** One page of the list of alert channels. */
export const alertChannelList = each(alertChannel);

/** An update of a dashboard incident. */
export interface DashboardIncidentUpdate extends z.output<typeof dashboardIncidentUpdate> {}

export const dashboardIncidentUpdate = object({
  /** Identifier. */
  id: objectId,
  /** Text of the update. */
  description: z.string(),
  /** Status that the update announces. */
  status: castSchema<Open<DashboardUpdateStatus>>(z.string()).nullish(),
  /** Incident that the update belongs to. */
  incidentId: reference,
  ...dates,
});

/** A dashboard incident. */
export interface Incident extends z.output<typeof incident> {}

export const incident = object({
  /** Identifier. */
  id: objectId,
  /** Name. */
  name: z.string(),
  /** Impact. */
  impact: castSchema<Open<Impact>>(z.string()).nullish(),
  /** Dashboard that shows the incident. */
  dashboardId: z.number().nullish(),
  /** Only the first update, or all with `includeAllIncidentUpdates`. */
  incidentUpdates: z.array(castSchema<DashboardIncidentUpdate>(dashboardIncidentUpdate)).nullish(),
  /** Start of the incident, UTC, with or without a zone; null when not set. */
  startedAt: nullableText,
  /** End of the incident, UTC, with or without a zone; null without an end. */
  stoppedAt: nullableText,
  ...dates,
});

/** A service shown on a status page. */
export interface StatusPageService extends z.output<typeof statusPageService> {}

export const statusPageService = object({
  /** Identifier. */
  id: objectId,
  /** Public name. */
  name: z.string(),
  /** Account that owns the service. */
  accountId: reference,
  ...dates,
});

/** An update in the history of a status-page incident. */
export interface StatusPageIncidentUpdate extends z.output<typeof statusPageIncidentUpdate> {}

export const statusPageIncidentUpdate = object({
  /** Identifier. */
  id: objectId,
  // An old update may lack a text, which must not make its incident unreadable.
  /** Public text; empty where the service shows none. */
  description: z
    .string()
    .nullable()
    .transform((shown) => shown ?? ""),
  /** Status that the update announces. */
  status: castSchema<Open<UpdateStatus>>(z.string()).nullish(),
  /** Public date. */
  publicIncidentUpdateDate: nullableText,
  /** Time at which the service recorded the update. */
  created_at: nullableText,
  /** Whether subscribers were notified. */
  notifySubscribers: nullableFlag,
});

/** Largest number of updates of an incident that services return. A history of this length may lack older updates. */
export const historyLimit = 100;

/** A status-page incident. The service may omit its history. */
export interface StatusPageIncident extends z.output<typeof statusPageIncident> {}

export const statusPageIncident = object({
  /** Identifier. */
  id: objectId,
  /** Public name, at most 255 characters. */
  name: z.string(),
  /** Severity. */
  severity: castSchema<Open<Severity>>(z.string()).nullish(),
  /** Affected services. */
  services: z.array(castSchema<StatusPageService>(statusPageService)).nullish(),
  /** History, usually newest first. May contain only the latest 100 updates. */
  incidentUpdates: z.array(castSchema<StatusPageIncidentUpdate>(statusPageIncidentUpdate)).nullish(),
  /** Latest status, computed by the service. It may differ from the status last posted. */
  lastUpdateStatus: castSchema<Open<UpdateStatus>>(z.string()).nullish(),
  /** Duration of the incident, as computed by the service; missing if the service doesn't compute it. */
  duration: z.number().nullish(),
  ...dates,
});

/** Effect of an incident on a component of its status page. */
export interface ComponentImpact extends z.output<typeof componentImpact> {}

export const componentImpact = object({
  /** Component of the same page. */
  componentId: objectId,
  /** State of the component, such as `MAJOR_OUTAGE`. */
  status: castSchema<Open<ComponentStatus>>(z.string()).nullish(),
  /** Start of the impact. */
  startedAt: nullableText,
  /** End of the impact; null while it lasts. */
  endedAt: nullableText,
});

/** An incident of a status page with components. A list of incidents omits its updates. */
export interface ComponentPageIncident extends z.output<typeof componentPageIncident> {}

export const componentPageIncident = object({
  /** Identifier. */
  id: objectId,
  /** Status page of the incident. */
  statusPageId: reference,
  /** Public name, at most 255 characters. */
  name: z.string(),
  /** Effects of the incident on components. A component that isn't listed is operational. */
  componentImpacts: z.array(castSchema<ComponentImpact>(componentImpact)).nullish(),
  /** History, newest first. Contains only the latest 100 updates. */
  incidentUpdates: z.array(castSchema<StatusPageIncidentUpdate>(statusPageIncidentUpdate)).nullish(),
  /** Status of the latest update. */
  lastUpdateStatus: castSchema<Open<UpdateStatus>>(z.string()).nullish(),
  /** Seconds from the first update to the resolving update; null while the incident is open. */
  duration: z.number().nullish(),
  ...dates,
});

/** One page of the list of incidents of a status page with components (operation `listComponentPageIncidents`). */
export const componentPageIncidentList = object({
  entries: z.array(castSchema<ComponentPageIncident>(componentPageIncident)),
  ...ofPage,
});

/** A component of a status page, or a group of components. */
export interface Component extends z.output<typeof component> {}

export const component = object({
  /** Identifier. */
  id: objectId,
  /** Public name. */
  name: z.string(),
  /** `SERVICE` or `GROUP`. */
  type: nullableText,
  /** Public description. */
  description: nullableText,
  /** Whether the component is hidden on the page. */
  hidden: nullableFlag,
  /** Place on the page. */
  displayOrder: z.number().nullish(),
  /** Group of the component, if any. */
  parentId: reference,
  /** Status page of the component. */
  statusPageId: reference,
  ...dates,
});

/** One page of the list of components of a status page (operation `listComponents`). */
export const componentList = object({ entries: z.array(castSchema<Component>(component)), ...ofPage });

/** A group of services on a status page. */
export interface StatusPageCard extends z.output<typeof statusPageCard> {}

export const statusPageCard = object({
  /** Identifier. */
  id: objectId,
  /** Public heading. */
  name: z.string(),
  /** Services under this heading. */
  services: z.array(castSchema<StatusPageService>(statusPageService)).nullish(),
  ...dates,
});

/** The API documents a string. Any other value must not make the whole page unreadable. */
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

/** Colors by part of the page, for each theme. */
export interface StatusPageThemeColors extends z.output<typeof statusPageThemeColors> {}

export const statusPageThemeColors = object({
  /** Colors of the light theme, by part of the page. */
  light: castSchema<Record<string, unknown>>(statusPageColors).nullish(),
  /** Colors of the dark theme, by part of the page. */
  dark: castSchema<Record<string, unknown>>(statusPageColors).nullish(),
});

const pageFields = {
  /** Identifier. */
  id: objectId,
  /** Name. */
  name: z.string(),
  /** Public description. */
  description: nullableText,
  /** Slug of the page, such as `acme-status`; not a URL. */
  url: nullableText,
  /** Account that owns the page. */
  accountId: reference,
  /** Custom host name, if any. */
  customDomain: nullableText,
  /** URL of the logo. */
  logo: nullableText,
  /** URL of the icon. */
  favicon: nullableText,
  /** Target of the link on the logo. */
  redirectTo: nullableText,
  /** Initial theme for visitors, such as `AUTO`. */
  defaultTheme: nullableText,
};

const themeColors = castSchema<StatusPageThemeColors>(statusPageThemeColors).nullish();

/** A status page with its cards and incidents. */
export interface StatusPage extends z.output<typeof statusPage> {}

export const statusPage = object({
  ...pageFields,
  /** Whether only authorized people can see the page. */
  isPrivate: nullableFlag,
  /** The project that manages it as code, if any. Missing if the service doesn't return it. */
  projectBindings: castSchema<ProjectBindings>(projectBindings).nullish(),
  /** Colors by theme (`light`, `dark`) and by part of the page. */
  themeColors,
  /** Groups of services. */
  cards: z.array(castSchema<StatusPageCard>(statusPageCard)).nullish(),
  /** Incidents of this page. */
  incidents: z.array(castSchema<StatusPageIncident>(statusPageIncident)).nullish(),
  ...dates,
});

/** A status page with components. Its components and incidents are separate lists. */
export interface ComponentPage extends z.output<typeof componentPage> {}

export const componentPage = object({
  ...pageFields,
  /** URL of the logo of the dark theme. */
  logoDark: nullableText,
  /** Colors by theme (`light`, `dark`) and by part of the page. */
  themeColors,
  /** URL of the privacy policy. */
  privacyPolicyLink: nullableText,
  /** URL of the terms of service. */
  termsOfServiceLink: nullableText,
  /** Text at the end of the page. */
  footerText: nullableText,
  /** Identifier for Google Analytics. */
  googleAnalyticsTag: nullableText,
  /** Whether search engines may list the page. */
  allowIndexing: nullableFlag,
  ...dates,
});

/** One page of the list of status pages with components (operation `listComponentPages`). */
export const componentPageList = object({
  entries: z.array(castSchema<ComponentPage>(componentPage)),
  ...ofPage,
});

/** One page of the list of status pages (operation `listStatusPages`). */
export const statusPageList = object({ entries: z.array(castSchema<StatusPage>(statusPage)), ...ofPage });

/** Returns true if the value is an object and not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns true for null, a string, a number or a boolean. */
export function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** Returns true if the value is nested at most this many levels deep. */
function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}
