import { statusPageIncident } from "../api";
import { documented } from "../outputs";
import { id } from "./lookupArguments";
import { account, lookup } from "./lookup";

export const getStatusPageIncident = lookup({
  name: "getStatusPageIncident",
  takes: { incidentId: id, account },
  read: async (args, { connections }) => {
    const { reads } = connections.connect(args.account);
    return documented(statusPageIncident, await reads.statusPageIncident(args.incidentId));
  },
});
