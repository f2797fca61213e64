/** Defines the nouns for an entry and its container in sentences: an update on an incident, or an incident on a status page. */
import { type Declaration } from "../protocol";

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
