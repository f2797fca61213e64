// Lists the open incidents of severity MAJOR and above, on all status pages.
import { getOpenIncidentsOutput } from "pulumi-monitoring-service";

const { incidents } = getOpenIncidentsOutput({ atLeast: "MAJOR" });

export const open = incidents.apply((all) =>
  all.map(({ severity, name, statusPages }) => `${severity}: ${name}, on ${statusPages.length} status pages`),
);
