import { Config, log, RunError } from "@pulumi/pulumi";
import { IncidentTimeline } from "pulumi-monitoring-service";
import { readTimelines } from "./files";

const { timelines, mistakes, notes } = readTimelines("incidents");
if (mistakes.length > 0) throw new RunError(`Correct these files:\n${mistakes.join("\n")}`);
if (notes.length > 0) void log.info(notes.join("\n"));
// On a page with components, a corrected file edits its update without an email. On a page with cards, first correct the update in the
// dashboard.
const statusPageId = new Config().get("statusPageId");
for (const timeline of timelines) new IncidentTimeline(timeline.incidentId, { ...timeline, statusPageId });
