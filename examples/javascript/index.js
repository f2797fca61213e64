// Declares the updates of an incident in plain JavaScript. Add new updates at the end, and run `pulumi up` again.
import { IncidentTimeline } from "pulumi-monitoring-service";

const timeline = new IncidentTimeline("search", {
  incidentId: "inc_search_lag",
  updates: [
    {
      key: "cause",
      status: "IDENTIFIED",
      description: "The index fell behind again tonight: one of its writers was stuck.",
    },
    {
      key: "fixed",
      status: "MONITORING",
      description: "The writer is replaced. New listings appear within a minute.",
    },
  ],
});

export const postedUpdates = timeline.incidentUpdateIds;
