/** Compares the target of a channel with lists of targets. */
import { domainToASCII } from "node:url";
import { z } from "zod";
import type { AuditedChannel, Credential } from "../channel";
import { isInDomain } from "../domain";
import type { Verdict } from "../rule";
import { listOf, strict } from "../schemas";
import { whyHostUnknown } from "./hook";

const domain = z.string({ error: "must be a domain" }).regex(/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i, {
  error: "must be a domain, such as example.com or *.example.com",
});

const phonePrefix = z
  .string({ error: 'must be a string, such as "+1202"' })
  .regex(/^\+\d{1,15}$/, { error: "must be + and digits, such as +1202" });

export const targetLists = strict({
  emailDomains: listOf(domain)
    .optional()
    .describe("Domains of email addresses; *.example.com matches all subdomains."),
  hosts: listOf(domain).optional().describe("Hosts of hooks; *.example.com matches all subdomains."),
  phonePrefixes: listOf(phonePrefix).optional().describe("Prefixes of phone numbers, such as +1202."),
}).refine((lists) => (lists.emailDomains ?? lists.hosts ?? lists.phonePrefixes) !== undefined, {
  error: "must have emailDomains, hosts or phonePrefixes",
});

export type TargetLists = z.output<typeof targetLists>;

/** Undefined when no list applies to this type of channel. */
export function checkTarget(
  channel: AuditedChannel,
  lists: TargetLists,
  kind: "allowed" | "forbidden",
): Verdict {
  const target = targetOf(channel, lists);
  if (target === undefined) return undefined;
  const { field, list, matches } = target;
  if (typeof matches === "string") return [{ field, reason: matches }];
  if (matches === (kind === "allowed")) return [];
  const expected = kind === "allowed" ? list.join(", ") : `anything but ${list.join(", ")}`;
  return [{ field, actual: target.shown, expected }];
}

interface Target {
  field: string;
  list: readonly string[];
  /** Whether it is in the list, or why that is unknown. */
  matches: boolean | string;
  /** How a finding shows it. */
  shown: string;
}

function targetOf({ config, credentials }: AuditedChannel, lists: TargetLists): Target | undefined {
  const { address, number } = config;
  const { url } = credentials;
  if (typeof address === "string" && lists.emailDomains) {
    const host = mailHost(address);
    const matches = lists.emailDomains.some((domain) => isInDomain(host, domain));
    return { field: "config.address", list: lists.emailDomains, matches, shown: host };
  }
  if (typeof number === "string" && lists.phonePrefixes) {
    const digits = normalizePhoneNumber(number);
    const matches = lists.phonePrefixes.some((prefix) => digits.startsWith(prefix));
    return { field: "config.number", list: lists.phonePrefixes, matches, shown: number };
  }
  if (url && lists.hosts) {
    const matches = hostMatches(url, lists.hosts);
    return {
      field: "config.url",
      list: lists.hosts,
      matches,
      shown: matches === true ? "a listed host" : "another host",
    };
  }
  return undefined;
}

/** The ASCII domain of `ops@example.com` or `Ops <ops@example.com>`. */
function mailHost(address: string): string {
  const host = address
    .slice(address.lastIndexOf("@") + 1)
    .replace(/>\s*$/, "")
    .trim();
  return domainToASCII(host) || host;
}

function hostMatches(url: Credential, hosts: string[]) {
  const { isInDomain } = url;
  const reason = url.isReference === undefined ? undefined : whyHostUnknown(url);
  if (reason !== undefined) return reason;
  return isInDomain ? hosts.some(isInDomain) : "the host is unknown without the credential itself";
}

/** A phone number as `+` and digits. */
export function normalizePhoneNumber(number: string): string {
  return number.replace(/[^\d+]/g, "").replace(/^00/, "+");
}
