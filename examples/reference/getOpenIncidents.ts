// Lists open incidents with severity MAJOR or worse and, on status pages with components, open incidents with an outage.
import { getOpenIncidentsOutput } from "pulumi-monitoring-service";

const { incidents } = getOpenIncidentsOutput({ atLeast: "MAJOR", atLeastImpact: "PARTIAL_OUTAGE" });

export const open = incidents.apply((all) =>
  all.map(({ severity = "outage", name }) => `${severity}: ${name}`),
);
