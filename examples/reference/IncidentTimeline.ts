// Tells the whole story of an incident. What comes next is added at the end, and posted by the next `pulumi up`.
import { IncidentTimeline } from "pulumi-monitoring-service";

const story = new IncidentTimeline("label-printing", {
  incidentId: "inc_label_printing",
  updates: [
    {
      status: "IDENTIFIED",
      description: "Some sellers still get blank labels: their shop keeps the old format.",
    },
    { status: "MONITORING", description: "All shops print with the new format.", notifySubscribers: true },
  ],
});

export const updateIds = story.incidentUpdateIds;
