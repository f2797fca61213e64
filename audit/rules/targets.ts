/** Compares the target of a channel with lists of targets. */
import { domainToASCII } from "node:url";
import { z } from "zod";
import type { AuditedChannel, Credential } from "../channel";
import { isInDomain } from "../domain";
import { targetSettings } from "../../provider/credentials/channelConfig";
import type { Outcome, Verdict } from "../rule";
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
  const targets = [...targetsOf(channel, lists)];
  if (targets.length === 0) {
    if (targetSettings.has(channel.type)) return undefined;
    return [
      {
        field: "type",
        reason: `where channels of type ${channel.type} deliver is unknown`,
        unreadable: true,
      },
    ];
  }
  return targets.flatMap(({ field, list, matches, shown }): Outcome[] => {
    if (typeof matches === "string") return [{ field, reason: matches }];
    if (matches === (kind === "allowed")) return [];
    const expected = kind === "allowed" ? list.join(", ") : `anything but ${list.join(", ")}`;
    return [{ field, actual: shown, expected }];
  });
}

interface Target {
  field: string;
  list: readonly string[];
  /** Whether it is in the list, or why that is unknown. */
  matches: boolean | string;
  /** How a finding shows it. */
  shown: string;
}

function* targetsOf({ config, credentials }: AuditedChannel, lists: TargetLists): Generator<Target> {
  const { emailDomains, phonePrefixes, hosts } = lists;
  const { address, number } = config;
  if (typeof address === "string" && emailDomains) {
    for (const host of mailHosts(address)) {
      const matches = isReferenced(host) ?? emailDomains.some((domain) => isInDomain(host, domain));
      yield { field: "config.address", list: emailDomains, matches, shown: host };
    }
  }
  if (typeof number === "string" && phonePrefixes) {
    const digits = normalizePhoneNumber(number);
    const matches = isReferenced(number) ?? phonePrefixes.some((prefix) => digits.startsWith(prefix));
    yield { field: "config.number", list: phonePrefixes, matches, shown: number };
  }
  if (credentials.url && hosts) {
    const matches = hostMatches(credentials.url, hosts);
    yield {
      field: "config.url",
      list: hosts,
      matches,
      shown: matches === true ? "a listed host" : "another host",
    };
  }
}

function isReferenced(text: string): string | undefined {
  return text.includes("{{") ? "is a reference to a secret, so its target is unknown" : undefined;
}

/** The ASCII domain of each address: a value such as `a@x.example, b@y.example` delivers to all of them. */
function mailHosts(address: string): string[] {
  const hosts = address
    .split("@")
    .slice(1)
    .map((text) => /^[^\s,;<>"()]*/.exec(text)?.[0] ?? "");
  return (hosts.length === 0 ? [""] : hosts).map((host) => domainToASCII(host) || host || "no domain");
}

function hostMatches(url: Credential, hosts: readonly string[]) {
  const { isInDomain } = url;
  const reason = url.isReference === undefined ? undefined : whyHostUnknown(url);
  if (reason !== undefined) return reason;
  return isInDomain ? hosts.some(isInDomain) : "the host is unknown without the credential itself";
}

/** A phone number as `+` and digits. A `+` inside of it isn't one. */
export function normalizePhoneNumber(number: string): string {
  const digits = number.replace(/\D/g, "");
  return number.trim().startsWith("+") ? `+${digits}` : digits.replace(/^00/, "+");
}
