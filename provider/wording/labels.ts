/** Names resources, fields, times, entries and their containers in sentences. */
import { parseMs } from "../api";
import { parseUrn } from "../engine";
import { type Declaration, otherProvider } from "../protocol";

/** Returns the start of a notice: the resource type, its name if the engine doesn't show it, and the given ID. */
export type Label = (id?: string) => string;

export const formatTypeLabel = (type: string, id?: string): string =>
  id === undefined ? type : `${type} ${id}`;

export function formatResourceName(resource: string): string {
  if (resource === otherProvider) return "a resource of another Provider";
  return JSON.stringify(parseUrn(resource).name);
}

/** Convert a field of the protocol to the property in a program, and back. */
export const toProperty = (field: string, { containerProperty }: Nouns): string =>
  field === "containerId" ? containerProperty : field;

export const toField = (property: string, { containerProperty }: Nouns): string =>
  property === containerProperty ? "containerId" : property;

/** @param ms In milliseconds since 1970. */
export const formatTime = (ms: number): string => new Date(ms).toISOString();

/** Returns the time without seconds, such as `2026-11-24 08:00 UTC`. Undefined if the time is missing or invalid. */
export function formatUtc(date: string | null | undefined): string | undefined {
  const at = parseMs(date ?? undefined);
  return at === undefined ? undefined : `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** The nouns for an entry and its container: an update on an incident, or an incident on a status page. */
const nounsByType = {
  IncidentUpdate: {
    /** The resource type. */
    type: "IncidentUpdate",
    container: "incident",
    entry: "update",
    /** The request that publishes an entry. */
    request: "post",
    verb: "post",
    post: "post",
    posts: "posts",
    postTo: "post to",
    postsTo: "posts to",
    posted: "posted",
    postedTo: "posted to",
    /** The property that identifies the container. */
    containerProperty: "incidentId",
  },
  Incident: {
    type: "Incident",
    container: "status page",
    entry: "incident",
    request: "request",
    verb: "open",
    post: "open an incident",
    posts: "opens",
    postTo: "open an incident on",
    postsTo: "opens an incident on",
    posted: "opened",
    postedTo: "opened on",
    containerProperty: "statusPageId",
  },
} as const;

export type Nouns = (typeof nounsByType)[keyof typeof nounsByType];

/** Returns the nouns for a declaration. Only the declaration of an incident has a name. */
export function getNouns({ name }: Pick<Partial<Declaration>, "name">): Nouns {
  return nounsByType[name === undefined ? "IncidentUpdate" : "Incident"];
}

export function getNounsOfType(type: string): Nouns {
  return nounsByType[type === "Incident" ? "Incident" : "IncidentUpdate"];
}

/** Returns the nouns for the entries of a location. If a page is its own container, the entries are incidents. */
export function getNounsAt({
  containerId,
  statusPageId,
}: {
  readonly containerId: string;
  readonly statusPageId?: string | undefined;
}): Nouns {
  return nounsByType[containerId === statusPageId ? "Incident" : "IncidentUpdate"];
}
