/** By what an incident is told from others. */
import { type Origin } from "../api/origin";

/** Without the account: two configured names may refer to one account, and only one of them may state its id. */
export function serviceOf({ host, path }: Pick<Origin, "host" | "path">): string {
  return JSON.stringify([host, path]);
}

/** What the lock and the notes of an incident are named after. */
export function incidentKey(origin: Pick<Origin, "host" | "path">, incidentId: string): string {
  return JSON.stringify([serviceOf(origin), incidentId]);
}
