/** The service's memory: what is read, what is written, and that it is durable before anyone is told. */
import type { StatusPageIncident, StatusPageIncidentUpdate } from "./contract";
import { type SandboxAccount, type SandboxData, sandboxData, type StoredStatusPageIncident } from "./data";
import { checked, SandboxError } from "./errors";

export class Store {
  #data: SandboxData;
  readonly #save: (data: SandboxData) => void;

  /** `save` makes data durable, or throws: then nothing has changed. */
  constructor(data: SandboxData, save: (data: SandboxData) => void = () => {}) {
    this.#data = data;
    this.#save = save;
  }

  /** Never changed in place: a reader may keep it. */
  get data(): Readonly<SandboxData> {
    return this.#data;
  }

  account(id: string): SandboxAccount {
    const account = this.#data.accounts.find((each) => each.id === id);
    if (account === undefined) throw new SandboxError(`There is no account ${id}.`);
    return account;
  }

  /** Puts an update on top of an incident's history and counts its mails. */
  addUpdate(incident: StoredStatusPageIncident, update: StatusPageIncidentUpdate, mailed: number): void {
    const changed: StoredStatusPageIncident = {
      ...incident,
      updated_at: update.created_at,
      incidentUpdates: [update, ...incident.incidentUpdates],
    };
    const [first, ...rest] = this.#data.accounts;
    const replace = (account: SandboxAccount): SandboxAccount => ({
      ...account,
      statusPageIncidents: account.statusPageIncidents.map((each) => (each === incident ? changed : each)),
    });
    this.#commit({
      ...this.#data,
      accounts: [replace(first), ...rest.map(replace)],
      mailed: mailed === 0 ? this.#data.mailed : { ...this.#data.mailed, [update.id]: mailed },
    });
  }

  /** Anything else that may happen on a service, such as a person who edits or deletes something there. */
  change(edit: (data: SandboxData) => void): void {
    const draft = structuredClone(this.#data);
    edit(draft);
    this.#commit(checked(sandboxData, draft, "This change breaks the contract"));
  }

  #commit(data: SandboxData): void {
    this.#save(data);
    this.#data = data;
  }
}

/** An incident as the API shows it, with as much of its history. With no update left it is as on its first day. */
export function shownIncident(
  { id, name, severity, services, created_at, updated_at }: StoredStatusPageIncident,
  incidentUpdates: StatusPageIncidentUpdate[],
): StatusPageIncident {
  const lastUpdateStatus = incidentUpdates[0]?.status ?? "INVESTIGATING";
  return { id, name, severity, services, incidentUpdates, lastUpdateStatus, created_at, updated_at };
}

/** How many people are mailed about an incident: those who follow the pages that show it. */
export function subscribersOf(
  { statusPageIds }: StoredStatusPageIncident,
  { subscribers }: Pick<SandboxAccount, "subscribers">,
): number {
  return statusPageIds.reduce((sum, id) => sum + (subscribers[id] ?? 0), 0);
}
