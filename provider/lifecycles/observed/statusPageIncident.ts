/** `StatusPageIncident`: observes a status-page incident with its history. */
import * as schemas from "../../api";
import { nearestIncident } from "../../connection/nearestIncident";
import { account, idOf } from "../fields";
import { expectOf, observedLifecycle } from "./observedLifecycle";
import { documented } from "../../outputs";
import { readIncident } from "../reading";

const outputs = schemas.statusPageIncident.omit({ id: true });

export const statusPageIncident = observedLifecycle({
  type: "StatusPageIncident",
  idField: "incidentId",
  fields: {
    incidentId: idOf("a status-page incident"),
    expect: expectOf(outputs),
    account,
  },

  nearest: nearestIncident,

  async read(id, _inputs, connection) {
    const incident = await readIncident(connection, id);
    return incident && documented(outputs, incident);
  },
});
