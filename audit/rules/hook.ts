import { type AuditedChannel, type Credential, plaintextDiscarded } from "../channel";
import type { Verdict } from "../rule";

/** A check of the address that a channel calls, where it has one and that is known. */
export function hookOf(judge: (url: Credential) => Verdict): (channel: AuditedChannel) => Verdict {
  return ({ credentials: { url } }) => {
    if (url === undefined) return undefined;
    const reason = whyUnknown(url);
    return reason === undefined ? judge(url) : [{ field: "config.url", reason }];
  };
}

function whyUnknown({ isReference }: Credential): string | undefined {
  if (isReference === undefined) return plaintextDiscarded;
  return isReference ? "is a reference to a secret, so its address isn't known" : undefined;
}
