/**
 * From the API's objects to those of {@link types}: the same documented fields that observed resources keep, and no
 * others. It loads zod: import it when an object has been read.
 */
import * as api from "../provider/api";
import { documented } from "../provider/lifecycles/outputs";
import type * as types from "./types";

export const alertChannel = (found: api.AlertChannel): types.AlertChannel =>
  documented(api.alertChannel, found);

export const incident = (found: api.Incident): types.Incident => documented(api.incident, found);

export const statusPage = (found: api.StatusPage): types.StatusPage => documented(api.statusPage, found);

export const statusPageIncident = (found: api.StatusPageIncident): types.StatusPageIncident =>
  documented(api.statusPageIncident, found);

export const statusPageIncidentUpdate = (
  found: api.StatusPageIncidentUpdate,
): types.StatusPageIncidentUpdate => documented(api.statusPageIncidentUpdate, found);
