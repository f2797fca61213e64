/**
 * Sends JSON to the API of a code host as the client sends it to the service: with checked certificates and the proxy of the
 * environment, without redirects, and with limits on time and size. No request is repeated.
 */
import {
  ConfigurationError,
  ConnectionError,
  type MonitoringError,
  ResponseShapeError,
  TimeoutError,
} from "./errors";
import {
  type HttpFailure,
  type HttpRequest,
  isSuccess,
  largestResponseMiB,
  TimeLimit,
  Transport,
} from "./http";
import { readEnvironment } from "./options";
import { describeInvalidHttp, describeTlsFailure, extractMessage, formatProxyFailure } from "./outcome";
import { formatLogLine, printToStderr } from "./requestLog";
import { SecretMasker } from "./secretMasker";

interface HostResponse {
  readonly status: number;
  /** Parsed body; undefined if it isn't JSON. */
  readonly json: unknown;
  /** The host's error message without the token, shortened; empty for a success. */
  readonly message: string;
  /** True if the host may accept the same request later. */
  readonly isBusy: boolean;
}

const timeoutMs = 30_000;

/**
 * Returns the function that sends requests to one API. It throws a `MonitoringError` if the response is missing or incomplete.
 *
 * @param headers Headers of each request, with the token.
 */
export function createRequester(
  api: URL,
  token: string,
  headers: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
) {
  const { proxy, logsRequests, problems } = readEnvironment(api, environment);
  if (problems.length > 0) throw new ConfigurationError("environment", problems);
  const transport = new Transport(api, headers, 1, proxy);
  const masker = new SecretMasker([token]);
  /** @param path Path and query, relative to the URL of the API. */
  return async (method: HttpRequest["method"], path: string, sent?: object): Promise<HostResponse> => {
    const limit = new TimeLimit(timeoutMs, []);
    const request = { method, path, ...(sent && { body: JSON.stringify(sent) }) };
    const began = performance.now();
    const result = await transport.send(request, limit).finally(() => limit.release());
    const ms = Math.round(performance.now() - began);
    const url = api.host + api.pathname.replace(/\/$/, "") + path.replace(/\?.*/, "");
    if (logsRequests)
      printToStderr(formatLogLine(masker.mask(`${method} ${url}`), result, { ms, attempt: 1 }));
    if ("kind" in result) throw createHostError(result, api.host);
    const { status, body, header } = result;
    const json = "json" in body ? body.json : undefined;
    const isLimited = header("retry-after") !== undefined || header("x-ratelimit-remaining") === "0";
    return {
      status,
      json,
      message: isSuccess(status) ? "" : masker.maskMessage(extractMessage(body)).replace(/\.$/, ""),
      // GitHub also uses 403 for rate limits.
      isBusy: status >= 500 || status === 429 || isLimited,
    };
  };
}

function createHostError(failure: HttpFailure, host: string): MonitoringError {
  const { kind, code } = failure;
  const failureOfProxy = formatProxyFailure(failure);
  if (failureOfProxy !== undefined) return new ConnectionError(failureOfProxy);
  const reason = code === undefined ? "" : ` (${code})`;
  switch (kind) {
    case "timed out":
      return new TimeoutError(
        `${host} did not respond within ${timeoutMs / 1000} seconds. Run the job again.`,
      );
    case "too large":
      return new ResponseShapeError(`the response from ${host} is larger than ${largestResponseMiB} MiB.`);
    case "invalid":
      return new ConnectionError(`${host} ${describeInvalidHttp(failure)}${reason}.`);
    case "lost":
      return new ConnectionError(`${host} closed the connection${reason}. Run the job again.`);
    case "cancelled":
    case "unreachable":
      return new ConnectionError(
        `${host} could not be reached${reason}. ${describeTlsFailure(failure) ?? "Check the address, the network and any proxy."}`,
      );
  }
}
