/** What the sandbox keeps: the objects of the contract, and what the service knows but doesn't show. */
import { z } from "zod";
import * as contract from "./contract";

/** A page without its incidents: these know the pages that they are on. */
const storedStatusPage = contract.statusPage.omit({ incidents: true });

/** An incident without what follows from its updates. */
const storedStatusPageIncident = contract.statusPageIncident.omit({ lastUpdateStatus: true }).extend({
  statusPageIds: z.array(z.string()),
});

const account = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  statusPages: z.array(storedStatusPage),
  /** How many people follow a status page, by its id. */
  subscribers: z.record(z.string(), z.int().min(0)),
  statusPageIncidents: z.array(storedStatusPageIncident),
  alertChannels: z.array(contract.alertChannel),
  incidents: z.array(contract.incident),
});

export const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/, { error: "must be visible ASCII characters without white space" });

/** An API key and the accounts that it opens: the first one is meant when a request names none. */
const access = z.strictObject({ apiKey, accountIds: z.tuple([z.string()], z.string()) });

export const sandboxData = z
  .strictObject({
    access: z.tuple([access], access),
    accounts: z.tuple([account], account),
    /** How many subscribers were mailed, by the id of the update. */
    mailed: z.record(z.string(), z.int().min(0)),
  })
  .superRefine((data, context) =>
    checkReferences(data, (path, message) => context.addIssue({ code: "custom", path, message })),
  );

/** Everything that the sandbox keeps: what its data file holds. */
export type SandboxData = z.infer<typeof sandboxData>;
export type SandboxAccount = z.infer<typeof account>;
export type StoredStatusPage = z.infer<typeof storedStatusPage>;
export type StoredStatusPageIncident = z.infer<typeof storedStatusPageIncident>;

type Report = (path: (string | number)[], message: string) => void;

function checkReferences({ access, accounts }: SandboxData, report: Report): void {
  const unique = (rows: { id: string | number }[], path: (string | number)[], seen = new Set()) => {
    for (const [index, { id }] of rows.entries()) {
      if (seen.has(id)) report([...path, index, "id"], `${id} is there twice`);
      seen.add(id);
    }
  };

  unique(accounts, ["accounts"]);
  const accountIds = new Set(accounts.map(({ id }) => id));
  for (const [index, { accountIds: opened }] of access.entries())
    for (const id of opened)
      if (!accountIds.has(id)) report(["access", index, "accountIds"], `there is no account ${id}`);

  for (const collection of ["statusPages", "statusPageIncidents", "alertChannels", "incidents"] as const) {
    const seen = new Set();
    for (const [index, rows] of accounts.entries())
      unique(rows[collection], ["accounts", index, collection], seen);
  }

  for (const [index, { id, statusPages, statusPageIncidents }] of accounts.entries()) {
    const pageIds = new Set(statusPages.map((page) => page.id));
    for (const [row, page] of statusPages.entries())
      if (page.accountId !== id)
        report(["accounts", index, "statusPages", row, "accountId"], `must be ${id}`);
    for (const [row, { statusPageIds, incidentUpdates }] of statusPageIncidents.entries()) {
      const path = ["accounts", index, "statusPageIncidents", row];
      unique(incidentUpdates, [...path, "incidentUpdates"]);
      for (const pageId of statusPageIds)
        if (!pageIds.has(pageId)) report([...path, "statusPageIds"], `there is no status page ${pageId}`);
    }
  }
}
