/** Names an entry and its container in sentences: an update of an incident, or an incident of a status page. */
import { type Declaration } from "../protocol";

export interface Nouns {
  /** The resource type. */
  readonly type: "IncidentUpdate" | "Incident";
  readonly container: string;
  readonly entry: string;
  readonly posts: string;
  readonly postsTo: string;
  readonly postTo: string;
  readonly posted: string;
  readonly published: string;
  /** The property that identifies the container. */
  readonly containerProperty: string;
}

const nounsOfUpdate: Nouns = {
  type: "IncidentUpdate",
  container: "incident",
  entry: "update",
  posts: "posts",
  postsTo: "posts to",
  postTo: "post to",
  posted: "posted",
  published: "published",
  containerProperty: "incidentId",
};

const nounsOfIncident: Nouns = {
  type: "Incident",
  container: "status page",
  entry: "incident",
  posts: "opens",
  postsTo: "opens an incident on",
  postTo: "open an incident on",
  posted: "opened",
  published: "opened",
  containerProperty: "statusPageId",
};

/** An incident has a name. */
export function getNouns({ name }: Pick<Partial<Declaration>, "name">): Nouns {
  return name === undefined ? nounsOfUpdate : nounsOfIncident;
}
