/** Compares the target of a channel with lists of targets. */
import { domainToASCII } from "node:url";
import { z } from "zod";
import type { AuditedChannel, Credential } from "../channels/channel";
import { isReferenced } from "../definition/notEvaluable";
import { targetSettings } from "../../provider/credentials/documentedConfig";
import type { NotEvaluable, Outcome, Verdict } from "../definition/rule";
import { nonEmptyListOf, strict } from "../definition/schemas";
import { whyHostUnknown } from "./hook";

const domain = z.string({ error: "must be a domain" }).regex(/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i, {
  error: "must be a domain, such as example.com or *.example.com",
});

/** Whether a host matches a domain: `example.com` matches only itself, `*.example.com` all subdomains. */
export function isInDomain(host: string, domain: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  const pattern = domain.toLowerCase();
  return pattern.startsWith("*.") ? name.endsWith(pattern.slice(1)) : name === pattern;
}

const phonePrefix = z
  .string({ error: 'must be a string, such as "+1202"' })
  .regex(/^\+\d{1,15}$/, { error: "must be + and digits, such as +1202" });

export const targetLists = strict({
  emailDomains: nonEmptyListOf(domain)
    .optional()
    .describe("Domains of email addresses; *.example.com matches all subdomains."),
  hosts: nonEmptyListOf(domain).optional().describe("Hosts of hooks; *.example.com matches all subdomains."),
  phonePrefixes: nonEmptyListOf(phonePrefix).optional().describe("Prefixes of phone numbers, such as +1202."),
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
  const settings = [...settingsOf(channel, lists)];
  if (settings.length === 0 && !targetSettings.has(channel.type)) {
    const reason = `where channels of type ${channel.type} deliver is unknown; update pulumi-monitoring-service, or allow only known types with allowed-types`;
    return [{ field: "type", reason, blocks: true }];
  }
  if (settings.length === 0) return undefined;
  return settings.flatMap(({ field, list, targets }): Outcome[] => {
    const notEvaluable = targets.find((target) => "reason" in target);
    const wrong = targets.flatMap((target) =>
      "shown" in target && target.isListed === (kind === "forbidden") ? target.shown : [],
    );
    const expected = kind === "allowed" ? list.join(", ") : `anything but ${list.join(", ")}`;
    return [
      ...(wrong.length > 0 ? [{ field, actual: wrong.join(", "), expected }] : []),
      ...(notEvaluable ? [{ field, ...notEvaluable }] : []),
    ];
  });
}

/** A setting, with each of its targets. */
interface Setting {
  readonly field: string;
  readonly list: readonly string[];
  readonly targets: readonly Target[];
}

/** A target as a finding shows it, or why there is none to compare. */
type Target =
  { readonly shown: string; readonly isListed: boolean } | Pick<NotEvaluable, "reason" | "blocks">;

function* settingsOf({ config, credentials }: AuditedChannel, lists: TargetLists): Generator<Setting> {
  const { emailDomains, phonePrefixes, hosts } = lists;
  const { address, number } = config;
  if (typeof address === "string" && emailDomains) {
    const targets = targetsIn(address.split(/[,;\n]/), "email addresses", (one) => {
      const host = mailHost(one);
      return host && { shown: host, isListed: emailDomains.some((domain) => isInDomain(host, domain)) };
    });
    yield { field: "config.address", list: emailDomains, targets };
  }
  if (typeof number === "string" && phonePrefixes) {
    const targets = targetsIn(number.split(/[,;\n]|(?=\+)/), "phone numbers", (one) => {
      const phone = phoneNumber(one);
      return phone && { shown: one, isListed: phonePrefixes.some((prefix) => phone.startsWith(prefix)) };
    });
    yield { field: "config.number", list: phonePrefixes, targets };
  }
  if (credentials.url && hosts)
    yield { field: "config.url", list: hosts, targets: [hostTarget(credentials.url, hosts)] };
}

/** A list such as `a@x.example, b@y.example` delivers to all of it, so a part that is no target could hide one. */
function targetsIn(
  parts: readonly string[],
  what: string,
  targetOf: (part: string) => Target | "" | undefined,
): Target[] {
  const unclear = { reason: `can't be split into ${what}; use one channel for each`, blocks: true };
  const given = parts.map((part) => part.trim()).filter((part) => part !== "");
  if (given.length === 0) return [unclear];
  return given.map((part) =>
    part.includes("{{") ? { reason: isReferenced("target") } : targetOf(part) || unclear,
  );
}

/** The ASCII domain of an address, which may have a name before it. */
function mailHost(text: string): string | undefined {
  const address = text.replace(/^[^@<>]*<(.*)>$/, "$1");
  const host = /^[^\s@<>"()]+@([^\s@<>"()]+)$/.exec(address)?.[1];
  return host && (domainToASCII(host) || host);
}

/** Longer ones are several: E.164 has 15 digits at most. */
function phoneNumber(text: string): string | undefined {
  const number = normalizePhoneNumber(text);
  return /^\+?[\d\s()./-]+$/.test(text) && /^\+?\d{1,15}$/.test(number) ? number : undefined;
}

function hostTarget(url: Credential, hosts: readonly string[]): Target {
  const { isInDomain, isReference, scheme, secretPart } = url;
  if (isReference === false && (scheme ?? secretPart) === undefined)
    return { reason: "is no web address, so its target is unknown; enter one", blocks: true };
  const reason = isReference === undefined ? undefined : whyHostUnknown(url);
  if (reason !== undefined) return { reason };
  if (isInDomain === undefined)
    return {
      reason: "the host is unknown without the credential itself; audit the channel live, not from a state",
    };
  const isListed = hosts.some(isInDomain);
  return { shown: isListed ? "a listed host" : "another host", isListed };
}

/** A phone number as `+` and digits. A `+` inside of it isn't one. */
export function normalizePhoneNumber(number: string): string {
  const digits = number.replace(/\D/g, "");
  return number.trim().startsWith("+") ? `+${digits}` : digits.replace(/^00/, "+");
}
