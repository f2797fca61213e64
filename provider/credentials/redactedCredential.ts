/** What replaces a credential: facts about it that don't reveal it. */
import { credentialFingerprint, credentialText } from "./credentialFingerprint";
import { type hostClasses, hostClassOf } from "./hostClass";
import { isPlaceholder } from "./isPlaceholder";
import { receiverAt, type ReceiverKind } from "./receiverHosts";
import { addressOf, isReference } from "./references";
import { isPlaceholderInPairs, secretPartOf, type secretParts } from "./secretPart";
import { isMalformedCredential } from "./settingKinds";

/** Replacement for a credential. Shows whether the credential changed, is shared, or is a URL of a forbidden host. */
export interface RedactedCredential {
  /** 12 hex digits, equal for equal credentials of one account and channel type. */
  fingerprint: string;
  /** Scheme of the URL, such as `https`, if the credential is a URL. */
  scheme?: string;
  /** Where the URL points to: this machine, a private network, or the internet. Missing if its host is a reference. */
  hostClass?: (typeof hostClasses)[number];
  /** Whether it is only a reference to a secret that the service stores, such as `{{OPS_TOKEN}}` or `{{{OPS_TOKEN}}}`. */
  isReference: boolean;
  /**
   * What its secret part is, for a URL, a template, headers, query parameters, and other text that contains a reference:
   * a literal, a reference, or `none` when nothing suggests a secret. A literal beside a reference is a literal, unless its
   * name suggests no secret.
   */
  secretPart?: (typeof secretParts)[number];
  /** What kind of well-known service the URL leads to, such as `chat`. Missing for all others, such as one's own. */
  receiver?: ReceiverKind;
  /** Set when the value is a placeholder that nobody has replaced, such as `YOUR_API_KEY`. */
  isPlaceholder?: true;
  /** Set when the value isn't as documented, such as a URL that is a list, or that has another key. */
  isMalformed?: true;
}

/** `config` with each credential replaced by a {@link RedactedCredential}. */
export type RedactedConfig = Record<string, unknown>;

/** @param type of the channel */
export function redactCredential(
  key: string,
  value: unknown,
  type: string,
  accountId?: string,
): RedactedCredential {
  const text = credentialText(value);
  const secretPart = secretPartOf(key, value);
  return {
    fingerprint: credentialFingerprint(text, type, accountId),
    ...urlFacts(text),
    isReference: isReference(text),
    ...(secretPart && { secretPart }),
    ...((isPlaceholder(key, value) || isPlaceholderInPairs(value)) && { isPlaceholder: true }),
    ...(isMalformedCredential(key, value) && { isMalformed: true }),
  };
}

function urlFacts(text: string): Pick<RedactedCredential, "scheme" | "hostClass" | "receiver"> {
  const { scheme, hostname } = addressOf(text) ?? {};
  const receiver = hostname === undefined ? undefined : receiverAt(hostname);
  return {
    ...(scheme && { scheme }),
    ...(hostname && { hostClass: hostClassOf(hostname) }),
    ...(receiver && { receiver: receiver.kind }),
  };
}
