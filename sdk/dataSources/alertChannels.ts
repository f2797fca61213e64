/** Alert channels by id, or by the name that the configuration gives them. */
import { InvalidInputError } from "../../provider/client/errors";
import type { Id } from "../../provider/client/path";
import { allConnections, connect } from "../connection";
import { alertChannel } from "../fromApi";
import type { AlertChannel } from "../types";

/** How the credentials in a channel's settings are given. */
export type Credentials = "fingerprinted" | "revealed";

export async function readAlertChannel(
  id: Id,
  account: string | undefined,
  credentials: Credentials,
): Promise<AlertChannel> {
  const { client, origin } = await connect(account);
  const { redactConfig } = await import("../../provider/client/redact");
  const found = await client.getAlertChannel(id);
  return alertChannel(
    found,
    credentials === "revealed" ? found.config : redactConfig(found, origin.accountId),
  );
}

/** The ids of channels that have these names; of all that have one, when no names are given. */
export async function idsByName(title: string, names: readonly string[] | undefined): Promise<Id[]> {
  const { alertChannels } = await allConnections();
  const existing = Object.keys(alertChannels);
  const candidates =
    existing.length === 0 ? "monitoring:alertChannels is not set" : `there are: ${existing.join(", ")}`;
  const wanted = names ?? existing;
  const unknown = wanted.filter((name) => !Object.hasOwn(alertChannels, name));
  if (wanted.length === 0 || unknown.length > 0) {
    const problems = unknown.map((name) => ({
      property: "name",
      reason: `"${name}" is not configured; ${candidates}`,
    }));
    throw new InvalidInputError(
      title,
      problems.length > 0 ? problems : [{ property: "ids", reason: `must be given, because ${candidates}` }],
    );
  }
  return wanted.flatMap((name) => alertChannels[name] ?? []);
}
