import { type AuditedChannel, type Credential, plaintextDiscarded } from "../channel";
import type { Verdict } from "../rule";

/** Checks the URL that a channel calls. Not applicable without one, not evaluable when it is unknown. */
export function checkHook(check: (url: Credential) => Verdict): (channel: AuditedChannel) => Verdict {
  return ({ credentials: { url } }) => {
    // The rule placeholder reports it.
    if (url === undefined || url.isPlaceholder) return undefined;
    const reason = whyUnknown(url);
    return reason === undefined ? check(url) : [{ field: "config.url", reason }];
  };
}

function whyUnknown({ isReference, scheme, secretPart }: Credential): string | undefined {
  if (isReference === undefined) return plaintextDiscarded;
  if (isReference) return "is a reference to a secret, so its address is unknown";
  const isTemplate = scheme === undefined && secretPart !== undefined;
  return isTemplate ? "begins with a reference, so its address is unknown" : undefined;
}

/** Why the host of a URL is unknown, if it is. */
export function whyHostUnknown(url: Credential): string | undefined {
  const isTemplate = url.scheme !== undefined && url.hostClass === undefined;
  return (
    whyUnknown(url) ?? (isTemplate ? "has a reference as its host, so its address is unknown" : undefined)
  );
}
