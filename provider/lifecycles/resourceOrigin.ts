/** The account and service of a resource, which the state stores beside its properties. */
import { z } from "zod";
import { formatOrigin, type Origin, originSchema } from "../api/origin";
import { InvalidInputError } from "../client";
import { type Connection } from "../connection/connections";
import { type DeclaredInputs, type Properties, type Context } from "./lifecycle";

const stored = z.object({ origin: originSchema });

/** The connection to the declared account. */
export function connectionOf({ account }: Properties, { connections }: Context): Connection {
  return connections.connect(typeof account === "string" ? account : undefined);
}

/** The connection to the origin of a resource, also when its account has been renamed. */
export function storedConnection(old: Properties, { connections }: Context): Connection {
  const { account } = old;
  const then = stored.safeParse(old).data?.origin;
  return connections.reconnect(
    typeof account === "string" ? account : undefined,
    (now) => then !== undefined && isSameService(then, now) && then.accountId === now.accountId,
  );
}

/**
 * The connection for comparing a declaration with the state; undefined while the account is unknown. A refresh passes
 * the declaration of the last `up`, whose account may have been renamed.
 */
export function comparedConnection(
  declared: DeclaredInputs,
  old: Properties,
  context: Context,
): Connection | undefined {
  if (declared.unknown.has("account")) return undefined;
  return context.afterRefresh ? storedConnection(old, context) : connectionOf(declared.known, context);
}

function isSameService(then: Origin, now: Origin): boolean {
  return then.host === now.host && then.path === now.path;
}

/**
 * @throws InvalidInputError when the connection points to another account or service than the resource's origin, whose
 * objects must not be compared with the state.
 * @param relation How the resource relates to its origin, such as "it was read from".
 */
export function assertOrigin(
  title: string,
  old: Properties,
  { origin: now }: Connection,
  relation: string,
): void {
  const then = stored.safeParse(old).data?.origin;
  if (!then) return;
  const otherAccount =
    then.accountId !== undefined && now.accountId !== undefined && then.accountId !== now.accountId;
  if (isSameService(then, now) && !otherAccount) return;
  const property = isSameService(then, now) ? "account" : "baseUrl";
  const reason =
    `points to ${formatOrigin(now)}, but ${relation} ${formatOrigin(then)}. Nothing was changed. Restore the previous setting, ` +
    "or remove the resource from the state with `pulumi state delete` and declare it again";
  throw new InvalidInputError(title, [{ property, reason }]);
}
