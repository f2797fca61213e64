/** Sample data of a fictional company: Quillmarket, a marketplace, and the account of its labs. */
import { sandboxData, type SandboxAccount, type SandboxData } from "../store/data";
import { subscribersOf } from "../store/store";
import { contractFleet } from "./fleet";
import labsRows from "./labs.json";
import { alertChannels, incidents, type Rows, statusPageIncidents, statusPages } from "./seedObjects";
import quillmarketRows from "./quillmarket.json";
import { SeedValues } from "./seedValues";
import { wellKnown } from "./wellKnown";

export interface SeedOptions {
  /** Varies the generated ids, ages and numbers of subscribers. Default: 0. */
  seed?: number;
  /** The time that all timestamps are relative to. Default: now. */
  now?: Date;
}

/**
 * Two accounts with status pages, alert channels, and open and resolved incidents. The ids of `wellKnown` are included with
 * every seed.
 */
export function seedData({ seed = 0, now = new Date() }: SeedOptions = {}): SandboxData {
  const account = (id: string, rows: Rows) => {
    const values = new SeedValues(seed, now, id);
    const pages = statusPages(rows.statusPages, values);
    const subscribers = pages.map(({ id, name }): [string, number] => [
      id,
      values.number(`subscribers ${name}`, 300, 4800),
    ]);
    return {
      id,
      name: rows.name,
      statusPages: pages,
      subscribers: Object.fromEntries(subscribers),
      statusPageIncidents: statusPageIncidents(rows.statusPageIncidents, pages, values),
      alertChannels: alertChannels(rows.alertChannels, values),
      incidents: incidents(rows.incidents, values),
    };
  };
  const quillmarket = account(wellKnown.accounts.quillmarket, quillmarketRows);
  const labs = account(wellKnown.accounts.labs, labsRows);
  const data = {
    access: [
      { apiKey: wellKnown.apiKeys.quillmarket, accountIds: [quillmarket.id, labs.id] },
      { apiKey: wellKnown.apiKeys.labs, accountIds: [labs.id] },
    ],
    accounts: [quillmarket, { ...labs, alertChannels: [...labs.alertChannels, ...contractFleet(now)] }],
    mailed: {},
  };
  if (!isSandboxData(data)) throw new Error("The rows of the seed aren't data of the sandbox.");
  return { ...data, mailed: Object.fromEntries(data.accounts.flatMap(mailed)) };
}

/** Not the result of `parse`, whose keys have another order. */
function isSandboxData(data: unknown): data is SandboxData {
  return sandboxData.safeParse(data).success;
}

/** The emails of the updates that notified: to all subscribers of the pages. */
function mailed(account: SandboxAccount): [updateId: string, subscribers: number][] {
  return account.statusPageIncidents.flatMap((incident) =>
    incident.incidentUpdates
      .filter(({ notifySubscribers }) => notifySubscribers)
      .map(({ id }): [string, number] => [id, subscribersOf(incident, account)]),
  );
}
