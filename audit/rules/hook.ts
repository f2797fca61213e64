import { type AuditedChannel, type Credential, plaintextDiscarded } from "../channel";
import type { Verdict } from "../rule";

/** Checks the URL that a channel calls. Not applicable without one, not evaluable when it is unknown. */
export function checkHook(check: (url: Credential) => Verdict): (channel: AuditedChannel) => Verdict {
  return ({ credentials: { url } }) => {
    if (url === undefined) return undefined;
    const reason = whyUnknown(url);
    return reason === undefined ? check(url) : [{ field: "config.url", reason }];
  };
}

function whyUnknown({ isReference }: Credential): string | undefined {
  if (isReference === undefined) return plaintextDiscarded;
  return isReference ? "is a reference to a secret, so its address is unknown" : undefined;
}
