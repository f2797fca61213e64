/** The incidents on which a run publishes. */
import { type Connection } from "../connection/connections";
import { type Ledger, newLedger } from "../protocol";
import { type PreviewReads } from "./preview";
import { Turns } from "./turns";

/** What a run knows about one incident. */
export interface Incident {
  ledger: Ledger;
  /** Identifies the service. */
  readonly service: string;
  readonly key: string;
  readonly turns: Turns;
  readonly previewReads: PreviewReads;
  /** Whether a preview found an update whose result is unknown: an `up` may keep later ones waiting for it. */
  isUnsettled: boolean;
}

export class Incidents {
  readonly #known = new Map<string, Incident>();

  /** What the service does with ids is a fact of the service, not of the incident. */
  of(connection: Connection, incidentId: string): Incident {
    const { clientIds } = connection;
    const service = serviceOf(connection);
    const key = JSON.stringify([service, incidentId]);
    const known = this.#known.get(key);
    if (known && known.ledger.ids !== "unknown") return known;
    const learned = [...this.#known.values()].find(
      (other) => other.service === service && other.ledger.ids !== "unknown",
    );
    const ids = learned?.ledger.ids ?? (clientIds ? "unknown" : "off");
    if (known) {
      known.ledger = { ...known.ledger, ids };
      return known;
    }
    const incident = {
      service,
      key,
      ledger: newLedger(ids),
      turns: new Turns(),
      previewReads: new Map(),
      isUnsettled: false,
    };
    this.#known.set(key, incident);
    return incident;
  }
}

/** Without the account: two configured names may refer to one account, and only one of them may state its id. */
export function serviceOf({ origin: { host, path } }: Connection): string {
  return JSON.stringify([host, path]);
}
