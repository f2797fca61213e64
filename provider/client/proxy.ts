/**
 * Reaches an https service through the proxy of the environment. NO_PROXY exempts every host that curl or Go would exempt.
 *
 * This file opens the tunnel itself, because axios 1.21 and https-proxy-agent 9 resolve a POST with the proxy's response to `CONNECT`. A
 * response of the proxy with 201 and a body would be treated as the posted update.
 */
import * as http from "node:http";
import * as https from "node:https";
import { BlockList, isIP, isIPv4, isIPv6, type Socket } from "node:net";
import * as tls from "node:tls";
import { domainToASCII } from "node:url";
import { type Problem } from "../texts";

export interface Proxy {
  /** URL without the user name and password. */
  readonly url: URL;
  /** Value of the header `Proxy-Authorization`. */
  readonly authorization?: string;
  /** The environment variable that sets the proxy. */
  readonly variable: string;
}

/** The environment variables that set the proxy. The first that is set and not empty takes precedence. */
export const proxyVariables: readonly string[] = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy for https services only. Plain http is used for loopback hosts, and a proxy would see the API key. Through a tunnel for
 * https, it sees only encrypted data. Returns the problem instead if the setting of the proxy is wrong.
 */
export function findProxy(
  service: URL,
  environment: Environment,
): { readonly proxy?: Proxy; readonly problem?: Problem } {
  const property = proxyVariables.find((name) => getVariable(environment, name) !== "");
  if (service.protocol !== "https:" || property === undefined) return {};
  const noProxy = getVariable(environment, "no_proxy") || getVariable(environment, "NO_PROXY");
  if (noProxy.split(/[\s,]/).some((entry) => isExempt(service, entry))) return {};
  const proxy = parseProxy(getVariable(environment, property));
  return typeof proxy === "string"
    ? { problem: { property, reason: proxy } }
    : { proxy: { ...proxy, variable: property } };
}

/**
 * Opens a tunnel to the service through the proxy, for one request that is sent with the option `createConnection`. Accepts only status
 * 200, because any other response of the proxy could be mistaken for a response of the service.
 *
 * @param onEnd Registers a listener for the end of the time limit.
 */
export async function openTunnel(
  { url, authorization }: Proxy,
  service: URL,
  onEnd: (listener: () => void) => unknown,
): Promise<() => Socket> {
  const authority = `${service.hostname}:${service.port || "443"}`;
  const send = url.protocol === "https:" ? https.request : http.request;
  const request = send(url, {
    ...checkedTls,
    // By default, Node would use the name in the header Host, but the certificate is the proxy's.
    servername: getTlsHost(url).servername,
    agent: false,
    method: "CONNECT",
    path: authority,
    headers: {
      Host: authority,
      ...(authorization !== undefined && { "Proxy-Authorization": authorization }),
    },
  });
  const tunnel = await new Promise<Socket>((resolve, reject) => {
    request.once("connect", ({ statusCode }, socket) => {
      if (statusCode === 200) {
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new ErrorWithCode(`PROXY_ANSWERED_${statusCode}`));
    });
    request.on("error", reject);
    onEnd(() => request.destroy(new Error("The time is over.")));
    request.end();
  });
  const options = { ...checkedTls, ...getTlsHost(service), socket: tunnel, ALPNProtocols: ["http/1.1"] };
  return () => tls.connect(options);
}

/** Certificates are checked even with NODE_TLS_REJECT_UNAUTHORIZED=0. */
export const checkedTls = { rejectUnauthorized: true };

/** Contains a code, like Node's errors. */
export class ErrorWithCode extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Returns the host that the certificate must contain, and the server name of the handshake (empty for an IP address). */
function getTlsHost({ hostname }: URL): { readonly host: string; readonly servername: string } {
  const host = stripBrackets(hostname);
  return { host, servername: isIP(host) === 0 ? host : "" };
}

function stripBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function getVariable(environment: Environment, name: string): string {
  return environment[name]?.trim() ?? "";
}

/** Returns the proxy that the value of a variable sets, or the reason why the value is invalid. */
function parseProxy(text: string): Omit<Proxy, "variable"> | string {
  // `URL` would end the host at the `\` of DOMAIN\user, so the parts are split first. A missing scheme means plain http.
  const [, scheme = "http", userInfo = "", address = ""] =
    /^(?:([a-z][a-z\d+.-]*):\/\/)?(?:(.*)@)?(.*)$/is.exec(text) ?? [];
  if (!/^https?$/i.test(scheme))
    return "must start with http:// or https://. Other proxies, such as SOCKS, are not supported (PROXY_SCHEME_UNSUPPORTED)";
  const href = `${scheme}://${address}`;
  const url = URL.canParse(href) ? new URL(href) : undefined;
  // A file of variables may keep the quotes around the value, and `URL` accepts quotes in a host.
  if (/[#/?]/.test(userInfo) || !url || !/^([\w.-]+|\[.*\])$/.test(url.hostname)) {
    return (
      "must be a URL, such as http://user:password@proxy.example.com:3128. " +
      "In the user name and password, encode # as %23, / as %2F and ? as %3F"
    );
  }
  const credentials = decodePercents(userInfo.includes(":") ? userInfo : `${userInfo}:`).toString("base64");
  const isNamed = userInfo !== "" && userInfo !== ":";
  return { url, ...(isNamed && { authorization: `Basic ${credentials}` }) };
}

/** Decodes as curl does: keeps a `%` that encodes nothing, and bytes that aren't UTF-8; `decodeURIComponent` would throw. */
function decodePercents(text: string): Buffer {
  const bytes = Buffer.from(text).toString("latin1");
  const toByte = (_: string, hex: string): string => String.fromCharCode(parseInt(hex, 16));
  return Buffer.from(bytes.replace(/%([\da-f]{2})/gi, toByte), "latin1");
}

/** Returns true if an entry of NO_PROXY covers the service. */
function isExempt(service: URL, entry: string): boolean {
  if (entry === "*") return true;
  const host = stripTrailingDot(stripBrackets(service.hostname));
  const network = /^\[?([^[\]]+)\]?\/(\d{1,3})$/.exec(entry);
  if (network) return isInNetwork(host, network[1] ?? "", Number(network[2]));
  const [, bracketed, plain = "", port = ""] =
    /^(?:\[([^[\]]+)\]|([^:]+))(?::(\d*))?$/.exec(getIpFamily(entry) ? `[${entry}]` : entry) ?? [];
  if (port !== "" && port !== (service.port || "443")) return false;
  const covered = stripTrailingDot(bracketed ?? plain);
  return getIpFamily(host) ? isInNetwork(host, covered) : isInDomain(host, covered);
}

function stripTrailingDot(host: string): string {
  return host.replace(/\.$/, "");
}

type Family = "ipv4" | "ipv6";

/** Returns the family of an IP address. Undefined for a name or an address with a zone; no URL contains a zone. */
function getIpFamily(host: string): Family | undefined {
  if (isIPv4(host)) return "ipv4";
  return isIPv6(host) && !host.includes("%") ? "ipv6" : undefined;
}

const bits: Readonly<Record<Family, number>> = { ipv4: 32, ipv6: 128 };

/** Returns true if the first `given` bits of two IP addresses are equal. Default: all bits. */
function isInNetwork(host: string, address: string, given?: number): boolean {
  const [family, familyOfHost] = [getIpFamily(address), getIpFamily(host)];
  if (!family || !familyOfHost) return false;
  const prefix = given ?? bits[family];
  // BlockList finds every IPv4 address in `::/0`. Only mapped networks, such as `::ffff:10.0.0.0/104`, mean IPv4.
  const isTooWide = family === "ipv6" && familyOfHost === "ipv4" && prefix < bits.ipv6 - bits.ipv4;
  if (prefix > bits[family] || isTooWide) return false;
  const network = new BlockList();
  network.addSubnet(address, prefix, family);
  return network.check(host, familyOfHost);
}

/** Returns true if a host is the domain or below it. An entry that starts with `*` excludes the domain itself. */
function isInDomain(host: string, entry: string): boolean {
  const domain = toAsciiDomain(entry.replace(/^\*?\./, ""));
  return host.endsWith(`.${domain}`) || (host === domain && !entry.startsWith("*"));
}

/** Returns the domain as `URL` spells a host. */
function toAsciiDomain(domain: string): string {
  // `domainToASCII` also accepts ASCII text that isn't a host.
  return /^[\0-\x7f]*$/.test(domain) ? domain.toLowerCase() : domainToASCII(domain);
}
