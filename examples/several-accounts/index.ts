// Reads from several accounts of the service and posts an update in one; `account` is a name in monitoring:accounts.
import * as pulumi from "@pulumi/pulumi";
import { getOpenIncidentsOutput, IncidentUpdate } from "pulumi-monitoring-service";

const openIn = (account: string) =>
  getOpenIncidentsOutput({ account }).incidents.apply((open) =>
    open.map(({ name, severity }) => `${severity}: ${name}`),
  );

const update = new IncidentUpdate("previews", {
  account: "labs",
  incidentId: "inc_labs_preview",
  status: "MONITORING",
  description: "New previews are built again. We keep an eye on the queue.",
});

export const openIncidents = pulumi.output({ shop: openIn("shop"), labs: openIn("labs") });
export const postedUpdate = update.incidentUpdateId;
