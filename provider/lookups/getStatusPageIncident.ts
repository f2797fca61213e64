import { statusPageIncident } from "../api";
import { orNearest } from "../connection/nearestIncident";
import { documented } from "../values/documentedFields";
import { id } from "./lookupArguments";
import { account, lookup } from "./lookup";

export const getStatusPageIncident = lookup({
  name: "getStatusPageIncident",
  takes: { incidentId: id, account },
  read: async (args, { connections }) => {
    const { reads } = connections.connect(args.account);
    const reading = reads.statusPageIncident(args.incidentId);
    return documented(statusPageIncident, await orNearest(reading, reads, String(args.incidentId)));
  },
});
