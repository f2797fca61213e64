/** What a refresh, or `IncidentUpdate.get`, makes of the state. */
import { type Connection } from "../../connection/connections";
import { type Lifecycle, type Properties } from "../lifecycle";
import { readUpdate } from "./incidentReads";
import { assertOrigin, storedConnection } from "../resourceOrigin";
import { joinId, splitId } from "./incidentUpdateId";
import { readExisting } from "./incidentUpdateImport";
import { publishedOf, recordedIn } from "./incidentUpdateState";

export const refreshUpdate: Lifecycle["read"] = async (id, old, context) => {
  const connection = storedConnection(old, context);
  // A `get` stores only inputs at first.
  if (!("origin" in old)) return readExisting(id, old, connection);
  assertSameOrigin(id, old, connection);
  const recorded = recordedIn(id, old);
  if (recorded?.kind === "sent") {
    context.notice(`IncidentUpdate ${id}: still unconfirmed. \`pulumi up\` searches for it.`);
    return { id, outputs: old };
  }
  // Not the engine's id: for an update that was found after a lost response, that is still the unconfirmed one. A `get`
  // stores what the service showed, which may be no declaration: its id is the update's.
  const { incidentId = "", incidentUpdateId = "" } = recorded
    ? { incidentId: recorded.declared.incidentId, incidentUpdateId: recorded.id }
    : { ...splitId(id) };
  const known = joinId(incidentId, incidentUpdateId);
  const update = await readUpdate(connection, incidentId, incidentUpdateId);
  // Without these outputs the engine would remove the resource, and the next `up` would post the update again.
  if (!update) {
    context.notice(
      `IncidentUpdate ${known}: not found on the service. It stays in the state and is not posted again.`,
    );
    return { id: known, outputs: { ...old, missing: true } };
  }
  return { id: known, outputs: { ...old, published: publishedOf(update), missing: false } };
};

export const assertSameOrigin = (id: string, old: Properties, connection: Connection): void =>
  assertOrigin(`IncidentUpdate ${id}`, old, connection, "the update was posted to");
