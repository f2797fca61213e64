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

/** The proxy of the environment for this service, with its credentials; undefined when none applies. */
export function proxyFor(service: string): URL | undefined {
  const named = getProxyForUrl(service);
  if (named === "") return undefined;
  const isAsSet = Object.entries(process.env).some(
    ([name, value]) => /^(https|all)_proxy$/i.test(name) && value === named,
  );
  // Without a scheme proxy-from-env assumes TLS, where curl and others use plain http.
  return new URL(isAsSet ? named : named.replace(/^https:/, "http:"));
}

/** Unlike decodeURIComponent, and as curl, keeps a `%` that encodes nothing. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll("%", ""), "hex").toString(),
  );
}
