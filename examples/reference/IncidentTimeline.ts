// Declares all updates of an incident. Add new updates at the end; the next `pulumi up` posts them.
import { IncidentTimeline } from "pulumi-monitoring-service";

const timeline = new IncidentTimeline("label-printing", {
  incidentId: "inc_label_printing",
  updates: [
    {
      key: "cause",
      status: "IDENTIFIED",
      description: "Some sellers still get blank labels: their shop keeps the old format.",
    },
    {
      key: "fixed",
      status: "MONITORING",
      description: "All shops print with the new format.",
      notifySubscribers: true,
    },
  ],
});

export const updateIds = timeline.incidentUpdateIds;
