/** The service's data in memory. Writes are saved before the response is sent. */
import {
  type SandboxAccount,
  type SandboxData,
  sandboxData,
  type StoredStatusPageIncident,
  type StoredIncidentUpdate,
} from "./data";
import { parseInput, SandboxError } from "./sandboxError";

export class Store {
  #data: SandboxData;
  readonly #save: (data: SandboxData) => void;
  readonly #deletedUpdateIds = new Set<string>();

  /** `save` makes data durable. When it throws, nothing changes. */
  constructor(data: SandboxData, save: (data: SandboxData) => void = () => {}) {
    this.#data = data;
    this.#save = save;
  }

  /** Immutable: every write replaces it. */
  get data(): Readonly<SandboxData> {
    return this.#data;
  }

  /** Ids of updates that were deleted since it was opened. */
  get deletedUpdateIds(): ReadonlySet<string> {
    return this.#deletedUpdateIds;
  }

  account(id: string): SandboxAccount {
    const account = this.#data.accounts.find((each) => each.id === id);
    if (account === undefined) throw new SandboxError(`There is no account ${id}.`);
    return account;
  }

  /** Adds an update as the newest of an incident's history, and counts its emails. */
  addUpdate(incident: StoredStatusPageIncident, update: StoredIncidentUpdate, mailed: number): void {
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
    const before = this.#data.mailed;
    this.#commit({
      ...this.#data,
      accounts: [replace(first), ...rest.map(replace)],
      // An update that was deleted may have had this id: its emails were sent.
      mailed: mailed === 0 ? before : { ...before, [update.id]: (before[update.id] ?? 0) + mailed },
    });
  }

  /** Any other change on the service, such as a user who edits or deletes something. */
  change(edit: (data: SandboxData) => void): void {
    const draft = structuredClone(this.#data);
    edit(draft);
    const before = updateIdsOf(this.#data);
    this.#commit(parseInput(sandboxData, draft, "This change makes the data invalid"));
    const kept = new Set(updateIdsOf(this.#data));
    for (const id of before) if (!kept.has(id)) this.#deletedUpdateIds.add(id);
  }

  #commit(data: SandboxData): void {
    this.#save(data);
    this.#data = data;
  }
}

const updateIdsOf = ({ accounts }: SandboxData): string[] =>
  accounts.flatMap(({ statusPageIncidents }) =>
    statusPageIncidents.flatMap(({ incidentUpdates }) => incidentUpdates.map(({ id }) => id)),
  );

/** An incident as the API returns it. */
export type SandboxStatusPageIncident = Omit<StoredStatusPageIncident, "statusPageIds"> & {
  lastUpdateStatus: StoredIncidentUpdate["status"];
};

/** An incident as the API returns it, with these updates. Without updates its status is the first one. */
export function toStatusPageIncident(
  { statusPageIds: _, ...incident }: StoredStatusPageIncident,
  incidentUpdates: StoredIncidentUpdate[],
): SandboxStatusPageIncident {
  const lastUpdateStatus = incidentUpdates[0]?.status ?? "INVESTIGATING";
  return { ...incident, incidentUpdates, lastUpdateStatus };
}

/** Number of subscribers that are emailed about an incident: those of the pages that show it. */
export function subscribersOf(
  { statusPageIds }: StoredStatusPageIncident,
  { subscribers }: Pick<SandboxAccount, "subscribers">,
): number {
  return statusPageIds.reduce((sum, id) => sum + (subscribers[id] ?? 0), 0);
}
