/** A company's monitoring as it might be found: Quillmarket, a marketplace, and the account of its labs. */
import type { SandboxAccount, SandboxData } from "../data";
import { subscribersOf } from "../store";
import { alertChannelRows, alertChannels } from "./alertChannels";
import { incidentRows, incidents } from "./incidents";
import { Source } from "./source";
import { statusPageIncidentRows, statusPageIncidents } from "./statusPageIncidents";
import { statusPageRows, statusPages } from "./statusPages";
import { wellKnown } from "./wellKnown";

export interface SeedOptions {
  /** Another number gives other generated ids, ages and numbers of subscribers. Default: 0. */
  seed?: number;
  /** The moment that every time is counted back from. Default: the present. */
  now?: Date;
}

/**
 * Two accounts with 47 and 4 status pages, 12 and 2 alert channels, and open and past incidents. The ids of
 * `wellKnown` are in it with every seed.
 */
export function seedData({ seed = 0, now = new Date() }: SeedOptions = {}): SandboxData {
  const account = (key: "quillmarket" | "labs", name: string): SandboxAccount => {
    const id = wellKnown.accounts[key];
    const source = new Source(seed, now, id);
    const pages = statusPages(statusPageRows[key], source);
    return {
      id,
      name,
      statusPages: pages,
      subscribers: Object.fromEntries(
        pages.map((page) => [page.id, source.number(`subscribers ${page.name}`, 300, 4800)]),
      ),
      statusPageIncidents: statusPageIncidents(statusPageIncidentRows[key], pages, source),
      alertChannels: alertChannels(alertChannelRows[key], source),
      incidents: incidents(incidentRows[key], source),
    };
  };
  const quillmarket = account("quillmarket", "Quillmarket");
  const labs = account("labs", "Quillmarket Labs");
  return {
    access: [
      { apiKey: wellKnown.apiKeys.quillmarket, accountIds: [quillmarket.id, labs.id] },
      { apiKey: wellKnown.apiKeys.labs, accountIds: [labs.id] },
    ],
    accounts: [quillmarket, labs],
    mailed: Object.fromEntries([...mailed(quillmarket), ...mailed(labs)]),
  };
}

/** The mails of the updates that notified: to everyone who follows the pages. */
function mailed(account: SandboxAccount): [updateId: string, subscribers: number][] {
  return account.statusPageIncidents.flatMap((incident) =>
    incident.incidentUpdates
      .filter(({ notifySubscribers }) => notifySubscribers)
      .map(({ id }): [string, number] => [id, subscribersOf(incident, account)]),
  );
}
