/** Imports an existing update, with the inputs that a program has to declare. */
import { updateStatuses } from "../api";
import { InvalidInputError, MonitoringError } from "../client";
import { matchingUpdates } from "./history";
import { readInputs } from "./incidentUpdateFields";
import { splitId } from "./incidentUpdateId";
import { declaredOutputs, outputsOf } from "./incidentUpdateOutputs";
import { type Lifecycle } from "./lifecycle";
import { connectionOf } from "./origin";
import { readIncident } from "./reading";

/** @param id `<incidentId>/<incidentUpdateId>` */
export const importUpdate: Lifecycle["import"] = async (id, context) => {
  const parts = splitId(id);
  if (!parts) {
    const reason = "must be <incidentId>/<incidentUpdateId>";
    throw new InvalidInputError("IncidentUpdate import", [{ property: "id", reason }]);
  }
  const { incidentId, incidentUpdateId } = parts;
  const connection = connectionOf({}, context);
  const update = await connection.client.getIncidentUpdate(incidentId, incidentUpdateId);
  const status = updateStatuses.find((known) => known === update.status);
  if (status === undefined) {
    throw new MonitoringError(
      `IncidentUpdate ${id}: its status ${JSON.stringify(update.status ?? null)} can't be declared; a program can ` +
        `declare ${updateStatuses.join(", ")}. Read it with IncidentUpdate.get instead.`,
    );
  }
  // Without the public date: a program that omits it would otherwise replace the update, which posts it again.
  const declared = {
    incidentId,
    status,
    description: update.description,
    ...(update.notifySubscribers === true && { notifySubscribers: true }),
  };
  const history = (await readIncident(connection, incidentId))?.incidentUpdates ?? [];
  const defaults = { occurrence: 1, notifySubscribers: false };
  const index = matchingUpdates({ ...defaults, ...declared }, history).findIndex(
    (one) => one.id === incidentUpdateId,
  );
  const inputs = { ...declared, ...(index > 0 && { occurrence: index + 1 }) };
  return {
    id,
    inputs,
    outputs: outputsOf(declaredOutputs(readInputs(inputs)), update, connection.origin),
  };
};
