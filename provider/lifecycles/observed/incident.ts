/** `Incident`: observes an incident of a dashboard. */
import { z } from "zod";
import * as schemas from "../../api";
import { account, idOf } from "../fields";
import { expectOf, observedLifecycle } from "./observedLifecycle";
import { documented } from "../../outputs";
import { undefinedIfAbsent } from "../reading";

const outputs = schemas.incident.omit({ id: true });

export const incident = observedLifecycle({
  type: "Incident",
  idField: "incidentId",
  fields: {
    incidentId: idOf("an incident"),
    includeAllIncidentUpdates: z.boolean({ error: "must be true or false" }).default(false),
    expect: expectOf(outputs),
    account,
  },

  async read(id, inputs, connection) {
    const includeAllIncidentUpdates = inputs["includeAllIncidentUpdates"] === true;
    const found = await undefinedIfAbsent(connection.reads.incident(id, includeAllIncidentUpdates));
    return found && documented(outputs, found);
  },
});
