/** Tells where a host is: on this machine, in a private network or on the internet; and which well-known service is there. */
import { BlockList, isIP } from "node:net";
import { mailDomains, type ReceiverKind, receiverKinds, type secretPaths, services } from "./services";

/** Where a URL points to: this machine, a private network, or the internet. */
export const hostClasses = ["loopback", "private", "public"] as const;

/** @param hostname As `URL` returns it: in lower case, IPv6 in brackets. */
export function hostClassOf(hostname: string): (typeof hostClasses)[number] {
  const host = mappedAddress(hostname) ?? hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const version = isIP(host);
  if (version === 0) {
    if (loopbackName.test(host)) return "loopback";
    return privateName.test(host) ? "private" : "public";
  }
  const family = version === 4 ? "ipv4" : "ipv6";
  if (loopback.check(host, family)) return "loopback";
  return privateNetworks.check(host, family) ? "private" : "public";
}

/** The IPv4 address that an IPv6 address stands for. */
function mappedAddress(hostname: string): string | undefined {
  const [, high, low] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return undefined;
  return [high, low]
    .map((hex) => parseInt(hex, 16))
    .flatMap((half) => [half >> 8, half & 255])
    .join(".");
}

const loopbackName = /^(?:localhost|.*\.localhost)$/;
const privateName = /^[^.]+$|\.(?:internal|local|localdomain|lan|intranet|corp|home|private|home\.arpa)$/;

/** Addresses that the internet doesn't route, by the registries of special-purpose addresses of the IANA. */
const reserved = [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24",
  "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
  "::/128 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7",
  "fe80::/10 fec0::/10 ff00::/8",
];

const loopback = blockList("127.0.0.0/8 ::1/128");
const privateNetworks = blockList(reserved.join(" "));

function blockList(networks: string): BlockList {
  const list = new BlockList();
  for (const network of networks.split(" ")) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), address.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}

/** The kind of the well-known service at a host; undefined for all others, such as one's own. */
export function receiverAt(hostname: string): ReceiverKind | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  return withParents(name)
    .map((host) => kinds.get(host))
    .find((kind) => kind !== undefined);
}

const kinds = new Map(
  receiverKinds.flatMap((kind) =>
    services[kind].flatMap(({ hosts }) => hosts.split(" ").map((host) => [host, kind] as const)),
  ),
);

/** The length of the longest name in DNS. */
const longestName = 253;

/** `a.b.c`, `*.b.c` and `*.c`. None for what is no name: its labels would take a time that grows with the square of its length. */
function withParents(name: string): string[] {
  if (name.length > longestName) return [];
  const labels = name.split(".");
  return [name, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join(".")}`)];
}

/** Whether an on-call service takes emails at this domain as alerts. People of the service have addresses at its domain itself. */
export function isOnCallMailDomain(domain: string): boolean {
  const [, ...parents] = withParents(domain.toLowerCase().replace(/\.$/, ""));
  return parents.some((parent) => onCallDomains.has(parent));
}

const onCallDomains = new Set(
  [...services["on-call"], ...mailDomains]
    .flatMap(({ hosts }) => hosts.split(" "))
    .map((host) => `*.${host.split(".").slice(-2).join(".")}`),
);

/** The segments of a path after the beginning that a row of a list has; undefined when no row has this host and path. */
export function afterKnownPath(
  rows: typeof secretPaths,
  hostname: string | undefined,
  segments: readonly string[],
): readonly string[] | undefined {
  const names = ["*", ...withParents((hostname ?? "").toLowerCase().replace(/\.$/, ""))];
  for (const { hosts, path } of rows) {
    if (!hosts.split(" ").some((host) => names.includes(host))) continue;
    const beginning = path.split("/").slice(1, -1);
    const isAtPath =
      segments.length > beginning.length &&
      beginning.every((name, index) => name === "*" || name === segments[index]);
    if (isAtPath) return segments.slice(beginning.length);
  }
  return undefined;
}
