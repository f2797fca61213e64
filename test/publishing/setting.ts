/** Creates a service with one incident, and a run that publishes to it. */
import { type ServerResponse } from "node:http";
import { type StatusPageIncidentUpdate } from "../../provider/api";
import { type Connection, Connections } from "../../provider/connection";
import {
  type Declaration,
  type TaskResult,
  type PostedUpdate,
  type UpdateRecord,
  type Rejection,
  type UnconfirmedPost,
  normalizeContent,
} from "../../provider/protocol";
import { Publishing, type PublishingContext } from "../../provider/publishing";
import { formatRejection, formatTypeLabel } from "../../provider/wording";
import { apiKey, notFound, send, serve, type Service } from "../client/services";
import { temporaryFolder } from "../temporaryFolder";
// This clock makes waits instant.
import "../lifecycles/idleClock";

export const incidentId = "inc-1";
export const declared: Declaration = normalizeContent({
  containerId: incidentId,
  status: "MONITORING",
  description: "Capacity was added.",
  notifySubscribers: false,
});

export const declaring = (more: Partial<Declaration>): Declaration =>
  normalizeContent({ ...declared, ...more, contentKey: undefined });

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

export interface Setting {
  readonly service: Service;
  readonly connection: Connection;
  readonly context: PublishingContext;
  readonly publishing: Publishing;
  /** The history, newest first. Tests may change it. */
  readonly history: StatusPageIncidentUpdate[];
  readonly notices: string[];
  /** Runs immediately before a post. */
  beforePost: () => unknown;
  /** Responds to a read of the incident or of one update, or to a post. */
  answerRead: (response: ServerResponse) => void;
  answerUpdate: (response: ServerResponse, id: string) => void;
  answerPost: (response: ServerResponse) => void;
}

/** Starts a service with a history, and a connection that times out before a second lookup. */
export async function start(history: StatusPageIncidentUpdate[] = [], deadlineMs = 400): Promise<Setting> {
  const service = await serve((response, { method, url }) => {
    if (method === "POST") setting.answerPost(response);
    else if (url.includes("/incident-updates/")) setting.answerUpdate(response, url.split("/").at(-1) ?? "");
    else setting.answerRead(response);
  });
  const environment = {
    MONITORING_API_KEY: apiKey,
    MONITORING_BASE_URL: service.url,
    MONITORING_DEADLINE_MS: String(deadlineMs),
    MONITORING_TIMEOUT_MS: "100000",
    // The service may use the port of an earlier service, whose notes would still be valid.
    MONITORING_LOCK_DIRECTORY: temporaryFolder(),
  };
  const connections = new Connections(() => undefined, environment);
  const setting: Setting = {
    service,
    connection: connections.connect(),
    history,
    notices: [],
    publishing: new Publishing(),
    context: {
      connections,
      resource: "one",
      title: "IncidentUpdate",
      label: (id) => formatTypeLabel("IncidentUpdate", id),
      notice: (text) => void setting.notices.push(text),
      warn: (text) => void setting.notices.push(`warning: ${text}`),
      assertEngineAlive: async () => {
        await setting.beforePost();
      },
    },
    beforePost: () => undefined,
    answerRead: (response) => send(response, { id: incidentId, name: "Checkout", incidentUpdates: history }),
    answerUpdate: (response, id) => {
      const found = history.find((each) => each.id === id);
      send(response, found ?? notFound, found ? 200 : 404);
    },
    answerPost: (response) => {
      const before = history.filter(({ id }) => id.startsWith("posted")).length;
      const id = before === 0 ? "posted" : `posted-${before + 1}`;
      history.unshift(update(id, { created_at: "2026-11-20T10:00:00Z" }));
      send(response, history[0], 201);
    },
  };
  return setting;
}

/** The number of resources so far. */
let published = 0;

/** Starts another run, which shares nothing with the first one. */
export const anotherRun = (setting: Setting): Setting => ({ ...setting, publishing: new Publishing() });

type FromEngine = Pick<PublishingContext, "signal" | "timeoutMs">;
/** `was` is the record in the state. */
export type PublishOptions = FromEngine &
  Pick<Parameters<Publishing["publish"]>[0], "impacts"> & {
    readonly resource?: string;
    readonly was?: UpdateRecord;
  };

export async function publishUpdate(
  { publishing, connection, context }: Setting,
  more: Partial<Declaration> = {},
  { was, impacts = [], ...engine }: PublishOptions = {},
): Promise<Published> {
  const all = declaring(more);
  const resource = `update-${++published}`;
  const given = { connection, context: { ...context, resource, ...engine }, declared: all };
  const result = await publishing.publish({ ...given, isTextSecret: true, impacts, was });
  return toPublished(result, all, connection);
}

export function getPostedUpdate(result: Published): PostedUpdate {
  if (result.kind === "failed") throw new Error(result.text);
  return result.posted;
}

const fields = { declared, seen: { ids: [] }, nonce: "sent", at: 0 };
/** The record of a post whose result is unknown. */
export const sentOf: UnconfirmedPost = { kind: "sent", ...fields, isTextSecret: false };

export type Happens = (setting: Setting) => unknown;

/** Calls `diff` for a resource of the stack. */
export function learn(
  setting: Pick<Setting, "publishing"> & { readonly connection: Connection | undefined },
  resource: string,
  was: UpdateRecord,
  more: Partial<Declaration> = {},
): void {
  const given = { declared: declaring(more), unknown: new Set<string>() };
  const compared = { resource, was, ...given };
  setting.publishing.diff(setting.connection, compared);
}

export async function previewUpdate(
  { publishing, connection, context }: Setting,
  was?: UnconfirmedPost,
  more: Partial<Declaration> = {},
) {
  const all = declaring(more);
  const resource = `update-${++published}`;
  const given = { connection, context: { ...context, resource }, declared: all };
  return publishing.preview({ ...given, isTextSecret: true, was });
}

/** The result: the resource's update, or the reason for the failure and the record in the state after the failure. */
export type Published =
  | { readonly kind: "done"; readonly posted: PostedUpdate }
  | {
      readonly kind: "failed";
      readonly why: Rejection["kind"];
      readonly text: string;
      readonly keep: UpdateRecord | undefined;
    };

function toPublished(result: TaskResult, all: Declaration, { source }: Connection): Published {
  if (!("rejection" in result)) return { kind: "done", posted: result.recorded };
  const { rejection, recorded: keep } = result;
  const text = formatRejection(rejection, all, { isOfProvider: source === "provider", isTextSecret: true });
  return { kind: "failed", why: rejection.kind, text, keep };
}

export const posts = ({ service }: Setting) => service.requests.filter(({ method }) => method === "POST");
/** Returns the reads of the incident. */
export const reads = ({ service }: Setting) =>
  service.requests.filter(({ method, url }) => method === "GET" && !url.includes("/incident-updates/"));
export const bodies = (setting: Setting): unknown[] =>
  posts(setting).map(({ body }): unknown => JSON.parse(body));
export const lose = (response: ServerResponse) => void response.socket?.destroy();
export const hang = () => undefined;

/** Records the times of the following reads of the incident, in milliseconds from now. */
export function timesOfReads(setting: Setting): number[] {
  const { answerRead } = setting;
  const began = Date.now();
  const times: number[] = [];
  setting.answerRead = (response) => {
    times.push(Date.now() - began);
    answerRead(response);
  };
  return times;
}
