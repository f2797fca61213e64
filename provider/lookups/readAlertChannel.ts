/** Reads an alert channel, its credentials as fingerprints. */
import { z } from "zod";
import { type AlertChannel, alertChannel } from "../api";
import type { Id } from "../api/path";
import type { ReadConnections } from "../connection/connections";
import { documentedConfig } from "../credentials/documentedConfig";
import { redactConfig } from "../credentials/redactConfig";
import type { RedactedConfig } from "../credentials/redactedCredential";
import { documented, type Documented } from "../values/documentedFields";

type FoundAlertChannel = Omit<Documented<AlertChannel>, "config"> & {
  config: RedactedConfig;
};

/** The argument that requests credentials. */
export const revealCredentials = z.boolean({ error: "must be true or false" }).optional();

export async function readAlertChannel(
  id: Id,
  args: { readonly account?: string | undefined; readonly revealCredentials?: boolean | undefined },
  connections: ReadConnections,
): Promise<FoundAlertChannel> {
  const { reads, origin } = connections.connect(args.account);
  const found = await reads.alertChannel(id);
  const config = args.revealCredentials
    ? structuredClone(found.config)
    : documentedConfig({ ...found, config: redactConfig(found, origin.accountId) });
  return documented(alertChannel, { ...found, config });
}
