import { incident } from "../api";
import { operations } from "../api/operations";
import { documented } from "../values/documentedFields";
import { id } from "./lookupArguments";
import { account, lookup } from "./lookup";

const { includeAllIncidentUpdates } = operations.getIncident.query.shape;

export const getIncident = lookup({
  name: "getIncident",
  takes: { id, includeAllIncidentUpdates, account },
  read: async (args, { connections }) => {
    const { reads } = connections.connect(args.account);
    return documented(incident, await reads.incident(args.id, args.includeAllIncidentUpdates));
  },
});
