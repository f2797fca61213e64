/** Defines the bodies of requests: new and edited updates and incidents. Other fields are rejected, because a typo would be ignored. */
import { z } from "zod";
import { boolean, castSchema, filledText, list, oneOf, strictObject, string } from "../problems";
import { componentStatuses, updateStatuses } from "./enums";

const notADate = "must be an ISO 8601 date-time with a time zone, such as 2026-01-31T09:30:00Z";

/** A full ISO 8601 date-time in UTC. Every deployment accepts this format for a public date. */
export const publicDate = z.iso
  .datetime({ offset: true, error: notADate })
  .transform((value) => (value.endsWith("Z") ? value : new Date(value).toISOString()))
  // The conversion to UTC may leave the years 0 to 9999, which ISO 8601 writes with four digits.
  .refine((value) => /^\d{4}-/.test(value), { error: notADate });

const words = {
  /** Status that the update announces. */
  status: oneOf(updateStatuses),
  /** Public text; not empty. */
  description: string.refine((value) => value.trim() !== "", { error: "must not be empty" }),
};

const newContent = {
  ...words,
  /** If true, subscribers are emailed. Always sent. Default: false. */
  notifySubscribers: boolean.optional(),
  /** Public date, as an ISO date-time. If omitted, the service uses the current time. */
  publicIncidentUpdateDate: publicDate.optional(),
};

/** The content of a new update on a status-page incident (operation `createIncidentUpdate`). Other fields are rejected. */
export interface NewIncidentUpdate extends z.output<typeof newIncidentUpdate> {}

export const newIncidentUpdate = strictObject({
  ...newContent,
  /** The API doesn't document who assigns this ID. Sent only if given. */
  id: filledText.optional(),
  /** Documented, but assigned by the service. Sent only if given. */
  created_at: z.string({ error: "must be a date" }).min(1, { error: "must not be empty" }).optional(),
});

/**
 * The content of a new update on an incident of a page with components (operation `createComponentPageIncidentUpdate`). Other fields,
 * including `id`, are rejected.
 */
export interface NewComponentPageUpdate extends z.output<typeof newComponentPageUpdate> {}

export const newComponentPageUpdate = strictObject(newContent);

/**
 * The complete new content of an update on an incident of a page with components (operation `editComponentPageIncidentUpdate`). Doesn't
 * include `notifySubscribers`, because its effect in an edit isn't documented.
 */
export interface EditedComponentPageUpdate extends z.output<typeof editedComponentPageUpdate> {}

export const editedComponentPageUpdate = strictObject({
  ...words,
  /** Public date, as an ISO date-time. Required, because the service would set an omitted date to the current time. */
  publicIncidentUpdateDate: publicDate,
});

/** The effect of a new incident on a component of its status page. */
export interface NewComponentImpact extends z.output<typeof newComponentImpact> {}

const newComponentImpact = strictObject({
  /** Component of the same page. */
  componentId: filledText,
  /** State of the component. */
  status: oneOf(componentStatuses),
});

/** The longest name of an incident, in characters. */
export const maxIncidentName = 255;

/**
 * A new incident of a page with components (operation `openComponentPageIncident`), with its first update. Other fields are rejected: no
 * field identifies a repetition.
 */
export interface NewComponentPageIncident extends z.output<typeof newComponentPageIncident> {}

const incidentName = filledText.refine((name) => Array.from(name).length <= maxIncidentName, {
  error: `must have at most ${maxIncidentName} characters`,
});
const newComponentImpacts = list(castSchema<NewComponentImpact>(newComponentImpact)).optional();

export const newComponentPageIncident = strictObject({
  /** Public name, at most 255 characters. */
  name: incidentName,
  /** Only the first update. Later updates are posted separately. */
  incidentUpdates: list(castSchema<NewComponentPageUpdate>(newComponentPageUpdate)).length(1, {
    error: "must contain only the first update",
  }),
  /** Effects on components. A component that isn't listed is operational. */
  componentImpacts: newComponentImpacts,
});

/** The new name and impacts of an incident on a page with components (operation `editComponentPageIncident`). Its updates stay. */
export interface EditedComponentPageIncident extends z.output<typeof editedComponentPageIncident> {}

export const editedComponentPageIncident = strictObject({
  /** Public name, at most 255 characters. */
  name: incidentName,
  /** Effects on components. A component that isn't listed becomes operational. */
  componentImpacts: newComponentImpacts,
});
