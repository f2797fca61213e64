/** Defines the rules on all channels together. */
import { isOnCallMailDomain } from "../../provider/credentials";
import { filledList, filledText, wholeNumber } from "../../provider/problems";
import {
  listActiveSubscriptions,
  type AuditedChannel,
  formatChannelLabel,
  type ChannelTypeName,
  hasType,
  getSpecificType,
} from "../channel";
import {
  channelType,
  defineRule,
  type FleetAudit,
  createNotReturned,
  type NotEvaluable,
  type Rule,
  strict,
  type Verdict,
} from "../rule";
import { normalizePhoneNumber } from "./targets";

/** Channel types that wake a person, unlike chats, logs and issue trackers. */
const pagingTypes: readonly ChannelTypeName[] = [
  "PAGERDUTY",
  "OPSGENIE",
  "CALL",
  "SMS",
  "WEBHOOK_INCIDENTIO",
  "WEBHOOK_FIREHYDRANT",
  "WEBHOOK_ROOTLY",
  "WEBHOOK_ILERT",
  "WEBHOOK_SPLUNK",
  "WEBHOOK_SPIKESH",
];

/** Last sentence of `why` for rules on all channels together. */
const ofAccount = "With `--all` or `allChannels`, the rule evaluates all channels of the account together.";

export const fleetRules: readonly Rule[] = [
  defineRule({
    id: "on-call-type",
    preset: "recommended",
    title: "A channel wakes the person on call",
    why: `Email and chat are read during working hours, so an outage at night lasts until the morning. ${ofAccount}`,
    fix: "Add a channel that wakes someone, such as an SMS, a call or an on-call service. Subscribe the important checks to it.",
    asCode:
      "Declare a channel of type `SMS`, `CALL`, `PAGERDUTY` or `OPSGENIE`, and add it to `alertChannels` of the important checks.",
    offWhen:
      "Turn it off for systems that don't need to be fixed at night, such as internal tools and test systems.",
    options: strict({
      types: filledList(channelType)
        .default([...pagingTypes])
        .describe("Types and values of webhookType that wake a person."),
      atLeast: wholeNumber(1, 1000)
        .default(1)
        .describe("Number of such channels that send failures. Default: 1."),
    }),
    needs: ["sendFailure", "subscriptions", "config"],
    checkFleet: ({ types, atLeast }, audit) => {
      const { channels, partial } = audit;
      if (channels.length === 0) return undefined;
      const wakes = channels.filter((channel) => hasType(channel, types) || isOnCallService(channel));
      return checkDelivering(wakes, audit, ({ length: count }): Verdict => {
        if (count >= atLeast) return [];
        if (partial !== undefined) return [{ field: "type", reason: partial }];
        const actual =
          count === 0 ? `no channel wakes someone; ${describeReaders(channels)}` : `only ${count}`;
        const expected = `${atLeast === 1 ? "one" : atLeast} or more of ${formatTypes(types)}`;
        return [{ field: "type", actual: actual + describeSilent(wakes), expected }];
      });
    },
  }),
  defineRule({
    id: "single-recipient",
    preset: "strict",
    title: "Failures aren't all sent to one person",
    why: `When that person is away or the device is off, no one notices an outage. ${ofAccount}`,
    fix: "Add a channel for a different person, a group, or a service that escalates. Subscribe the checks to it.",
    asCode: "Declare a second channel, and add it to `alertChannels` of the checks.",
    offWhen: "Turn it off if one person operates the service and has no substitute.",
    needs: ["sendFailure", "subscriptions", "config"],
    checkFleet: (_, audit) =>
      checkDelivering(audit.channels, audit, (delivering) => {
        if (delivering.length === 0) return undefined;
        const [first, ...others] = delivering.map(findPerson);
        if (first === undefined || others.some((one) => one?.key !== first.key)) return [];
        const { field, what } = first;
        // The finding of `on-call-type` already names the mailbox.
        if (what === "mailbox" && audit.isReported(["on-call-type"])) return [];
        if (audit.partial !== undefined) return [{ field, reason: audit.partial }];
        const actual = `one ${what} (${delivering.map(formatChannelLabel).join(", ")})`;
        return [{ field, actual, expected: "a second recipient of failures" }];
      }),
  }),
  defineRule({
    id: "checks-covered",
    title: "Every listed check alerts when it fails",
    why: "A check without active subscriptions fails silently.",
    fix: "Subscribe the check to a channel that sends failures.",
    asCode: "Add a channel that sends failures to `alertChannels` of the check.",
    offWhen: "The rule isn't in a preset. Remove a check from the rule's list when the check is deleted.",
    severity: "error",
    options: strict({ checks: filledList(filledText).describe("IDs of the checks that must be covered.") }),
    needs: ["sendFailure", "subscriptions"],
    checkFleet: ({ checks }, { channels, partial }) => {
      const covered = new Set(channels.filter(({ sendFailure }) => sendFailure === true).flatMap(listChecks));
      const whyUnknown = createCoverageCheck(channels);
      return [...new Set(checks)]
        .filter((check) => !covered.has(check))
        .map((check) => {
          const field = `subscriptions[${check}]`;
          if (partial !== undefined) return { field, reason: partial };
          const expected = "an active subscription to a channel that sends failures";
          const unknown = whyUnknown(check);
          return unknown ? { ...unknown, field } : { field, actual: "none", expected };
        });
    },
  }),
];

/**
 * Returns true if checks alert through the channel when they fail, or the reason why that is unknown. A channel that doesn't send failures
 * can't replace another channel.
 */
function sendsFailures(channel: AuditedChannel): boolean | NotEvaluable {
  const { sendFailure } = channel;
  const active = listActiveSubscriptions(channel);
  if (sendFailure === false || active?.length === 0) return false;
  if (sendFailure !== true) return createNotReturned("sendFailure", "", channel);
  return active !== undefined || createNotReturned("subscriptions", "", channel);
}

/** Rules that report why a channel delivers nothing. */
const reasons = ["subscribed", "send-failure", "empty-target"];

/**
 * Returns the verdict of a rule on the channels that deliver failures, with at most one outcome. The verdict isn't evaluable if it depends
 * on a channel that may or may not deliver. A channel that delivers nothing is included if another rule reports it, because the same fix
 * resolves both findings.
 */
function checkDelivering(
  channels: readonly AuditedChannel[],
  { isReported }: Pick<FleetAudit, "isReported">,
  evaluate: (delivering: readonly AuditedChannel[]) => Verdict,
): Verdict {
  const all = channels.map((channel) => ({
    channel,
    sends: isReported(reasons, channel) || sendsFailures(channel),
  }));
  const verdict = evaluate(all.flatMap(({ channel, sends }) => (sends === true ? channel : [])));
  const [notEvaluable] = all.flatMap(({ channel, sends }) =>
    typeof sends === "object" ? { ...sends, reason: `${formatChannelLabel(channel)}: ${sends.reason}` } : [],
  );
  if (notEvaluable === undefined) return verdict;
  const atMost = evaluate(all.flatMap(({ channel, sends }) => (sends === false ? [] : channel)));
  return atMost?.length === verdict?.length ? verdict : [notEvaluable];
}

/** Returns the part of a finding that explains why some channels are ignored. */
function describeSilent(channels: readonly AuditedChannel[]): string {
  const count = channels.filter((channel) => sendsFailures(channel) === false).length;
  return count === 0 ? "" : `, excluding ${count} that ${count === 1 ? "sends" : "send"} no failures`;
}

interface Recipient {
  /** Identifies the recipient. */
  readonly key: string;
  readonly field: string;
  readonly what: "mailbox" | "phone";
}

/** Returns the person who receives the alerts. Undefined for services, chats, groups and roles, because several people read them. */
function findPerson({ config: { address, number } }: AuditedChannel): Recipient | undefined {
  if (typeof address === "string") {
    if (isRole(address) || isOnCallMail(address)) return undefined;
    return { key: address.trim().toLowerCase(), field: "config.address", what: "mailbox" };
  }
  if (typeof number === "string")
    return { key: normalizePhoneNumber(number), field: "config.number", what: "phone" };
  return undefined;
}

const roles = new Set(
  `admin admins administrator administrators alarm alarms alert alerting alerts all backend billing checks cloud contact
  customer data desk dev developer developers development devops duty engineering engineers eng errors everyone frontend
  group hello help helpdesk hostmaster incident incidents info infra infrastructure it itops list mailbox management
  monitor monitoring net network noc notification notifications notify office on-call oncall operations ops owner platform
  postmaster pager product production qa quality release reliability reports root security service services shared sre
  staff status support sys sysadmin systems team teams tech technical technology techops test testing triage uptime web
  webmaster`.split(/\s+/),
);

/** Returns true if the mailbox belongs to a role or a group. */
function isRole(address: string): boolean {
  const [local = "", domain = ""] = address.trim().toLowerCase().replace(/^.*</, "").split("@");
  if (/^(?:googlegroups|groups)\.|(?:^|\.)(?:lists?|groups?)\./.test(domain)) return true;
  const words = local.split(/[^a-z]+/);
  return local.includes("on-call") || words.some((word) => roles.has(word));
}

/** Returns true if the channel is a webhook or an email to an on-call service, without being an integration of that service. */
function isOnCallService({ type, config: { address }, credentials: { url } }: AuditedChannel): boolean {
  if (type === "WEBHOOK") return url?.receiver === "on-call";
  return type === "EMAIL" && typeof address === "string" && isOnCallMail(address);
}

/** Returns true if an on-call service turns emails to this address into alerts. */
function isOnCallMail(address: string): boolean {
  const [, domain] = /@([^\s@<>]+)>?\s*$/.exec(address) ?? [];
  return domain !== undefined && isOnCallMailDomain(domain);
}

/** Describes the current recipients of failures. */
function describeReaders(channels: readonly AuditedChannel[]): string {
  const [first, ...others] = channels.map(findPerson);
  if (first?.what === "mailbox" && others.every((one) => one?.key === first.key))
    return `failures go to one mailbox (${channels.map(formatChannelLabel).join(", ")})`;
  const types = [...new Set(channels.map(getSpecificType))].sort();
  return `failures go to ${types.join(", ")}`;
}

const maxNamed = 4;

function formatTypes(types: readonly string[]): string {
  const others = types.length - maxNamed;
  return others > 1 ? `${types.slice(0, maxNamed).join(", ")} and ${others} other types` : types.join(", ");
}

function listChecks(channel: AuditedChannel): string[] {
  return (listActiveSubscriptions(channel) ?? []).map(({ checkId }) => String(checkId));
}

/**
 * Returns a function that returns the reason why it's unknown whether any channel covers a check. Undefined if no channel covers the check.
 */
function createCoverageCheck(
  channels: readonly AuditedChannel[],
): (check: string) => NotEvaluable | undefined {
  const possible = channels.filter(({ sendFailure }) => sendFailure !== false);
  const open = possible.find(({ subscriptions }) => subscriptions === undefined);
  const byCheck = new Map(
    possible
      .filter(({ sendFailure }) => sendFailure !== true)
      .flatMap((channel) => listChecks(channel).map((check) => [check, channel] as const)),
  );
  const createMissingField = (field: string, channel: AuditedChannel) =>
    createNotReturned(field, `${field} of ${formatChannelLabel(channel)}: `, channel);
  return (check) => {
    const unsure = byCheck.get(check);
    return unsure
      ? createMissingField("sendFailure", unsure)
      : open && createMissingField("subscriptions", open);
  };
}
