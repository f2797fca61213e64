/** Defines the rules on webhooks, keys and other credentials. */
import { knownWebhookTypes } from "../../provider/api";
import { filledTexts, hiddenText, isPlaceholderAddress, targetSettings } from "../../provider/credentials";
import { oneOf } from "../../provider/problems";
import { type AuditedChannel, formatChannelLabel, type Credential, getSpecificType } from "../channel";
import {
  defineRule,
  findingSeverities,
  hiddenByService,
  formatReferenceReason,
  type Outcome,
  plaintextDiscarded,
  type Rule,
  strict,
  suggestName,
  type Verdict,
} from "../rule";

export const credentialRules: readonly Rule[] = [
  defineRule({
    id: "placeholder",
    preset: "recommended",
    title: "No placeholder is left in the channel",
    why: "A channel with YOUR/WEBHOOK/URL or key1 looks configured, and every alert to it is lost without an error.",
    fix: "Enter the real target or key, send a test alert, or delete the channel.",
    asCode:
      "Replace the value where the channel is declared. If it comes from a variable, make the variable required, so that a deployment without it fails.",
    offWhen: "Don't turn it off. Accept the finding for a value that only looks like a placeholder.",
    severity: "error",
    reads: ["config"],
    check: (channel) => {
      const [first, ...others] = findPlaceholders(channel).map((key) => `config.${key}`);
      if (first === undefined) return [];
      const also = others.length > 0 ? `, also in ${others.join(", ")}` : "";
      return [{ field: first, actual: `a placeholder${also}`, expected: "the real value" }];
    },
  }),
  defineRule({
    id: "empty-target",
    preset: "recommended",
    title: "The channel has a target",
    why: "A channel without a URL, email address, number or key accepts every alert and delivers none.",
    fix: "Enter the target, or delete the channel.",
    asCode:
      "An empty value usually comes from a variable that isn't set where the program runs. Make the variable required, so that a deployment without it fails.",
    offWhen: "Don't turn it off. Delete channels that aren't in use.",
    severity: "error",
    reads: [...targetSettings.values()].map((key) => `config.${key}`),
    check: ({ type, config, credentials }) => {
      const target = targetSettings.get(type);
      if (target === undefined) return undefined;
      const field = `config.${target}`;
      if (isLeftOut(credentials[target])) return [{ field, reason: hiddenByService }];
      if (Object.hasOwn(credentials, target) || hasText(config[target])) return [];
      return [{ field, actual: "empty", expected: "a value" }];
    },
  }),
  defineRule({
    id: "https-hook",
    preset: "recommended",
    title: "The webhook is called over https",
    why: "Over plain HTTP, anyone on the network path can read the alert and the token in the webhook's URL.",
    fix: "Use the webhook's https URL, and rotate its token, because the old token may have been read.",
    asCode: "Change `http://` to `https://` in `url`, and rotate the token.",
    offWhen:
      "Don't turn it off. Accept the finding for a webhook that is being moved, until the date of the move.",
    severity: "error",
    check: checkHook(
      "https",
      ({ scheme }) => scheme !== "https" && (scheme === "http" ? "http" : "not an HTTP URL"),
    ),
  }),
  defineRule({
    id: "public-hook",
    preset: "recommended",
    title: "The webhook is reachable from the internet",
    why: "The service calls webhooks from its own network, where a private address is unreachable or belongs to a different host.",
    fix: "Use the webhook's public address.",
    asCode:
      "Set `url` to the public address. For a service in a private network, use the private locations of the monitoring service, if it offers them.",
    offWhen: "Turn it off if your deployment of the service runs inside the network of its webhooks.",
    severity: "error",
    check: checkHook(
      "a public address",
      ({ hostClass }) => hostClass && hostClass !== "public" && addresses[hostClass],
      getUnknownHostReason,
    ),
  }),
  defineRule({
    id: "unread-target",
    preset: "recommended",
    title: "People or services read the target",
    why: "Tools such as webhook.site, tunnels such as ngrok, and the test URL of a workflow show alerts to anyone who is looking. A link for people (such as an invitation), a service that is switched off, and a no-reply mailbox drop alerts without alerting anyone.",
    fix: "Point the channel to a service that acts on alerts or a mailbox that people read. Delete a test channel after the test.",
    asCode:
      "Replace the target where the channel is declared, and keep test channels in a separate stack. Create the webhook of a chat in the chat's settings instead of sharing a link to the chat.",
    offWhen:
      "Turn it off for channels that only exist for tests: `exceptions: [{ select: { names: [test-*] }, rules: { unread-target: off }, reason: Tests }]`.",
    severity: "error",
    reads: ["config.address"],
    check: (channel) => {
      const { address } = channel.config;
      if (typeof address !== "string") return checkReader(channel);
      // The rules `placeholder` and `valid-settings` report other addresses.
      if (findPlaceholders(channel).includes("address") || address.includes("{{")) return undefined;
      if (!unreadMailbox.test(address)) return [];
      return [
        { field: "config.address", actual: "a no-reply mailbox", expected: "a mailbox that people read" },
      ];
    },
  }),
  defineRule({
    id: "webhook-secret",
    preset: "recommended",
    title: "A webhook to your own endpoint signs its requests",
    why: "Without a secret, anyone who finds the endpoint can send false alerts or hide real alerts.",
    fix: "Configure a webhook secret as a reference such as {{WEBHOOK_SECRET}}, and verify the signature.",
    asCode:
      'Set `webhookSecret: "{{WEBHOOK_SECRET}}"`, and store the secret in the service. The endpoint compares the signature in the request\'s header with an HMAC that it computes from the body.',
    offWhen:
      "Turn it off for endpoints that only the service can reach, for example because of a list of allowed IP addresses.",
    reads: ["config.url"],
    check: (channel) => {
      const field = "config.webhookSecret";
      const { url, webhookSecret, template, headers, queryParameters } = channel.credentials;
      const type = getSpecificType(channel);
      const isKnown = knownWebhookTypes.some((known) => known === type);
      // Chats, ticket systems and incident services don't verify signatures, and they use their own credentials.
      if (channel.type !== "WEBHOOK" || isKnown || url?.receiver) return undefined;
      const others = [url, template, headers, queryParameters];
      if (others.some((one) => one?.isPlaceholder)) return undefined;
      if (webhookSecret) return [];
      // A token also authenticates the caller, and a value that the service masks may be a token.
      if (others.some((one) => one?.secretPart && one.secretPart !== "none" && !isLeftOut(one))) return [];
      if (type !== "WEBHOOK")
        return [
          { field, reason: "it is unknown whether the target verifies signatures. Check its documentation" },
        ];
      const reason = url && getUnknownHostReason(url);
      if (reason !== undefined) return [{ field, reason: `config.url ${reason}` }];
      // The rule `public-hook` reports other hosts. Their URL has to change anyway.
      if (url?.hostClass !== "public") return undefined;
      return [{ field, actual: "none", expected: "a secret" }];
    },
  }),
  defineRule({
    id: "credential-reference",
    preset: "recommended",
    title: "Credentials are references, not literals",
    why: "Everyone with read access to the channel, to the code that declares it or to its state can read a literal. Rotating a literal requires finding every copy.",
    fix: "Rotate the credential, because it may have been read. Store the new credential as a secret of the service, and enter a reference such as {{OPS_TOKEN}}.",
    asCode:
      "Set the value to `\"{{OPS_TOKEN}}\"`, and create the secret OPS_TOKEN in the service. A Pulumi secret or a pipeline variable isn't enough, because the service stores the resolved value. A channel of type SLACK_APP doesn't need a webhook.",
    offWhen: "Turn it off if few people can read the account and a secret store rotates the literals.",
    options: strict({
      likely: oneOf(["off", ...findingSeverities] as const, suggestName)
        .default("warning")
        .describe("Severity of a value that only looks random. `off` ignores such values."),
    }),
    reads: ["config"],
    severities: ({ likely }) => (likely === "off" ? [] : [likely]),
    check: (channel, { likely }) => {
      const whole = getWholeSecretKeys(channel);
      const isPublic = ({ key, secretPart }: Secret) => !whole.includes(key) && secretPart === "none";
      const secrets = listFilledSecrets(channel, [...new Set([...whole, ...partialSecrets])]);
      const shown = secrets.filter((secret) => !isPublic(secret));
      const found = findTextSecrets(channel).map((one) => ({ ...one, confidence: "certain" as const }));
      if (shown.length === 0) return found.length === 0 ? undefined : found;
      const ofSettings = shown.flatMap(({ key, isReference, secretPart, recognizedBy }): Outcome[] => {
        const field = `config.${key}`;
        if (secretPart === "hidden") return [{ field, reason: hiddenByService }];
        if (isReference === undefined) return [{ field, reason: plaintextDiscarded }];
        if (isReference || secretPart === "reference") return [];
        // Settings such as API keys are always secrets, even if the value isn't recognized as one.
        if (secretPart === undefined && !whole.includes(key)) return [{ field, reason: notRecognized }];
        if (recognizedBy === "random" && !whole.includes(key))
          return likely === "off" ? [] : [{ ...looksRandom, field, severity: likely }];
        const ofSetting = key === "url" ? "place" : "name";
        const way = whole.includes(key) ? ofSetting : recognizedBy;
        const actual = `a secret in plain text${way ? ways[way] : ""}`;
        return [{ field, actual, expected: "a reference", confidence: "certain" }];
      });
      return [...ofSettings, ...found];
    },
  }),
];

/**
 * Returns a check of the URL that a channel calls. The rule doesn't apply to channels without a URL, and can't evaluate an unknown URL.
 *
 * @param findProblem Returns a description of the problem with the URL: false if there is no problem, undefined if the rule doesn't apply.
 */
function checkHook(
  expected: string,
  findProblem: (url: Credential) => string | false | undefined,
  getReason = getUnknownReason,
): (channel: AuditedChannel) => Verdict {
  const field = "config.url";
  return ({ credentials: { url } }) => {
    // The rule `placeholder` reports placeholders.
    if (url === undefined || url.isPlaceholder) return undefined;
    const reason = getReason(url);
    if (reason !== undefined) return [{ field, reason }];
    const actual = findProblem(url);
    // The rule's fix also replaces the token, but a URL without a scheme was never called.
    const fix = url.scheme === undefined ? { fix: "Enter the complete URL, starting with https://." } : {};
    return actual ? [{ field, actual, expected, ...fix }] : actual === false ? [] : undefined;
  };
}

/** Receivers that don't alert anyone, with their descriptions. */
const unread: Partial<Record<string, string>> = {
  inspection: "a tool for inspecting requests",
  people: "a link for people that accepts no alerts",
  closed: "a service that is switched off",
};

const checkReader = checkHook(
  "a service that acts on alerts",
  ({ receiver }) => receiver !== undefined && (unread[receiver] ?? false),
);

/** Matches a no-reply address. An address with the word after a `+` belongs to a mailbox that is read. */
const unreadMailbox =
  /^[^\s@+]*(?<![a-z\d])(?:no|do[-_.]?not)[-_.]?reply(?![a-z\d])|@(?:[^\s@]+\.)?no-?reply\./i;

/** Returns true if the service didn't return the channel's target credential. */
function isLeftOut(credential: Credential | undefined): boolean {
  return credential?.secretPart === "hidden" && credential.fingerprint === undefined;
}

function getUnknownReason({ isReference, scheme, secretPart }: Credential): string | undefined {
  if (secretPart === "hidden" && scheme === undefined) return hiddenByService;
  if (isReference === undefined) return plaintextDiscarded;
  if (isReference) return formatReferenceReason("address");
  const isTemplate = scheme === undefined && secretPart !== undefined;
  return isTemplate ? formatReferenceReason("address", "starts with a reference") : undefined;
}

/** Returns the reason why the host of a URL is unknown; undefined if it's known. */
export function getUnknownHostReason(url: Credential): string | undefined {
  const isTemplate = url.scheme !== undefined && url.hostClass === undefined;
  return (
    getUnknownReason(url) ??
    (isTemplate ? formatReferenceReason("address", "has a reference as its host") : undefined)
  );
}

interface Secret extends Credential {
  readonly key: string;
}

/**
 * Returns the settings whose whole value is a secret. The URL of a Slack webhook is a secret, because posting to it requires no other key.
 */
const getWholeSecretKeys = ({ type }: AuditedChannel): readonly string[] =>
  type === "SLACK" ? [...wholeSecrets, "url"] : wholeSecrets;

const wholeSecrets: readonly string[] = ["apiKey", "serviceKey", "webhookSecret"];

/** Settings that may contain a secret. Several channels may share it, for example two chats with the same bot. */
const partialSecrets: readonly string[] = ["url", "template", "headers", "queryParameters"];

/** Returns secrets except placeholders and URLs of receivers that don't alert anyone, because other rules report these. */
function listFilledSecrets({ credentials }: AuditedChannel, keys: readonly string[]): Secret[] {
  return keys
    .flatMap((key) => (credentials[key] ? { key, ...credentials[key] } : []))
    .filter(({ isPlaceholder, receiver }) => !isPlaceholder && !(receiver && unread[receiver]));
}

/** A value that only one channel may use, with a key that is equal for equal values, or with the reason why it's unknown. */
export type UniqueValue = { readonly field: string } & (
  | { readonly key: string }
  | { readonly reason: string }
);

/** Returns the identity of credentials that are used together with the other values. Its field is the first credential. */
export function computeIdentity(
  credentials: AuditedChannel["credentials"],
  keys: readonly string[],
  ...others: readonly unknown[]
): UniqueValue {
  const used = keys.flatMap((key) => (credentials[key] ? [{ key, ...credentials[key] }] : []));
  const hidden = used.find(({ secretPart }) => secretPart === "hidden");
  if (hidden) return { field: `config.${hidden.key}`, reason: hiddenByService };
  const field = `config.${keys[0]}`;
  if (used.some(({ fingerprint }) => fingerprint === undefined)) return { field, reason: plaintextDiscarded };
  return { field, key: JSON.stringify([...others, ...keys.map((key) => credentials[key]?.fingerprint)]) };
}

const maxNamed = 5;

/** Checks that no two channels use the same value. The first channel with the value passes. */
export function checkUnique(
  channels: readonly AuditedChannel[],
  listValues: (channel: AuditedChannel) => readonly UniqueValue[],
  expected: string,
): (channel: AuditedChannel) => Verdict {
  const unique = new Map(channels.map((channel) => [channel, listValues(channel)]));
  const holders = new Map<string, AuditedChannel[]>();
  for (const [channel, values] of unique) {
    for (const value of values) {
      if (!("key" in value)) continue;
      const sharing = holders.get(value.key) ?? [];
      holders.set(value.key, sharing);
      if (sharing.at(-1) !== channel) sharing.push(channel);
    }
  }
  return (channel) => {
    const values = unique.get(channel) ?? [];
    if (values.length === 0) return undefined;
    return values.flatMap((value): Outcome[] => {
      if (!("key" in value)) return [value];
      const same = holders.get(value.key) ?? [];
      if (same[0] === channel) return [];
      return [{ field: value.field, actual: formatSameAs(same, channel), expected }];
    });
  };
}

function formatSameAs(channels: readonly AuditedChannel[], except: AuditedChannel): string {
  const named = channels
    .slice(0, maxNamed + 1)
    .filter((channel) => channel !== except)
    .slice(0, maxNamed)
    .map(formatChannelLabel);
  const more = channels.length - 1 - named.length;
  return `same as in ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Returns the settings of a channel that still contain a placeholder. Only the rule `placeholder` reports these. */
export function findPlaceholders({ config, credentials }: AuditedChannel): string[] {
  const { address } = config;
  const plain = typeof address === "string" && isPlaceholderAddress(address) ? ["address"] : [];
  const hidden = Object.entries(credentials).filter(([, { isPlaceholder }]) => isPlaceholder);
  return [...plain, ...hidden.map(([key]) => key)];
}

function hasText(value: unknown): boolean {
  return Array.isArray(value) ? value.some(hasText) : typeof value === "string" && value.trim() !== "";
}

const addresses = { loopback: "a loopback address", private: "a private address" } as const;

/** Describes how a certain secret was recognized. */
const ways = {
  name: ", as its name indicates",
  place: ", as its position in a known webhook URL indicates",
  prefix: ", as a vendor's prefix or a key's header indicates",
  random: "",
} as const;

const looksRandom = {
  actual: "looks random",
  expected: "a reference, if it is a secret",
  confidence: "likely",
  fix: "If the value is a secret, store it as a secret of the service, and enter a reference such as {{OPS_TOKEN}}. Otherwise, accept the finding with an exception.",
} as const;

/** Finds names and addresses that were hidden because they contain a key or a webhook URL. */
function findTextSecrets({ config }: AuditedChannel) {
  const isHidden = (value: unknown) => [value].flat().some((text) => hiddenText.test(String(text)));
  return filledTexts
    .filter((key) => isHidden(config[key]))
    .map((key) => ({
      field: `config.${key}`,
      actual: "a secret in plain text",
      expected: "no secret",
      fix: fixOfText,
    }));
}

const fixOfText =
  "Anyone who can read the channel can use the secret. Rotate the secret, restrict read access to the channel, or accept the finding.";

/** Reason for a URL that isn't a web address. */
const notRecognized = "it is unknown whether the value contains a secret. Enter a URL";
