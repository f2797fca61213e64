/** All files of this kind. Written by `npm run update`. */
import { getAlertChannel } from "./getAlertChannel";
import { getAlertChannels } from "./getAlertChannels";
import { getIncident } from "./getIncident";
import { getIncidentUpdate } from "./getIncidentUpdate";
import { getOpenIncidents } from "./getOpenIncidents";
import { getStatusPage } from "./getStatusPage";
import { getStatusPageIncident } from "./getStatusPageIncident";
import { getStatusPages } from "./getStatusPages";

export const lookups = {
  getAlertChannel,
  getAlertChannels,
  getIncident,
  getIncidentUpdate,
  getOpenIncidents,
  getStatusPage,
  getStatusPageIncident,
  getStatusPages,
};
