/** From the API's objects to those of {@link types}. What the API doesn't document yet is passed on. */
import type * as api from "../provider/client/schemas";
import type * as types from "./types";

const listOf = <A, B>(values: readonly A[] | null | undefined, convert: (value: A) => B): B[] =>
  (values ?? []).map(convert);

export function statusPageIncidentUpdate(
  found: api.StatusPageIncidentUpdate,
): types.StatusPageIncidentUpdate {
  const { created_at: createdAt, ...rest } = found;
  return { ...rest, createdAt };
}

export function statusPageIncident(found: api.StatusPageIncidentSummary): types.StatusPageIncident {
  const { created_at: createdAt, updated_at: updatedAt, services, incidentUpdates, ...rest } = found;
  return {
    ...rest,
    services: listOf(services, statusPageService),
    incidentUpdates: listOf(incidentUpdates, statusPageIncidentUpdate),
    createdAt,
    updatedAt,
  };
}

export function statusPage(found: api.StatusPage): types.StatusPage {
  const { created_at: createdAt, updated_at: updatedAt, cards, incidents, ...rest } = found;
  return {
    ...rest,
    cards: listOf(cards, statusPageCard),
    incidents: listOf(incidents, statusPageIncident),
    createdAt,
    updatedAt,
  };
}

function statusPageCard(found: api.StatusPageCard): types.StatusPageCard {
  const { created_at: createdAt, updated_at: updatedAt, services, ...rest } = found;
  return { ...rest, services: listOf(services, statusPageService), createdAt, updatedAt };
}

function statusPageService(found: api.StatusPageService): types.StatusPageService {
  const { created_at: createdAt, updated_at: updatedAt, ...rest } = found;
  return { ...rest, createdAt, updatedAt };
}

export function incident(found: api.Incident): types.Incident {
  const { created_at: createdAt, updated_at: updatedAt, incidentUpdates, ...rest } = found;
  return { ...rest, incidentUpdates: listOf(incidentUpdates, dashboardIncidentUpdate), createdAt, updatedAt };
}

function dashboardIncidentUpdate(found: api.DashboardIncidentUpdate): types.DashboardIncidentUpdate {
  const { created_at: createdAt, updated_at: updatedAt, ...rest } = found;
  return { ...rest, createdAt, updatedAt };
}

/** @param config What is to be shown of the channel's settings, which hold credentials in clear text. */
export function alertChannel(
  found: api.AlertChannel,
  config: types.AlertChannel["config"],
): types.AlertChannel {
  const { created_at: createdAt, updated_at: updatedAt, subscriptions, ...rest } = found;
  return { ...rest, config, subscriptions: subscriptions ?? [], createdAt, updatedAt };
}
