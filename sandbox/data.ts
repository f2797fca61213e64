/**
 * Defines the data of the sandbox: the documented fields of the API's objects, additional fields that the sandbox needs, and functions
 * that compute values from them.
 */
import { z } from "zod";
import * as api from "../provider/api";

/** The operations of the API, and `editAlertChannel`, with which users cause drift. The provider never changes alert channels. */
export const servedOperations = {
  ...api.operations,
  editAlertChannel: { name: "editAlertChannel", method: "PUT", path: api.operations.getAlertChannel.path },
} as const;

export type ServedOperation = keyof typeof servedOperations;

const dateTime = z.iso.datetime({
  error: "must be an ISO date-time in UTC, such as 2026-01-31T09:30:00.000Z",
});

/** Schemas of values that the API may extend. The sandbox only accepts the documented values. */
export const documented = {
  updateStatus: z.enum(api.updateStatuses),
  severity: z.enum(api.severities),
  componentStatus: z.enum(api.componentStatuses),
  dashboardUpdateStatus: z.enum(api.dashboardUpdateStatuses),
  impact: z.enum(api.impacts),
};

const incidentUpdate = api.statusPageIncidentUpdate.strict().extend({
  status: documented.updateStatus,
  publicIncidentUpdateDate: dateTime,
  created_at: dateTime,
  notifySubscribers: z.boolean(),
});

/** Fields of an incident on either kind of page. */
const history = {
  name: z.string().max(255),
  incidentUpdates: z.array(incidentUpdate),
  created_at: dateTime,
};

const services = z.array(api.statusPageService.strict());
const themeColors = api.statusPageThemeColors.strict().nullable();

/** A status page without its incidents, because an incident stores the IDs of its pages. */
const storedStatusPage = api.statusPage
  .strict()
  .omit({ incidents: true })
  .extend({
    cards: z.array(api.statusPageCard.strict().extend({ services })),
    themeColors,
  });

/** An incident on pages with cards, without the fields that are computed from its updates. */
const storedStatusPageIncident = api.statusPageIncident
  .strict()
  .omit({ lastUpdateStatus: true })
  .extend({
    ...history,
    severity: documented.severity,
    services,
    statusPageIds: z.array(z.string()),
  });

const componentImpact = api.componentImpact.strict().extend({
  status: documented.componentStatus,
  startedAt: dateTime,
  endedAt: dateTime.nullable(),
});

/** An incident on a page with components, without the fields that are computed from its updates. */
const storedComponentPageIncident = api.componentPageIncident
  .strict()
  .omit({ lastUpdateStatus: true, duration: true })
  .extend({ ...history, statusPageId: z.string(), componentImpacts: z.array(componentImpact) });

const component = api.component
  .strict()
  .extend({ type: z.enum(["SERVICE", "GROUP"]), displayOrder: z.int(), statusPageId: z.string() });

/** A page with components. The API returns its components and its incidents separately. */
export const storedComponentPage = api.componentPage.strict().extend({
  themeColors,
  components: z.array(component),
  incidents: z.array(storedComponentPageIncident),
});

const alertChannel = api.alertChannel
  .strict()
  .extend({ subscriptions: z.array(api.alertChannelSubscription.strict()) });

/** The fields of an alert channel that a `PUT` can change. */
export const editedAlertChannel = alertChannel
  .omit({ id: true, created_at: true, updated_at: true })
  .partial();

const dashboardUpdate = api.dashboardIncidentUpdate
  .strict()
  .extend({ status: documented.dashboardUpdateStatus });

const incident = api.incident
  .strict()
  .extend({ impact: documented.impact, incidentUpdates: z.array(dashboardUpdate).min(1) });

const account = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  /** The pages with cards. */
  statusPages: z.array(storedStatusPage),
  /** Number of subscribers, by status page ID. */
  subscribers: z.record(z.string(), z.int().min(0)),
  /** The incidents on pages with cards. */
  statusPageIncidents: z.array(storedStatusPageIncident),
  alertChannels: z.array(alertChannel),
  incidents: z.array(incident),
  /** The pages with components. */
  componentPages: z.array(storedComponentPage),
});

export const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/, { error: "must be printable ASCII without white space" });

/** An API key and the accounts that it gives access to. The first account is the default. */
const access = z.strictObject({ apiKey, accountIds: z.tuple([z.string()], z.string()) });

export const sandboxData = z
  .strictObject({
    access: z.tuple([access], access),
    accounts: z.tuple([account], account),
    /** Number of subscribers that were emailed, by update ID. */
    mailed: z.record(z.string(), z.int().min(0)),
  })
  .superRefine((data, context) =>
    checkReferences(data, (path, message) => context.addIssue({ code: "custom", path, message })),
  );

/** All data of the sandbox, in the format of the data file. */
export type SandboxData = z.infer<typeof sandboxData>;
export type SandboxAccount = z.infer<typeof account>;
export type StoredStatusPage = z.infer<typeof storedStatusPage>;
type StoredStatusPageIncident = z.infer<typeof storedStatusPageIncident>;
export type StoredComponentPage = z.infer<typeof storedComponentPage>;
export type StoredComponentPageIncident = z.infer<typeof storedComponentPageIncident>;
/** An incident on either kind of page. */
export type StoredIncident = StoredStatusPageIncident | StoredComponentPageIncident;
export type StoredIncidentUpdate = z.infer<typeof incidentUpdate>;

export function listIncidents({ statusPageIncidents, componentPages }: SandboxAccount): StoredIncident[] {
  return [...statusPageIncidents, ...componentPages.flatMap(({ incidents }) => incidents)];
}

/** Returns the ID of an incident's page with components; undefined for an incident on pages with cards. */
export const getPageId = (incident: StoredIncident) =>
  "statusPageId" in incident ? incident.statusPageId : undefined;

type Status = StoredIncidentUpdate["status"];

/** An incident on pages with cards, as the API returns it. */
export type SandboxStatusPageIncident = Omit<StoredStatusPageIncident, "statusPageIds"> & {
  lastUpdateStatus: Status;
};

/** An incident on a page with components, as the API returns it. */
export type SandboxComponentPageIncident = StoredComponentPageIncident & {
  lastUpdateStatus: Status;
  duration: number | null;
};

/**
 * Returns an incident as the API does. An incident without updates has the status `INVESTIGATING`.
 *
 * @param all All updates that reads show now; the duration is computed from them.
 * @param incidentUpdates The updates that the response contains.
 */
export function toApiIncident(
  incident: StoredIncident,
  all = incident.incidentUpdates,
  incidentUpdates = all,
) {
  const lastUpdateStatus: Status = incidentUpdates[0]?.status ?? "INVESTIGATING";
  if ("statusPageId" in incident)
    return { ...incident, incidentUpdates, lastUpdateStatus, duration: computeDuration(all) };
  const { statusPageIds: _, ...rest } = incident;
  return { ...rest, incidentUpdates, lastUpdateStatus };
}

/** Returns the seconds from the first update to the update that resolved the incident; null while it is open. */
function computeDuration(updates: StoredIncidentUpdate[]): number | null {
  const open = updates.findIndex(({ status }) => status !== "RESOLVED");
  // An incident that was reopened lasts until it is resolved again.
  const resolving = updates.at(open === -1 ? -1 : open - 1);
  if (open === 0 || resolving === undefined) return null;
  const [end = 0, start = 0] = [resolving, updates.at(-1)].map((each) =>
    Date.parse(each?.publicIncidentUpdateDate ?? ""),
  );
  return Math.max(0, Math.round((end - start) / 1000));
}

export function isOpen({ incidentUpdates: [latest] }: Pick<StoredIncident, "incidentUpdates">): boolean {
  return latest?.status !== "RESOLVED";
}

/** Compares incidents for a list in which the most recently changed incident is first. */
export function compareByLastChange(one: StoredIncident, other: StoredIncident): number {
  return getLastChange(other).localeCompare(getLastChange(one));
}

export function getLastChange({
  updated_at,
  created_at,
}: Pick<StoredIncident, "updated_at" | "created_at">): string {
  return updated_at ?? created_at;
}

export function listPageIds(incident: StoredIncident): string[] {
  return "statusPageId" in incident ? [incident.statusPageId] : incident.statusPageIds;
}

/** Returns the number of subscribers that are emailed about an incident: the subscribers of all pages that show it. */
export function countSubscribers(
  incident: StoredIncident,
  { subscribers }: Pick<SandboxAccount, "subscribers">,
): number {
  return listPageIds(incident).reduce((sum, id) => sum + (subscribers[id] ?? 0), 0);
}

type Path = (string | number)[];
type Row = { id: string | number };

/** Checks that IDs are unique and that references are valid. A page with cards and a page with components may have the same ID. */
function checkReferences(
  { access, accounts }: SandboxData,
  addIssue: (path: Path, message: string) => void,
): void {
  const seen = new Set<string>();
  const checkUnique = (rows: Row[], path: Path, scope: string) => {
    for (const [index, { id }] of rows.entries()) {
      const key = JSON.stringify([scope, String(id)]);
      if (seen.has(key)) addIssue([...path, index, "id"], `${id} is a duplicate`);
      seen.add(key);
    }
  };
  const checkKnown = (id: string | null | undefined, rows: Row[], ...path: Path) => {
    if (id && !rows.some((each) => each.id === id)) addIssue(path, `there is no ${id} here`);
  };

  checkUnique(accounts, ["accounts"], "accounts");
  for (const [index, { accountIds }] of access.entries())
    for (const id of accountIds) checkKnown(id, accounts, "access", index, "accountIds");
  for (const [index, account] of accounts.entries()) {
    const { statusPages, statusPageIncidents, alertChannels, incidents, componentPages } = account;
    const path = ["accounts", index];
    const lists = { statusPages, statusPageIncidents, alertChannels, incidents, componentPages };
    for (const [name, rows] of Object.entries(lists)) checkUnique(rows, [...path, name], name);
    for (const [name, pages] of Object.entries({ statusPages, componentPages }))
      for (const [row, { accountId }] of pages.entries())
        checkKnown(accountId, [account], ...path, name, row, "accountId");
    for (const [row, { id, statusPageIds, incidentUpdates }] of statusPageIncidents.entries()) {
      const at = [...path, "statusPageIncidents", row];
      checkUnique(incidentUpdates, [...at, "incidentUpdates"], `updates of ${id}`);
      for (const pageId of statusPageIds) checkKnown(pageId, statusPages, ...at, "statusPageIds");
    }
    for (const [row, page] of componentPages.entries()) {
      const { components, incidents } = page;
      const at = [...path, "componentPages", row];
      for (const [name, rows] of Object.entries({ components, incidents })) {
        checkUnique(rows, [...at, name], `${name} of ${page.id}`);
        for (const [each, { statusPageId }] of rows.entries())
          checkKnown(statusPageId, [page], ...at, name, each, "statusPageId");
      }
      const groups = components.filter(({ type }) => type === "GROUP");
      for (const [each, { parentId }] of components.entries())
        checkKnown(parentId, groups, ...at, "components", each, "parentId");
      for (const [each, { id, incidentUpdates, componentImpacts }] of incidents.entries()) {
        const ofIncident = [...at, "incidents", each];
        checkUnique(incidentUpdates, [...ofIncident, "incidentUpdates"], `updates of ${page.id}/${id}`);
        for (const { componentId } of componentImpacts)
          checkKnown(componentId, components, ...ofIncident, "componentImpacts");
      }
    }
  }
}
