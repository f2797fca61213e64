/** Alert channels by id, or by the name that the configuration gives them. */
import { InvalidInputError } from "../../provider/client/errors";
import type { Id } from "../../provider/api/path";
import { allConnections, connect } from "../connection";
import type { AlertChannel } from "../types";
import type { Kind, Signature } from "./arguments";
import { NoMatchError } from "./lookupErrors";

/** How the credentials in a channel's settings are given. */
export type Credentials = "fingerprinted" | "revealed";

/** Who asks for credentials says so with `true`, and with nothing that is only like it. */
export function signatureFor(credentials: Credentials, signature: Signature): Signature {
  if (credentials === "fingerprinted") return signature;
  const revealCredentials: Kind = (value) => (value === true ? undefined : "must be true or false");
  return { ...signature, takes: { ...signature.takes, revealCredentials } };
}

export async function readAlertChannel(
  id: Id,
  account: string | undefined,
  credentials: Credentials,
): Promise<AlertChannel> {
  const { client, origin } = await connect(account);
  const { redactConfig } = await import("../../provider/client/redact");
  const { alertChannel } = await import("../documented");
  const found = await client.getAlertChannel(id);
  const config = credentials === "revealed" ? found.config : redactConfig(found, origin.accountId);
  return alertChannel({ ...found, config });
}

/** The ids of channels that have these names; of all that have one, when no names are given. */
export async function idsByName(title: string, names: readonly string[] | undefined): Promise<Id[]> {
  const { alertChannels } = await allConnections();
  const existing = Object.keys(alertChannels);
  if (names === undefined && existing.length === 0) {
    const reason = "must be given, because monitoring:alertChannels is not set";
    throw new InvalidInputError(title, [{ property: "ids or names", reason }]);
  }
  const missing = names?.filter((name) => !existing.includes(name)) ?? [];
  if (missing.length > 0) {
    const named = missing.map((name) => `"${name}"`).join(", ");
    throw new NoMatchError(`${title} with name ${named} in monitoring:alertChannels`, existing);
  }
  return (names ?? existing).flatMap((name) => alertChannels[name] ?? []);
}
