/** All lookups, by name. */
import { type z } from "zod";
import { getAlertChannel, getRevealedAlertChannel } from "./getAlertChannel";
import { getAlertChannels, getRevealedAlertChannels } from "./getAlertChannels";
import { getIncident } from "./getIncident";
import { getIncidentUpdate } from "./getIncidentUpdate";
import { getOpenIncidents } from "./getOpenIncidents";
import { getStatusPage } from "./getStatusPage";
import { getStatusPageIncident } from "./getStatusPageIncident";
import { getStatusPages } from "./getStatusPages";
import { type Lookup } from "./lookup";

type Lookups = Readonly<Record<string, Lookup<z.ZodRawShape, object>>>;

export const lookups: Lookups = {
  getAlertChannel,
  getAlertChannels,
  getIncident,
  getIncidentUpdate,
  getOpenIncidents,
  getStatusPage,
  getStatusPageIncident,
  getStatusPages,
};

/** The lookups that can return credentials. */
export const revealingLookups: Lookups = {
  getAlertChannel: getRevealedAlertChannel,
  getAlertChannels: getRevealedAlertChannels,
};
