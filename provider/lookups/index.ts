/** All lookups, by name. */
import { type z } from "zod";
import { getAlertChannel } from "./getAlertChannel";
import { getAlertChannels } from "./getAlertChannels";
import { getIncident } from "./getIncident";
import { getIncidentUpdate } from "./getIncidentUpdate";
import { getOpenIncidents } from "./getOpenIncidents";
import { getStatusPage } from "./getStatusPage";
import { getStatusPageIncident } from "./getStatusPageIncident";
import { getStatusPages } from "./getStatusPages";
import { type Lookup } from "./lookup";

export const lookups: Readonly<Record<string, Lookup<z.ZodRawShape, object>>> = {
  getAlertChannel,
  getAlertChannels,
  getIncident,
  getIncidentUpdate,
  getOpenIncidents,
  getStatusPage,
  getStatusPageIncident,
  getStatusPages,
};
