/** Who receives what a channel sends. */
import type { AuditedChannel } from "../channels/channel";
import { normalizePhoneNumber } from "./targets";

interface Recipient {
  /** Equal for equal recipients. */
  readonly key: string;
  readonly field: string;
  readonly what: "mailbox" | "phone";
}

/** The one person who receives it; undefined for services, chats, groups and roles, which more than one person reads. */
export function personOf({ config: { address, number } }: AuditedChannel): Recipient | undefined {
  if (typeof address === "string") {
    if (isRole(address)) return undefined;
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

/** Whether a mailbox is one of a role or a group. */
function isRole(address: string): boolean {
  const [local = "", domain = ""] = address.trim().toLowerCase().replace(/^.*</, "").split("@");
  if (/^(?:googlegroups|groups)\.|(?:^|\.)(?:lists?|groups?)\./.test(domain)) return true;
  const words = local.split(/[^a-z]+/);
  return local.includes("on-call") || words.some((word) => roles.has(word));
}
