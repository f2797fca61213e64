/** A service with one incident, and the context to publish updates there. */
import { type ServerResponse } from "node:http";
import { type StatusPageIncidentUpdate } from "../../provider/client";
import { type Connection, Connections } from "../../provider/connection";
import { type Context } from "../../provider/lifecycles/lifecycle";
import { SentPosts } from "../../provider/lifecycles/incidentLock";
import { publish } from "../../provider/lifecycles/publish";
import { type Declaration } from "../../provider/lifecycles/updateContent";
// The clock stands still unless a test moves it.
import "../client/clock";
import { apiKey, send, serve, type Service } from "../client/services";

export const incidentId = "inc-1";
export const declared: Declaration = {
  incidentId,
  status: "MONITORING",
  description: "Capacity was added.",
  notifySubscribers: false,
  occurrence: 1,
};

export const update = (
  id: string,
  more: Partial<StatusPageIncidentUpdate> = {},
): StatusPageIncidentUpdate => ({
  id,
  status: declared.status,
  description: declared.description,
  notifySubscribers: false,
  created_at: "2026-11-20T09:30:00Z",
  ...more,
});
export const other = (id: string, more: Partial<StatusPageIncidentUpdate> = {}) =>
  update(id, { description: "Other words.", ...more });

export interface Setting {
  readonly service: Service;
  readonly connection: Connection;
  readonly context: Context;
  /** The history, newest first. Tests may change it. */
  readonly history: StatusPageIncidentUpdate[];
  readonly notices: string[];
  /** Runs immediately before a post. */
  beforePost: () => unknown;
  /** Responds to a read of the incident or a post. */
  answerRead: (response: ServerResponse) => void;
  answerPost: (response: ServerResponse) => void;
}

/** A service with a history, and a connection that times out before a second lookup. */
export async function start(history: StatusPageIncidentUpdate[] = [], deadlineMs = 400): Promise<Setting> {
  const service = await serve((response, { method }) =>
    method === "POST" ? setting.answerPost(response) : setting.answerRead(response),
  );
  const environment = {
    MONITORING_API_KEY: apiKey,
    MONITORING_BASE_URL: service.url,
    MONITORING_DEADLINE_MS: String(deadlineMs),
    MONITORING_TIMEOUT_MS: "100000",
  };
  const connections = new Connections(() => undefined, environment);
  const setting: Setting = {
    service,
    connection: connections.connect(),
    history,
    notices: [],
    context: {
      connections,
      notice: (text) => void setting.notices.push(text),
      assertEngineAlive: async () => {
        await setting.beforePost();
      },
    },
    beforePost: () => undefined,
    answerRead: (response) => send(response, { id: incidentId, name: "Checkout", incidentUpdates: history }),
    answerPost: (response) => {
      history.unshift(update("posted", { created_at: "2026-11-20T10:00:00Z" }));
      send(response, history[0], 201);
    },
  };
  return setting;
}

export const publishIn = (
  { connection, context }: Setting,
  more: Partial<Declaration> = {},
  { sentPosts = new SentPosts(undefined, () => undefined), replaced = "" } = {},
) => publish({ declared: { ...declared, ...more }, connection, context, sentPosts, replaced });
export const posts = ({ service }: Setting) => service.requests.filter(({ method }) => method === "POST");
export const reads = ({ service }: Setting) => service.requests.filter(({ method }) => method === "GET");
export const lose = (response: ServerResponse) => void response.socket?.destroy();
