/** Defines the rules on the events that a channel reports, and on its settings. */
import { parseMs, sslExpiryThresholdBounds } from "../../provider/api";
import { boolean, wholeNumber } from "../../provider/problems";
import { listActiveSubscriptions, type AuditedChannel, type Subscription } from "../channel";
import {
  defineRule,
  formatReferenceReason,
  createNotReturned,
  notReturned,
  type Outcome,
  type Rule,
  strict,
  type Verdict,
} from "../rule";
import { findPlaceholders } from "./credentials";

/** The option of the rules on certificates. */
const each = boolean
  .default(false)
  .describe(
    "Whether every channel must report expiring certificates. Default: false (one channel is enough).",
  );

const { least: minDays, most: maxDays } = sslExpiryThresholdBounds;

export const alertRules: readonly Rule[] = [
  defineRule({
    id: "send-failure",
    preset: "recommended",
    title: "Failures are sent",
    why: "Without failure alerts, the team hears about outages from its customers.",
    fix: "Turn failure alerts on in the channel's settings.",
    asCode: "Set `sendFailure: true` on the channel.",
    offWhen:
      "Turn it off for channels that only report recoveries, with `exceptions`. Channels that only report certificates are exempt.",
    severity: "error",
    options: createValueOptions("sendFailure"),
    needs: ["sendFailure", "sendRecovery", "sslExpiry"],
    check: (channel, { value }) => {
      const { sendFailure, sendRecovery, sendDegraded, sslExpiry } = channel;
      const isOfCertificates = sslExpiry === true && sendFailure === false && sendRecovery === false;
      if (isOfCertificates && sendDegraded !== true && value) return undefined;
      return checkFlag(channel, "sendFailure", value);
    },
  }),
  defineRule({
    id: "send-recovery",
    preset: "recommended",
    title: "Recoveries are sent",
    why: "Without recovery alerts, people keep investigating, and on-call tools keep the alert open.",
    fix: "Turn recovery alerts on in the channel's settings.",
    asCode: "Set `sendRecovery: true` on the channel.",
    offWhen:
      "Turn it off for channels that open one ticket for each alert. Channels to known ticket systems are exempt.",
    options: createValueOptions("sendRecovery"),
    needs: ["sendRecovery", "sendFailure", "config"],
    check: (channel, { value }) => {
      // In a ticket system, a recovery would open a second ticket. Without failure alerts, a recovery alert is meaningless.
      const isMeant = channel.credentials.url?.receiver === "ticket" || channel.sendFailure === false;
      return isMeant ? undefined : checkFlag(channel, "sendRecovery", value);
    },
  }),
  defineRule({
    id: "subscribed",
    preset: "recommended",
    title: "Checks are subscribed to the channel",
    why: "A channel without active subscriptions never alerts. autoSubscribe isn't enough, because it subscribes only checks that someone creates in the web interface, not checks from a program.",
    fix: "Subscribe checks or groups to the channel, activate the subscriptions that were paused, or delete the channel.",
    asCode:
      "Add the channel to `alertChannels` of each check or group that must alert through it, or to the defaults of the project.",
    offWhen:
      "Turn it off if a different program subscribes its checks to shared channels, and use `checks-covered` instead.",
    severity: "error",
    needs: ["subscriptions"],
    check: (channel) => {
      const active = listActiveSubscriptions(channel);
      if (active === undefined) return [createNotReturned("subscriptions")];
      if (active.length > 0) return [];
      const { subscriptions = [], autoSubscribe } = channel;
      const actual = subscriptions.length === 0 ? "none" : describePaused(subscriptions);
      const relies = autoSubscribe === true ? ", only autoSubscribe" : "";
      return [{ field: "subscriptions", actual: actual + relies, expected: "an active subscription" }];
    },
  }),
  defineRule({
    id: "ssl-expiry",
    preset: "recommended",
    title: "A channel reports expiring certificates",
    why: "An expired certificate causes an outage on a date that was known in advance.",
    fix: "Turn on alerts for expiring SSL certificates in at least one channel, preferably a channel that a team reads every day.",
    asCode: "Set `sslExpiry: true` and `sslExpiryThreshold: 30` on one channel.",
    offWhen:
      "Turn it off if a different tool monitors your certificates, or if they renew themselves and you monitor the renewals.",
    options: strict({ each }),
    needs: ["sslExpiry"],
    check: (channel, { each }) => (each ? checkFlag(channel, "sslExpiry", true) : undefined),
    checkFleet: ({ each }, { channels, partial }) => {
      if (each || channels.length === 0) return undefined;
      const field = "sslExpiry";
      if (channels.some(({ sslExpiry }) => sslExpiry === true)) return [];
      const unsure = channels.find(({ sslExpiry }) => typeof sslExpiry !== "boolean");
      if (unsure) return [createNotReturned(field, "", unsure)];
      if (partial !== undefined) return [{ field, reason: partial }];
      return [{ field, actual: "false in every channel", expected: "true in one" }];
    },
  }),
  defineRule({
    id: "ssl-expiry-threshold",
    preset: "recommended",
    recommended: { atLeast: 7 },
    title: "Expiring certificates are reported early enough",
    why: "Renewing a certificate takes days if people must approve the renewal.",
    fix: "Increase the number of days between the alert and the expiry.",
    asCode: "Set `sslExpiryThreshold: 30`, or to the number of days that your renewals take.",
    offWhen: "Turn it off if all your certificates renew themselves within hours.",
    options: strict({
      atLeast: wholeNumber(minDays, maxDays)
        .default(14)
        .describe(`Days before expiry, ${minDays} to ${maxDays}. Default: 14 (7 in the preset recommended).`),
      each,
    }),
    needs: ["sslExpiry", "sslExpiryThreshold"],
    begin: ({ atLeast, each }, { channels }) => {
      const isEarly = ({ sslExpiry, sslExpiryThreshold: days }: AuditedChannel) =>
        sslExpiry === true && typeof days === "number" && days >= atLeast && days <= maxDays;
      const isCovered = !each && channels.some(isEarly);
      return ({ sslExpiry, sslExpiryThreshold: days }) => {
        if (typeof sslExpiry !== "boolean") return isCovered ? undefined : [createNotReturned("sslExpiry")];
        if (!sslExpiry) return undefined;
        if (isCovered) return [];
        if (days === undefined || days === null) return [createNotReturned(thresholdField)];
        // The rule `documented-bounds` reports values outside of these bounds.
        if (days < minDays || days > maxDays) return undefined;
        if (days >= atLeast) return [];
        return [{ field: thresholdField, actual: `${days} days`, expected: `${atLeast} days or more` }];
      };
    },
  }),
  /**
   * Checks the bounds of `AlertChannel.sslExpiryThreshold` in docs/openapi.yaml. The contract specifies no bounds for other settings of a
   * channel.
   */
  defineRule({
    id: "documented-bounds",
    preset: "recommended",
    title: "Settings are within the bounds that the service documents",
    why: "The service doesn't document when a value outside its bounds is reported. The operation `getAlertChannel` documents that `sslExpiryThreshold` is at least 1 and at most 30 days (`AlertChannel.sslExpiryThreshold` in its contract).",
    fix: "Save the channel with a number of days within the bounds.",
    asCode: "Set `sslExpiryThreshold` to a value from 1 to 30 days. 30 leaves the most time.",
    offWhen:
      "Don't turn it off. If your deployment of the service documents other values, accept the findings for these values with an exception.",
    severity: "error",
    needs: ["sslExpiryThreshold"],
    check: ({ sslExpiryThreshold: days }) => {
      if (days === undefined || days === null) return undefined;
      if (Number.isInteger(days) && days >= minDays && days <= maxDays) return [];
      const expected = `a whole number from ${minDays} to ${maxDays}`;
      return [{ field: thresholdField, actual: String(days), expected }];
    },
  }),
  defineRule({
    id: "valid-settings",
    preset: "recommended",
    title: "Settings have a format that their receiver accepts",
    why: "A number without a country code can't be called (E.164). A list of email addresses isn't a valid address (RFC 5321). Opsgenie accepts the regions EU and US and the priorities P1 to P5. A GET request doesn't have a body for a template (RFC 9110). A template that looks like JSON must be valid JSON (RFC 8259). The service itself documents none of these requirements. It may drop such an alert without an error.",
    fix: "Save the channel with a valid value, and send a test alert.",
    asCode:
      "Correct the value where the channel is declared. A type in your language, such as a union of literals, keeps the value valid.",
    offWhen:
      "Turn it off if your deployment of the service accepts other formats, such as lists of addresses.",
    reads: "address method number priority region template".split(" ").map((key) => `config.${key}`),
    check: (channel) => {
      const set = forms.filter(
        ({ key, isFor }) => channel.config[key] !== undefined && isFor?.(channel) !== false,
      );
      const ofTemplates = findTemplateMistakes(channel);
      if (set.length + ofTemplates.length === 0) return undefined;
      const ofForms = set.flatMap(({ key, isValid, expected }): Outcome[] => {
        const field = `config.${key}`;
        const value = String(channel.config[key]);
        if (value.includes("{{")) return [{ field, reason: formatReferenceReason("value") }];
        return isValid(value) ? [] : [{ field, actual: value, expected }];
      });
      return [...ofForms, ...ofTemplates];
    },
  }),
  defineRule({
    id: "stale",
    preset: "strict",
    title: "The channel was changed recently",
    why: "Keys expire, people leave, and phone numbers change. Settings that haven't changed for years are rarely correct.",
    fix: "Send a test alert, rotate the channel's credential, and save the channel.",
    asCode: "Rotate the credential where the channel is declared, and deploy.",
    offWhen:
      "Turn it off if channels are declared as code and deployed often, because the code is reviewed instead.",
    options: strict({
      days: wholeNumber(1, 36_500)
        .default(365)
        .describe("Maximum number of days since the last change. Default: 365."),
    }),
    needs: ["updatedAt"],
    check: ({ updatedAt, createdAt }, { days }, { now }) => {
      const changed = parseMs(updatedAt) ?? parseMs(createdAt);
      if (changed === undefined) return [createNotReturned("updatedAt")];
      const age = Math.floor((now.getTime() - changed) / dayMs);
      if (age <= days) return [];
      return [{ field: "updatedAt", actual: `${age} days ago`, expected: `within ${days} days` }];
    },
  }),
  defineRule({
    id: "managed-as-code",
    preset: "strict",
    title: "A project manages the channel as code",
    why: "A channel that was created by hand has no review and no history. It is forgotten when its creator leaves.",
    fix: "Move the channel to the project of the team that it alerts.",
    asCode:
      "Import the channel into a project of the service's command-line tool, or of a different tool that the service records as the channel's owner.",
    offWhen:
      "Turn it off if the service doesn't return the project that owns a channel, or if channels are created by hand on purpose.",
    needs: [],
    check: ({ projectBindings }) => {
      const field = "projectBindings.owner";
      const owner = projectBindings?.owner;
      if (owner === undefined) return [{ field, reason: notReturned }];
      return owner === null ? [{ field, actual: "none", expected: "a project" }] : [];
    },
  }),
  defineRule({
    id: "unlisted-channel",
    preset: "strict",
    title: "The channel is named in the rules or in the configuration",
    why: "A channel that was created by hand yesterday has no review. Only an audit of all channels finds such a channel.",
    fix: "Add the channel under `channels` in the rule file, or delete the channel.",
    asCode:
      "Add the name and ID of the declared channel to the setting `monitoring:alertChannels` or the variable `MONITORING_ALERT_CHANNELS`.",
    offWhen: "Turn it off if channels are created by hand on purpose.",
    needs: [],
    check: ({ id }, _, { named }) => {
      if (named === undefined) return undefined;
      if (named.has(String(id))) return [];
      return [
        { field: "id", actual: "without a name", expected: "a name in the rules or the configuration" },
      ];
    },
  }),
];

type Flag = "sendFailure" | "sendRecovery" | "sslExpiry";

function checkFlag(channel: AuditedChannel, field: Flag, expected: boolean): Verdict {
  const value = channel[field];
  if (value === expected) return [];
  if (value === undefined || value === null) return [createNotReturned(field)];
  return [{ field, actual: String(value), expected: String(expected) }];
}

function createValueOptions(field: Flag) {
  return strict({
    value: boolean.default(true).describe(`Required value of ${field}. Default: true.`),
  });
}

/** Names the group if all of the channel's subscriptions are for one group. */
function describePaused(subscriptions: readonly Subscription[]): string {
  const [first, ...others] = new Set(subscriptions.map(({ groupId }) => groupId));
  return first !== undefined && first !== null && first !== "" && others.length === 0
    ? `only group ${first}, whose subscription is paused`
    : `all ${subscriptions.length} paused`;
}

const thresholdField = "sslExpiryThreshold";

/**
 * Matches an E.164 number: `+`, country code and number. Numbers in North America have ten digits after the 1. The 0 of national calls, as
 * in +49 (0) 151, isn't part of the number. Some countries, such as Italy, use numbers with a leading 0, so the pattern only lists
 * countries without such numbers.
 */
const phoneNumber = /^\+(?:1[2-9]\d{9}|(?!(?:3[1-3]|4[134689]|6[14]|8[12]|9[01])0)[2-9]\d{6,14})$/;

/** Matches an RFC 5321 address with an internet host, because the service can't deliver to addresses such as root@localhost. */
const oneAddress = /^[^\s@,;<>"()]+@[^\s@,;<>"()]+\.[^\s@,;<>"()]+$/;

/** RFC 5321 limits the local part to 64 characters and the domain to 255; with the `@`, that makes 320. */
const longestAddress = 320;

/** Valid forms of settings. */
const forms: readonly {
  readonly key: string;
  /** Default: every channel with the setting. */
  readonly isFor?: (channel: AuditedChannel) => boolean;
  readonly isValid: (value: string) => boolean;
  readonly expected: string;
}[] = [
  {
    key: "address",
    isFor: (channel) => !findPlaceholders(channel).includes("address"),
    isValid: (value) => value.length <= longestAddress && oneAddress.test(value.trim()),
    expected: "a single address, such as ops@acme.example",
  },
  {
    key: "number",
    isValid: (value) => phoneNumber.test(value),
    expected: "a single E.164 number, such as +12025550143",
  },
  createOpsgenieForm("region", ["EU", "US"]),
  createOpsgenieForm("priority", ["P1", "P2", "P3", "P4", "P5"]),
  {
    key: "method",
    isFor: ({ type, credentials }) => type === "WEBHOOK" && credentials.template !== undefined,
    isValid: (value) => !/^(?:get|head)$/i.test(value),
    expected: "POST, PUT or PATCH, because a template is sent as the body",
  },
];

/** Finds a template that isn't JSON. The rule `placeholder` reports placeholders. */
function findTemplateMistakes({ credentials: { template } }: AuditedChannel): Outcome[] {
  if (template?.isInvalidJson !== true || template.isPlaceholder) return [];
  return [{ field: "config.template", actual: "not JSON", expected: "JSON" }];
}

function createOpsgenieForm(key: string, values: readonly string[]) {
  return {
    key,
    isFor: ({ type }: AuditedChannel) => type === "OPSGENIE",
    isValid: (value: string) => values.includes(value),
    expected: `one of ${values.join(", ")}`,
  };
}

const dayMs = 86_400_000;
