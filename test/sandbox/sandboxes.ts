/** Starts sandboxes that end with their test, and sends them plain HTTP requests. */
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { types } from "node:util";
import { type FaultInput, type Sandbox, type SandboxOptions, startSandbox, wellKnown } from "../../sandbox";

const cleanUps: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

export async function startTestSandbox(options?: SandboxOptions): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  cleanUps.push(() => sandbox.close());
  return sandbox;
}

/** Starts a sandbox for each test, and returns a function that returns it. */
export function sandboxForEachTest(): () => Sandbox {
  let sandbox: Sandbox;
  beforeEach(async () => (sandbox = await startTestSandbox()));
  return () => sandbox;
}

/** Starts a sandbox for all tests of a file, which must not change it. */
export function sharedSandbox(): () => Sandbox {
  let sandbox: Sandbox;
  beforeAll(async () => (sandbox = await startSandbox()));
  afterAll(() => sandbox.close());
  return () => sandbox;
}

interface Asked {
  method?: string;
  /** The API key; null sends none. Default: the sandbox's first key. */
  apiKey?: string | null;
  account?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent without changes. */
  body?: RequestInit["body"];
  signal?: AbortSignal;
}

export function ask(
  sandbox: Pick<Sandbox, "url" | "apiKey">,
  path: string,
  asked: Asked = {},
): Promise<Response> {
  const { method, apiKey = sandbox.apiKey, account, headers, json, body, signal } = asked;
  return fetch(sandbox.url + path, {
    method: method ?? (json === undefined && body === undefined ? "GET" : "POST"),
    headers: {
      ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
      ...(account !== undefined && { "x-service-account": account }),
      ...(json !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    body: json === undefined ? body : JSON.stringify(json),
    signal,
    redirect: "manual",
  });
}

export const incidentId = wellKnown.statusPageIncidents.checkoutLatency;
export const incidentPath = `/v1/status-pages/incidents/${incidentId}`;
export const updatesPath = `${incidentPath}/incident-updates`;
export const news = { status: "MONITORING", description: "Capacity is added.", notifySubscribers: false };

export const post = (sandbox: Pick<Sandbox, "url" | "apiKey">, json: unknown = news, signal?: AbortSignal) =>
  ask(sandbox, updatesPath, { json, signal });

export const read = (sandbox: Sandbox, signal?: AbortSignal) => ask(sandbox, incidentPath, { signal });

/** Returns the code of the socket's error, which `fetch failed` wraps. Undefined if there is a response. */
export async function failure(response: Promise<Response>): Promise<unknown> {
  const error: unknown = await response
    .then((answered) => answered.text())
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  const cause = types.isNativeError(error) ? error.cause : error;
  return types.isNativeError(cause) && "code" in cause ? cause.code : cause;
}

export const withFault = (...faults: FaultInput[]) => startTestSandbox({ faults });

export const getUpdates = (sandbox: Sandbox) => sandbox.incident(incidentId).incidentUpdates;

/** Returns the ID of the incident's newest update. */
export const latestId = (sandbox: Sandbox) => getUpdates(sandbox)[0]?.id ?? "";

/** Returns the number of updates that were added to the incident. It starts with two. */
export const created = (sandbox: Sandbox) => getUpdates(sandbox).length - 2;

/** Returns the response to bytes on a socket until it is closed, either by the sandbox or after the bytes were sent. */
export function respondedTo({ url }: Sandbox, bytes: string, close = false): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  if (close) socket.end(bytes);
  else socket.write(bytes);
  return text(socket);
}
