/** An existing update: imported, with the inputs that a program has to declare, or only read. */
import { InvalidInputError } from "../../client";
import { type Connection } from "../../connection/connections";
import { readDeclared } from "./incidentUpdateFields";
import { splitId } from "./incidentUpdateId";
import { existingOutputs, outputsOf } from "./incidentUpdateState";
import { matches, oldestFirst } from "../../protocol";
import { type Lifecycle, type Properties, type ResourceState } from "../lifecycle";
import { connectionOf } from "../resourceOrigin";
import { readIncident } from "./incidentReads";

/** @param id `<incidentId>/<incidentUpdateId>` */
export const importUpdate: Lifecycle["import"] = async (id, context) => {
  const { incidentId, incidentUpdateId } = idsIn(id, "IncidentUpdate import");
  const connection = connectionOf({}, context);
  const update = await connection.client.getIncidentUpdate(incidentId, incidentUpdateId);
  // Without the public date: a program that omits it would otherwise replace the update, which posts it again.
  const inputs = {
    incidentId,
    status: update.status,
    description: update.description,
    ...(update.notifySubscribers === true && { notifySubscribers: true }),
  };
  const declared = readDeclared(inputs);
  if (!declared) {
    // The engine doesn't say whether it imports the update or only gets it. The check of the inputs refuses an import.
    const outputs = existingOutputs({}, incidentId, update, connection.origin);
    return { id, inputs: { incidentId }, outputs };
  }
  const history = (await readIncident(connection, incidentId))?.incidentUpdates ?? [];
  const matching = oldestFirst(history.filter((one) => matches(declared, one)));
  const index = matching.findIndex((one) => one.id === incidentUpdateId);
  const occurrence = index > 0 && { occurrence: index + 1 };
  return {
    id,
    inputs: { ...inputs, ...occurrence },
    outputs: outputsOf(
      {
        kind: "posted",
        id: update.id,
        declared: { ...declared, ...occurrence },
        published: update,
        createdAt: update.created_at,
        missing: false,
        past: [],
      },
      connection.origin,
    ),
  };
};

/** `IncidentUpdate.get`: reads an update of which only the id is known. */
export async function readExisting(
  id: string,
  old: Properties,
  { client, origin }: Connection,
): Promise<ResourceState> {
  const { incidentId, incidentUpdateId } = idsIn(id, "IncidentUpdate.get");
  const update = await client.getIncidentUpdate(incidentId, incidentUpdateId);
  return { id, outputs: existingOutputs(old, incidentId, update, origin) };
}

function idsIn(id: string, operation: string): NonNullable<ReturnType<typeof splitId>> {
  const ids = splitId(id);
  if (ids) return ids;
  throw new InvalidInputError(operation, [
    { property: "id", reason: "must be <incidentId>/<incidentUpdateId>" },
  ]);
}
