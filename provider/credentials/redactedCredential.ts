/** What replaces a credential: facts about it that don't reveal it. */

/** Where a URL points to: this machine, a private network, or the internet. */
export const hostClasses = ["loopback", "private", "public"] as const;

/** What kind of well-known service a URL leads to. */
export const receiverKinds = [
  "chat",
  "on-call",
  "ticket",
  "status-page",
  "automation",
  "message",
  "data",
  "inspection",
] as const;
/** Kind of well-known service that a URL leads to. */
export type ReceiverKind = (typeof receiverKinds)[number];

/** What the secret part of a credential is, such as the path of a hook's URL or the value of an `Authorization` header. */
export const secretParts = ["literal", "reference", "none"] as const;

/** The hex digits of a fingerprint. */
export const fingerprintLength = 12;

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
