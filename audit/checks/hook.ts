import type { AuditedChannel, Credential } from "../channels/channel";
import { isReferenced, plaintextDiscarded } from "../definition/notEvaluable";
import type { Verdict } from "../definition/rule";

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
  if (isReference) return isReferenced("address");
  const isTemplate = scheme === undefined && secretPart !== undefined;
  return isTemplate ? isReferenced("address", "begins with a reference") : undefined;
}

/** Why the host of a URL is unknown, if it is. */
export function whyHostUnknown(url: Credential): string | undefined {
  const isTemplate = url.scheme !== undefined && url.hostClass === undefined;
  return whyUnknown(url) ?? (isTemplate ? isReferenced("address", "has a reference as its host") : undefined);
}
