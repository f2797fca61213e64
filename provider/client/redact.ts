/** Replaces the credentials in an alert channel's `config`, which the service returns in clear text. */
import { type AlertChannel } from "../api";
import {
  type hostClasses,
  isEmpty,
  isMalformedCredential,
  isShownValue,
  type RedactedConfig,
  type RedactedCredential,
} from "../api/credentials";
import { fingerprintOf } from "../api/fingerprint";
import { addressOf, isReference, secretPartOf } from "./references";

/** Empty values stay as they are: they stand for none. */
export function redactConfig(
  { type, config }: Pick<AlertChannel, "type" | "config">,
  accountId?: string,
): RedactedConfig {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      isShownValue(key, value) || isEmpty(value)
        ? value
        : {
            ...redactCredential(value, type, accountId),
            ...(isMalformedCredential(key, value) && { isMalformed: true }),
          },
    ]),
  );
}

function redactCredential(value: unknown, type: string, accountId?: string): RedactedCredential {
  const text = typeof value === "string" ? value : stableJson(value);
  const secretPart = secretPartOf(value);
  return {
    fingerprint: fingerprintOf(text, type, accountId),
    ...urlFacts(text),
    isReference: isReference(text),
    ...(secretPart && { secretPart }),
  };
}

function urlFacts(text: string): Pick<RedactedCredential, "scheme" | "hostClass"> {
  const { scheme, hostname } = addressOf(text) ?? {};
  return { ...(scheme && { scheme }), ...(hostname && { hostClass: hostClassOf(hostname) }) };
}

const loopbackHost = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const privateHost =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|0\.|\[::\]|\[f[cd]|\[fe[89ab])|^[^.:[\]]+$|\.(internal|local|lan|intranet|corp|home\.arpa)$/;

function hostClassOf(hostname: string): (typeof hostClasses)[number] {
  const host = firstHalfOfMapped(hostname) ?? hostname.replace(/\.$/, "");
  if (loopbackHost.test(host)) return "loopback";
  return privateHost.test(host) ? "private" : "public";
}

/** Of an IPv4 address written as IPv6, the first two numbers, which tell the class of the host. */
function firstHalfOfMapped(hostname: string): string | undefined {
  const [, hex] = /^\[::ffff:([0-9a-f]+):[0-9a-f]+\]$/.exec(hostname) ?? [];
  if (hex === undefined) return undefined;
  const half = parseInt(hex, 16);
  return `${half >> 8}.${half & 255}.0.0`;
}

/** JSON with sorted keys, so that equal values have equal text. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
