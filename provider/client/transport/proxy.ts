/** The proxy of the environment, which opens a tunnel to the service. */
import { type ClientRequest } from "node:http";
import { HttpsProxyAgent } from "https-proxy-agent";
import { getProxyForUrl } from "proxy-from-env";
import { ErrorWithCode } from "./errorWithCode";
import { checkedTls } from "./tls";

/**
 * An agent for one request through the proxy of the environment; undefined when none applies. Its connection ends with the
 * signal, also one to a proxy that never opens the tunnel.
 *
 * @throws ErrorWithCode for a proxy of another protocol, such as SOCKS.
 */
export function proxyAgentFor(
  service: string,
  signal: () => AbortSignal,
): HttpsProxyAgent<string> | undefined {
  const proxy = proxyFor(service);
  if (proxy === undefined) return undefined;
  const { protocol, host, username, password } = proxy;
  if (!/^https?:$/.test(protocol)) throw new ErrorWithCode("PROXY_SCHEME_UNSUPPORTED");
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64");
  return new HttpsProxyAgent(`${protocol}//${host}`, {
    ...checkedTls,
    signal: signal(),
    headers: username + password === "" ? {} : { "Proxy-Authorization": `Basic ${credentials}` },
  });
}

/** Without the check, the response of a proxy that opens no tunnel would pass for that of the service. */
export function failWithoutTunnel(request: ClientRequest): void {
  request.once("proxyConnect", ({ statusCode }: { statusCode: number }) => {
    if (statusCode !== 200) request.destroy(new ErrorWithCode(`PROXY_ANSWERED_${statusCode}`));
  });
}

/** Selects the same variables as `https`, and nobody writes it so: it marks a proxy that is set without a scheme. */
const noScheme = "hTTPs:";
/** What proxy-from-env doesn't read of a URL. */
const unread = {
  auth: null,
  hash: null,
  path: null,
  pathname: null,
  query: null,
  search: null,
  slashes: null,
};

/** The proxy of the environment for this service, with its credentials; undefined when none applies. */
export function proxyFor(service: string): URL | undefined {
  const { host, hostname, port, href } = new URL(service);
  const named = getProxyForUrl({ ...unread, protocol: noScheme, host, hostname, port: port || "443", href });
  // Without a scheme proxy-from-env assumes that of the service, where curl and others use plain http.
  return named === "" ? undefined : new URL(named.replace(noScheme, "http:"));
}

/** Unlike decodeURIComponent, and as curl, keeps a `%` that encodes nothing. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll("%", ""), "hex").toString(),
  );
}
