/** Defines the rules on the type and the target of a channel. */
import { domainToASCII } from "node:url";
import { z } from "zod";
import { alertChannelTypes } from "../../provider/api";
import { targetSettings } from "../../provider/credentials";
import { filledList } from "../../provider/problems";
import { type AuditedChannel, type Credential } from "../channel";
import {
  defineRule,
  formatReferenceReason,
  type NotEvaluable,
  type Outcome,
  type Rule,
  strict,
  type Verdict,
} from "../rule";
import {
  checkUnique,
  computeIdentity,
  findPlaceholders,
  type UniqueValue,
  getUnknownHostReason,
} from "./credentials";

const domain = z.string({ error: "must be a domain" }).regex(/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i, {
  error: "must be a domain, such as example.com or *.example.com",
});

const phonePrefix = z
  .string({ error: 'must be a string, such as "+1202"' })
  .regex(/^\+\d{1,15}$/, { error: "must be + and digits, such as +1202" });

const targetLists = strict({
  emailDomains: filledList(domain)
    .optional()
    .describe("Domains of email addresses; *.example.com matches all subdomains."),
  hosts: filledList(domain).optional().describe("Hosts of webhooks; *.example.com matches all subdomains."),
  phonePrefixes: filledList(phonePrefix).optional().describe("Prefixes of phone numbers, such as +1202."),
}).refine((lists) => (lists.emailDomains ?? lists.hosts ?? lists.phonePrefixes) !== undefined, {
  error: "must contain emailDomains, hosts or phonePrefixes",
});

export const targetRules: readonly Rule[] = [
  defineRule({
    id: "known-type",
    preset: "recommended",
    title: "The channel's type is current",
    why: "The rules on targets and credentials can't evaluate the settings of an unknown type. A type that the service is replacing will stop delivering alerts.",
    fix: "For an unknown type, update pulumi-monitoring-service, or check the channel manually and accept the finding. If the type is being replaced, change it to its successor.",
    asCode:
      "Declare a channel of the successor, such as `SLACK_APP`, subscribe the checks to it, and delete the old channel.",
    offWhen:
      "Turn it off if your deployment of the service has custom types, and list these types in a custom rule.",
    severity: "error",
    reads: ["config.webhookType"],
    check: ({ type, config: { webhookType } }) => {
      if (!documentedTypes.includes(type))
        return [{ field: "type", actual: type, expected: documentedTypes.join(", ") }];
      const successor =
        type === "WEBHOOK" && typeof webhookType === "string" ? replaced[webhookType] : undefined;
      if (successor === undefined) return [];
      return [{ field: "config.webhookType", actual: String(webhookType), expected: successor }];
    },
  }),
  defineRule({
    id: "allowed-targets",
    title: "The channel delivers to an allowed target",
    why: "Alerts describe systems and their failures. Sending alerts to a private mailbox or an unknown host leaks this information.",
    fix: "Point the channel to an allowed target, or add the target to the rule.",
    asCode: "Correct the target where the channel is declared.",
    offWhen: "The rule isn't in a preset. Turn it on to keep alerts within the organization.",
    options: targetLists,
    reads: ["config.address", "config.number"],
    check: checkTarget,
  }),
  defineRule({
    id: "duplicate-target",
    preset: "recommended",
    title: "No other channel delivers to the same target",
    why: "Checks that are subscribed to both channels alert twice, and pausing one channel has no visible effect.",
    fix: "Move all subscriptions to one channel, and delete the other channels.",
    asCode: "Keep one declaration, and use that channel in `alertChannels` of all checks.",
    offWhen: "Turn it off if several teams manage channels to one shared target on purpose.",
    reads: ["config.address", "config.number", "config.slackChannels"],
    begin: (_, { channels }) => checkUnique(channels, listTargets, "a unique target"),
  }),
];

/** Returns true if a host matches a domain. `example.com` matches only itself, `*.example.com` all subdomains. */
export function isInDomain(host: string, domain: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  const pattern = domain.toLowerCase();
  return pattern.startsWith("*.") ? name.endsWith(pattern.slice(1)) : name === pattern;
}

type TargetLists = z.output<typeof targetLists>;

/** Checks the targets of a channel. Returns undefined if no list applies to the channel's type. */
function checkTarget(channel: AuditedChannel, lists: TargetLists): Verdict {
  const settings = [...listSettings(channel, lists)];
  if (settings.length === 0 && !targetSettings.has(channel.type)) {
    const reason = `the target of channels of type ${channel.type} is unknown. Update pulumi-monitoring-service`;
    return [{ field: "type", reason, blocks: true }];
  }
  if (settings.length === 0) return undefined;
  return settings.flatMap(({ field, list, targets }): Outcome[] => {
    const notEvaluable = targets.find((target) => "reason" in target);
    const wrong = targets.flatMap((target) => ("shown" in target && !target.isListed ? target.shown : []));
    const expected = list.join(", ");
    return [
      ...(wrong.length > 0 ? [{ field, actual: wrong.join(", "), expected }] : []),
      ...(notEvaluable ? [{ field, ...notEvaluable }] : []),
    ];
  });
}

/** A setting with all of its targets. */
interface Setting {
  readonly field: string;
  readonly list: readonly string[];
  readonly targets: readonly Target[];
}

/** A target as a finding shows it, or the reason why it can't be compared. */
type Target =
  | { readonly shown: string; readonly isListed: boolean }
  | Pick<NotEvaluable, "reason" | "blocks">;

function* listSettings({ config, credentials }: AuditedChannel, lists: TargetLists): Generator<Setting> {
  const { emailDomains, phonePrefixes, hosts } = lists;
  const { address, number } = config;
  if (typeof address === "string" && emailDomains) {
    const targets = parseTargets(address.split(/[,;\n]/), "email addresses", (one) => {
      const host = parseMailHost(one);
      return host && { shown: host, isListed: emailDomains.some((domain) => isInDomain(host, domain)) };
    });
    yield { field: "config.address", list: emailDomains, targets };
  }
  if (typeof number === "string" && phonePrefixes) {
    const targets = parseTargets(number.split(/[,;\n]|(?=\+)/), "phone numbers", (one) => {
      const phone = parsePhoneNumber(one);
      return phone && { shown: one, isListed: phonePrefixes.some((prefix) => phone.startsWith(prefix)) };
    });
    yield { field: "config.number", list: phonePrefixes, targets };
  }
  if (credentials.url && hosts)
    yield { field: "config.url", list: hosts, targets: [toHostTarget(credentials.url, hosts)] };
}

/**
 * Splits a list such as `a@x.example, b@y.example`. If a part isn't a target, its outcome is `unclear`, because it could contain a target.
 */
function parseTargets(
  parts: readonly string[],
  what: string,
  parseTarget: (part: string) => Target | "" | undefined,
): Target[] {
  const unclear = { reason: `can't be split into ${what}. Use a separate channel for each`, blocks: true };
  const targets = parts.map((part) => part.trim()).filter((part) => part !== "");
  if (targets.length === 0) return [unclear];
  return targets.map((part) =>
    part.includes("{{") ? { reason: formatReferenceReason("target") } : parseTarget(part) || unclear,
  );
}

/** Returns the ASCII domain of an email address. A display name may come before the address. */
function parseMailHost(text: string): string | undefined {
  const address = text.replace(/^[^@<>]*<(.*)>$/, "$1");
  const host = /^[^\s@<>"()]+@([^\s@<>"()]+)$/.exec(address)?.[1];
  return host && (domainToASCII(host) || host);
}

/** Returns the phone number. Undefined if it has more than the 15 digits of E.164, because it may be several numbers. */
function parsePhoneNumber(text: string): string | undefined {
  const number = normalizePhoneNumber(text);
  return /^\+?[\d\s()./-]+$/.test(text) && /^\+?\d{1,15}$/.test(number) ? number : undefined;
}

function toHostTarget(url: Credential, hosts: readonly string[]): Target {
  const { isInDomain, isReference, scheme, secretPart } = url;
  if (isReference === false && (scheme ?? secretPart) === undefined)
    return { reason: "isn't a URL, so its target is unknown. Enter a URL", blocks: true };
  const isPlain = isReference === undefined && secretPart === undefined;
  const reason = isPlain ? undefined : getUnknownHostReason(url);
  if (reason !== undefined) return { reason };
  if (isInDomain === undefined)
    return {
      reason:
        "the host is unknown without the credential itself. Audit the channel on the service instead of in a state",
    };
  const isListed = hosts.some(isInDomain);
  return { shown: isListed ? "a listed host" : "an unlisted host", isListed };
}

/** Returns a phone number as `+` and digits. Ignores a `+` after the first character. */
export function normalizePhoneNumber(number: string): string {
  const digits = number.replace(/\D/g, "");
  return number.trim().startsWith("+") ? `+${digits}` : digits.replace(/^00/, "+");
}

const documentedTypes: readonly string[] = alertChannelTypes;

/** Successors of the values of `webhookType` that the vendor replaces with a separate type. */
const replaced: Readonly<Record<string, string>> = { SLACK: "SLACK_APP", WEBHOOK_SLACK: "SLACK_APP" };

function listTargets(channel: AuditedChannel): UniqueValue[] {
  const { type, config, credentials } = channel;
  if (findPlaceholders(channel).length > 0) return [];
  const { address, number, slackChannels, region, priority, method } = config;
  const targets = [
    typeof address === "string" && { field: "config.address", key: address.trim().toLowerCase() },
    typeof number === "string" && { field: "config.number", key: normalizePhoneNumber(number) },
    Array.isArray(slackChannels) && {
      field: "config.slackChannels",
      key: slackChannels.map(String).sort().join(" "),
    },
    // One webhook may post to several Slack channels. With different templates, one bot may post to several chats, and one gateway to
    // several numbers.
    credentials["url"] && computeIdentity(credentials, requestKeys, config["channel"], method),
    credentials["serviceKey"] && computeIdentity(credentials, ["serviceKey"]),
    // Several channels may use one key, each with a different region or priority.
    credentials["apiKey"] && computeIdentity(credentials, ["apiKey"], region, priority),
  ];
  return targets.flatMap((target) => {
    if (!target) return [];
    return "key" in target ? { ...target, key: `${type} ${target.key}` } : target;
  });
}

/** Settings that the request of a webhook depends on. */
const requestKeys = ["url", "template", "headers", "queryParameters"];
