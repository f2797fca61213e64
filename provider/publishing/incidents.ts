/** The incidents on which a run publishes. */
import { type Origin } from "../api/origin";
import { type Connection } from "../connection/connections";
import { type Ledger, newLedger } from "../protocol";
import { type PreviewReads } from "./previewPerformer";
import { Turns } from "./turns";

/** What a run knows about one incident. */
export interface KnownIncident {
  ledger: Ledger;
  /** Identifies the service. */
  readonly service: string;
  readonly key: string;
  readonly turns: Turns;
  readonly previewReads: PreviewReads;
  /** Whether a preview found an update whose result is unknown: an `up` may keep later ones waiting for it. */
  isResultUnknown: boolean;
}

export class Incidents {
  readonly #known = new Map<string, KnownIncident>();

  /** Whether a post of an earlier run isn't settled yet, which may lead to a question. */
  areUnsettled(): boolean {
    const ledgers = [...this.#known.values()].map(({ ledger }) => ledger);
    return ledgers.some(({ plans }) => [...plans.values()].some(({ kind }) => kind === "unsettled"));
  }

  of(connection: Connection, incidentId: string): KnownIncident {
    const service = serviceOf(connection.origin);
    const key = incidentKey(connection.origin, incidentId);
    const incident = this.#known.get(key) ?? newIncident(service, key, connection);
    this.#known.set(key, incident);
    // What the service does with ids is a fact of the service, not of the incident.
    const isIgnored = [...this.#known.values()].some(
      (other) => other.service === service && other.ledger.ids === "ignored",
    );
    if (isIgnored) incident.ledger = { ...incident.ledger, ids: "ignored" };
    return incident;
  }
}

function newIncident(service: string, key: string, { clientIds }: Connection): KnownIncident {
  const ledger = newLedger(clientIds ? "used" : "off");
  return { service, key, ledger, turns: new Turns(), previewReads: new Map(), isResultUnknown: false };
}

/** Without the account: two configured names may refer to one account, and only one of them may state its id. */
export function serviceOf({ host, path }: Pick<Origin, "host" | "path">): string {
  return JSON.stringify([host, path]);
}

/** What the lock and the notes of an incident are named after. */
export function incidentKey(origin: Pick<Origin, "host" | "path">, incidentId: string): string {
  return JSON.stringify([serviceOf(origin), incidentId]);
}
