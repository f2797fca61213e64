/** How axios sends a request: directly, or by its own adapter through the tunnel of a proxy. */
import * as https from "node:https";
import { type AxiosAdapter, type AxiosProxyConfig, type AxiosRequestConfig } from "axios";
import { getProxyForUrl } from "proxy-from-env";
import { ErrorWithCode, type Exchange } from "./exchange";
import { type TimeLimit } from "./time";

/** Certificates are checked even with NODE_TLS_REJECT_UNAUTHORIZED=0. */
export const checkedTls = { rejectUnauthorized: true };

/** Without a proxy. The adapter of axios takes several times as long for what is the same here. */
export function directly(
  exchange: Exchange,
  { body, ...options }: https.RequestOptions & { body: string | undefined },
  limit: TimeLimit,
): AxiosAdapter {
  return (config) =>
    new Promise((resolve, reject) => {
      const request = exchange.request(options, ({ statusCode: status = 0 }) =>
        resolve({ data: undefined, status, statusText: "", headers: {}, config }),
      );
      request.on("error", reject);
      limit.onEnd(() => request.destroy(new Error("The time limit is over.")));
      request.end(body);
    });
}

/** Through a proxy. The connection ends with the attempt, also one to a proxy that never opens the tunnel. */
export function tunnelled(
  exchange: Exchange,
  proxy: AxiosProxyConfig,
  limit: TimeLimit,
): Partial<AxiosRequestConfig> {
  const signal = limit.toSignal();
  const tls = { ...checkedTls, signal };
  return {
    adapter: "http",
    transport: exchange,
    proxy,
    signal,
    httpsAgent: new https.Agent(tls),
    maxRedirects: 0,
    decompress: false,
    responseType: "stream",
    validateStatus: () => true,
  };
}

/**
 * The proxy of the environment, if any. axios alone would send user name and password as they are encoded in the URL,
 * and use TLS for a proxy whose URL has no scheme, where curl and others use plain http.
 *
 * @throws ErrorWithCode for a proxy of another protocol, such as SOCKS.
 */
export function proxyFor(service: string): AxiosProxyConfig | undefined {
  const named = getProxyForUrl(service);
  if (named === "") return undefined;
  const inUse = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].find((name) => process.env[name]);
  const bare = inUse === undefined || !process.env[inUse]?.includes("://");
  const { protocol, hostname, port, username, password } = new URL(
    bare ? named.replace(/^https:/, "http:") : named,
  );
  if (!/^https?:$/.test(protocol)) throw new ErrorWithCode("PROXY_SCHEME_UNSUPPORTED");
  return {
    protocol,
    host: hostname,
    port: Number(port) || (protocol === "https:" ? 443 : 80),
    ...(username + password !== "" && { auth: { username: decoded(username), password: decoded(password) } }),
  };
}

/** Unlike decodeURIComponent, and as curl, keeps a `%` that encodes nothing. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll("%", ""), "hex").toString(),
  );
}
