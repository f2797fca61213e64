/**
 * The data of the sandbox: the API's objects, with what the service stores but doesn't return, without fields that aren't
 * documented, and with those that the sandbox computes with.
 */
import { z } from "zod";
import * as api from "../../provider/api";

const dateTime = z.iso.datetime({
  error: "must be an ISO date-time in UTC, such as 2026-01-31T09:30:00.000Z",
});

const incidentUpdate = api.statusPageIncidentUpdate.strict().extend({
  status: z.enum(api.updateStatuses),
  publicIncidentUpdateDate: dateTime,
  created_at: dateTime,
  notifySubscribers: z.boolean(),
});

const services = z.array(api.statusPageService.strict());

/** A status page without its incidents: each incident lists its pages. */
const storedStatusPage = api.statusPage
  .strict()
  .omit({ incidents: true })
  .extend({
    cards: z.array(api.statusPageCard.strict().extend({ services })),
    themeColors: api.statusPageThemeColors.strict().nullable(),
  });

/** An incident without what is computed from its updates. */
const storedStatusPageIncident = api.statusPageIncident
  .strict()
  .omit({ lastUpdateStatus: true })
  .extend({
    name: z.string().max(255),
    severity: z.enum(api.severities),
    services,
    incidentUpdates: z.array(incidentUpdate),
    created_at: dateTime,
    statusPageIds: z.array(z.string()),
  });

const alertChannel = api.alertChannel
  .strict()
  .extend({ subscriptions: z.array(api.alertChannelSubscription.strict()) });

const dashboardUpdate = api.dashboardIncidentUpdate
  .strict()
  .extend({ status: z.enum(api.dashboardUpdateStatuses) });

const incident = api.incident
  .strict()
  .extend({ impact: z.enum(api.impacts), incidentUpdates: z.array(dashboardUpdate).min(1) });

const account = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  statusPages: z.array(storedStatusPage),
  /** Number of subscribers by status page id. */
  subscribers: z.record(z.string(), z.int().min(0)),
  statusPageIncidents: z.array(storedStatusPageIncident),
  alertChannels: z.array(alertChannel),
  incidents: z.array(incident),
});

export const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/, { error: "must be printable ASCII without white space" });

/** An API key and the accounts that it gives access to. The first one is the default. */
const access = z.strictObject({ apiKey, accountIds: z.tuple([z.string()], z.string()) });

export const sandboxData = z
  .strictObject({
    access: z.tuple([access], access),
    accounts: z.tuple([account], account),
    /** Number of subscribers that were emailed, by update id. */
    mailed: z.record(z.string(), z.int().min(0)),
  })
  .superRefine((data, context) =>
    checkReferences(data, (path, message) => context.addIssue({ code: "custom", path, message })),
  );

/** All data of the sandbox, as in its data file. */
export type SandboxData = z.infer<typeof sandboxData>;
export type SandboxAccount = z.infer<typeof account>;
export type StoredStatusPage = z.infer<typeof storedStatusPage>;
export type StoredStatusPageIncident = z.infer<typeof storedStatusPageIncident>;
export type StoredIncidentUpdate = z.infer<typeof incidentUpdate>;

type AddIssue = (path: (string | number)[], message: string) => void;

function checkReferences({ access, accounts }: SandboxData, addIssue: AddIssue): void {
  const unique = (rows: { id: string | number }[], path: (string | number)[], seen = new Set()) => {
    for (const [index, { id }] of rows.entries()) {
      if (seen.has(id)) addIssue([...path, index, "id"], `${id} is a duplicate`);
      seen.add(id);
    }
  };

  unique(accounts, ["accounts"]);
  const accountIds = new Set(accounts.map(({ id }) => id));
  for (const [index, { accountIds: accessible }] of access.entries())
    for (const id of accessible)
      if (!accountIds.has(id)) addIssue(["access", index, "accountIds"], `there is no account ${id}`);

  for (const collection of ["statusPages", "statusPageIncidents", "alertChannels", "incidents"] as const) {
    const seen = new Set();
    for (const [index, rows] of accounts.entries())
      unique(rows[collection], ["accounts", index, collection], seen);
  }

  for (const [index, { id, statusPages, statusPageIncidents }] of accounts.entries()) {
    const pageIds = new Set(statusPages.map((page) => page.id));
    for (const [row, page] of statusPages.entries())
      if (page.accountId !== id)
        addIssue(["accounts", index, "statusPages", row, "accountId"], `must be ${id}`);
    for (const [row, { statusPageIds, incidentUpdates }] of statusPageIncidents.entries()) {
      const path = ["accounts", index, "statusPageIncidents", row];
      unique(incidentUpdates, [...path, "incidentUpdates"]);
      for (const pageId of statusPageIds)
        if (!pageIds.has(pageId)) addIssue([...path, "statusPageIds"], `there is no status page ${pageId}`);
    }
  }
}
