/** Sample data of a fictional company: Quillmarket, a marketplace, and the account of its labs. */
import type { SandboxAccount, SandboxData } from "../data";
import { subscribersOf } from "../store";
import { alertChannelRows, alertChannels } from "./seedAlertChannels";
import { contractFleet } from "./fleet";
import { incidentRows, incidents } from "./seedIncidents";
import { SeedValues } from "./seedValues";
import { statusPageIncidentRows, statusPageIncidents } from "./seedStatusPageIncidents";
import { statusPageRows, statusPages } from "./seedStatusPages";
import { wellKnown } from "./wellKnown";

export interface SeedOptions {
  /** Varies the generated ids, ages and numbers of subscribers. Default: 0. */
  seed?: number;
  /** The time that all timestamps are relative to. Default: now. */
  now?: Date;
}

/**
 * Two accounts with 47 and 4 status pages, 12 and 37 alert channels, and open and resolved incidents. The ids of
 * `wellKnown` are included with every seed.
 */
export function seedData({ seed = 0, now = new Date() }: SeedOptions = {}): SandboxData {
  const account = (key: "quillmarket" | "labs", name: string): SandboxAccount => {
    const id = wellKnown.accounts[key];
    const values = new SeedValues(seed, now, id);
    const pages = statusPages(statusPageRows[key], values);
    return {
      id,
      name,
      statusPages: pages,
      subscribers: Object.fromEntries(
        pages.map((page) => [page.id, values.number(`subscribers ${page.name}`, 300, 4800)]),
      ),
      statusPageIncidents: statusPageIncidents(statusPageIncidentRows[key], pages, values),
      alertChannels: alertChannels(alertChannelRows[key], values),
      incidents: incidents(incidentRows[key], values),
    };
  };
  const quillmarket = account("quillmarket", "Quillmarket");
  const { alertChannels: labsChannels, ...labsOthers } = account("labs", "Quillmarket Labs");
  const labs = { ...labsOthers, alertChannels: [...labsChannels, ...contractFleet(now)] };
  return {
    access: [
      { apiKey: wellKnown.apiKeys.quillmarket, accountIds: [quillmarket.id, labs.id] },
      { apiKey: wellKnown.apiKeys.labs, accountIds: [labs.id] },
    ],
    accounts: [quillmarket, labs],
    mailed: Object.fromEntries([...mailed(quillmarket), ...mailed(labs)]),
  };
}

/** The emails of the updates that notified: to all subscribers of the pages. */
function mailed(account: SandboxAccount): [updateId: string, subscribers: number][] {
  return account.statusPageIncidents.flatMap((incident) =>
    incident.incidentUpdates
      .filter(({ notifySubscribers }) => notifySubscribers)
      .map(({ id }): [string, number] => [id, subscribersOf(incident, account)]),
  );
}
