import { statusPageIncidentUpdate } from "../api";
import { documented } from "../values/documentedFields";
import { id } from "./lookupArguments";
import { account, lookup } from "./lookup";

export const getIncidentUpdate = lookup({
  name: "getIncidentUpdate",
  takes: { incidentId: id, incidentUpdateId: id, account },
  read: async ({ incidentId, incidentUpdateId, ...args }, { connections }) => {
    const { reads } = connections.connect(args.account);
    return documented(statusPageIncidentUpdate, await reads.incidentUpdate(incidentId, incidentUpdateId));
  },
});
