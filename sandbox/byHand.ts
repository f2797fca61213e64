/** What people do on the service itself, past the API: edit, delete, set up. */
import type { StatusPageIncidentUpdate } from "./contract";
import type { SandboxData, StoredStatusPageIncident } from "./data";
import { SandboxError } from "./errors";
import type { Store } from "./store";

export class ByHand {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Any change at all, made to a copy of the data, which takes effect if it still keeps to the contract.
   *
   * @example sandbox.byHand.change(({ accounts: [first] }) => first.alertChannels.pop());
   * @throws SandboxError that lists what breaks the contract
   */
  change(edit: (data: SandboxData) => void): void {
    this.#store.change(edit);
  }

  /** Edits a status-page incident. */
  editIncident(incidentId: string, changes: Partial<StoredStatusPageIncident>): void {
    this.change((data) => Object.assign(incidentOf(data, incidentId), changes));
  }

  /** Deletes a status-page incident. */
  deleteIncident(incidentId: string): void {
    this.change((data) => {
      const gone = incidentOf(data, incidentId);
      for (const account of data.accounts)
        account.statusPageIncidents = account.statusPageIncidents.filter((incident) => incident !== gone);
    });
  }

  /** Edits an update of a status-page incident. */
  editUpdate(incidentId: string, updateId: string, changes: Partial<StatusPageIncidentUpdate>): void {
    this.change((data) => Object.assign(updateOf(incidentOf(data, incidentId), updateId), changes));
  }

  /** Deletes an update of a status-page incident. Its mails stay counted: they were sent. */
  deleteUpdate(incidentId: string, updateId: string): void {
    this.change((data) => {
      const incident = incidentOf(data, incidentId);
      const gone = updateOf(incident, updateId);
      incident.incidentUpdates = incident.incidentUpdates.filter((update) => update !== gone);
    });
  }
}

/** A status-page incident of any account, or a `SandboxError`. */
export function incidentOf({ accounts }: Readonly<SandboxData>, id: string): StoredStatusPageIncident {
  for (const { statusPageIncidents } of accounts) {
    const incident = statusPageIncidents.find((each) => each.id === id);
    if (incident !== undefined) return incident;
  }
  throw new SandboxError(`There is no status-page incident ${JSON.stringify(id)}.`);
}

function updateOf({ incidentUpdates }: StoredStatusPageIncident, id: string): StatusPageIncidentUpdate {
  const update = incidentUpdates.find((each) => each.id === id);
  if (update === undefined) throw new SandboxError(`There is no incident update ${JSON.stringify(id)}.`);
  return update;
}
