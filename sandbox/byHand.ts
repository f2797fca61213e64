/** Changes that people make on the service itself, without the API: edit, delete, set up. */
import {
  type SandboxData,
  SandboxError,
  type Store,
  type StoredIncidentUpdate,
  type StoredStatusPageIncident,
} from "./store";

export class ByHand {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Makes any change to a copy of the data. It takes effect if the data is still valid.
   *
   * @example sandbox.byHand.change(({ accounts: [first] }) => first.alertChannels.pop());
   * @throws SandboxError that lists what is invalid
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
      const deleted = incidentOf(data, incidentId);
      for (const account of data.accounts)
        account.statusPageIncidents = account.statusPageIncidents.filter((incident) => incident !== deleted);
    });
  }

  /** Edits an update of a status-page incident. */
  editUpdate(incidentId: string, updateId: string, changes: Partial<StoredIncidentUpdate>): void {
    this.change((data) => Object.assign(updateOf(incidentOf(data, incidentId), updateId), changes));
  }

  /** Deletes an update of a status-page incident. Its emails still count: they were sent. */
  deleteUpdate(incidentId: string, updateId: string): void {
    this.change((data) => {
      const incident = incidentOf(data, incidentId);
      const deleted = updateOf(incident, updateId);
      incident.incidentUpdates = incident.incidentUpdates.filter((update) => update !== deleted);
    });
  }
}

/** @throws SandboxError when no account has this status-page incident */
export function incidentOf({ accounts }: Readonly<SandboxData>, id: string): StoredStatusPageIncident {
  for (const { statusPageIncidents } of accounts) {
    const incident = statusPageIncidents.find((each) => each.id === id);
    if (incident !== undefined) return incident;
  }
  throw new SandboxError(`There is no status-page incident ${JSON.stringify(id)}.`);
}

function updateOf({ incidentUpdates }: StoredStatusPageIncident, id: string): StoredIncidentUpdate {
  const update = incidentUpdates.find((each) => each.id === id);
  if (update === undefined) throw new SandboxError(`There is no incident update ${JSON.stringify(id)}.`);
  return update;
}
