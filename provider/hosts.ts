/** Classifies hosts, using only their name or address. */
import { BlockList, isIP } from "node:net";

/** The network of a host: this machine, a private network, or the internet. */
export const hostClasses = ["loopback", "private", "public"] as const;

/** @param hostname In the format that `URL` returns: in lower case, IPv6 in brackets. */
export function classifyHost(hostname: string): (typeof hostClasses)[number] {
  const host = hostname.replace(/^\[|\]$|\.$/g, "");
  const version = isIP(host);
  if (host === "localhost" || host.endsWith(".localhost")) return "loopback";
  if (version === 0) return privateName.test(host) ? "private" : "public";
  const family = version === 4 ? "ipv4" : "ipv6";
  if (loopback.check(host, family)) return "loopback";
  return privateNetworks.check(host, family) ? "private" : "public";
}

const privateName = /^[^.]+$|\.(?:internal|local|localdomain|lan|intranet|corp|home|private|home\.arpa)$/;

/** Addresses that the internet doesn't route, according to IANA's registries of special-purpose addresses. */
const privateNetworks = createBlockList(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  ::/128 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7
  fe80::/10 fec0::/10 ff00::/8`);
const loopback = createBlockList("127.0.0.0/8 ::1/128");

function createBlockList(networks: string): BlockList {
  const list = new BlockList();
  for (const [address = "", prefix] of networks
    .trim()
    .split(/\s+/)
    .map((network) => network.split("/")))
    list.addSubnet(address, Number(prefix), address.includes(":") ? "ipv6" : "ipv4");
  return list;
}
