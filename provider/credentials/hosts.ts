/** Tells where a host is: on this machine, in a private network or on the internet; and which well-known service is there. */
import { BlockList, isIP } from "node:net";
import { mailDomains, places, type ReceiverKind, services, wordsOf } from "./services";

/** The network of a URL: this machine, a private network, or the internet. */
export const hostClasses = ["loopback", "private", "public"] as const;

/** @param hostname As `URL` returns it: in lower case, IPv6 in brackets. */
export function hostClassOf(hostname: string): (typeof hostClasses)[number] {
  const host = hostname.replace(/^\[|\]$|\.$/g, "");
  const version = isIP(host);
  if (host === "localhost" || host.endsWith(".localhost")) return "loopback";
  if (version === 0) return privateName.test(host) ? "private" : "public";
  const family = version === 4 ? "ipv4" : "ipv6";
  if (loopback.check(host, family)) return "loopback";
  return privateNetworks.check(host, family) ? "private" : "public";
}

const privateName = /^[^.]+$|\.(?:internal|local|localdomain|lan|intranet|corp|home|private|home\.arpa)$/;

/** Addresses that the internet doesn't route, by the registries of special-purpose addresses of the IANA. */
const privateNetworks = listOf(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  ::/128 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7
  fe80::/10 fec0::/10 ff00::/8`);
const loopback = listOf("127.0.0.0/8 ::1/128");

function listOf(networks: string): BlockList {
  const list = new BlockList();
  for (const [address = "", prefix] of wordsOf(networks).map((network) => network.split("/")))
    list.addSubnet(address, Number(prefix), address.includes(":") ? "ipv6" : "ipv4");
  return list;
}

/** The kind of the well-known service at a host; undefined for all others, such as one's own. */
export function receiverAt(hostname: string): ReceiverKind | undefined {
  const known = withParents(hostname).find((host) => services.has(host));
  return known === undefined ? undefined : services.get(known);
}

/** `a.b.c`, `*.b.c` and `*.c`. None for what is too long for a name: its labels would take a time that grows with its square. */
function withParents(hostname: string): string[] {
  if (hostname.length > 253) return [];
  const labels = hostname.toLowerCase().replace(/\.$/, "").split(".");
  return labels.map((_, index) => (index === 0 ? "" : "*.") + labels.slice(index).join("."));
}

/** True if an on-call service takes emails at this domain as alerts. People of the service have addresses at its domain itself. */
export function isOnCallMailDomain(domain: string): boolean {
  const [, ...parents] = withParents(domain);
  return parents.some((parent) => onCallDomains.has(parent));
}

const onCallHosts = [...services.keys()].filter((host) => services.get(host) === "on-call");
const onCallDomains = new Set(
  [...onCallHosts, ...mailDomains].map((host) => `*.${host.split(".").slice(-2).join(".")}`),
);

/** The meaning of each segment of a path by its place: `SECRET`, `ID` or something else. Empty when no place has the path. */
export function placeOf(hostname: string, segments: readonly string[]): readonly string[] {
  const hosts = ["*", ...withParents(hostname)];
  const isSegment = (name: string, index: number) =>
    name === segments[index] || (index < segments.length && ["*", "SECRET", "ID"].includes(name));
  const isAt = ([host = "", ...path]: string[]) => path.every(isSegment) && hosts.includes(host);
  return places.find(isAt)?.slice(1) ?? [];
}
