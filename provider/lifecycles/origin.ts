/** The account and service that a resource came from, which the stack remembers beside its properties. */
import { z } from "zod";
import { InvalidInputError } from "../client";
import { type Connection, type Origin } from "../connection";
import { type Declared, type Properties, type Context } from "./lifecycle";

/** Read leniently: a state may have been written by any release. */
const remembered = z.object({
  origin: z.object({
    host: z.string(),
    // Release 0.1.0 didn't keep it.
    path: z.string().optional(),
    accountId: z.string().optional(),
  }),
});

/** The connection to the account that is named there. */
export function connectionOf({ account }: Properties, { connections }: Context): Connection {
  return connections.connect(typeof account === "string" ? account : undefined);
}

/** The connection to where a resource came from, also when its account has another name by now. */
export function rememberedConnection(old: Properties, { connections }: Context): Connection {
  const { account } = old;
  const then = remembered.safeParse(old).data?.origin;
  return connections.reconnect(
    typeof account === "string" ? account : undefined,
    (now) => then !== undefined && isSameService(then, now) && then.accountId === now.accountId,
  );
}

/**
 * The connection by which what is declared is compared with what the stack remembers; undefined while its account isn't
 * known. A refresh asks with the declaration of the last `up`, whose account may have another name by now.
 */
export function comparedConnection(
  declared: Declared,
  old: Properties,
  context: Context,
): Connection | undefined {
  if (declared.unknown.has("account")) return undefined;
  return context.afterRefresh ? rememberedConnection(old, context) : connectionOf(declared.known, context);
}

type RememberedOrigin = Omit<Origin, "path"> & Partial<Pick<Origin, "path">>;

function isSameService(then: RememberedOrigin, now: Origin): boolean {
  return then.host === now.host && (then.path ?? now.path) === now.path;
}

/**
 * What would be read or compared elsewhere says nothing about what the stack remembers.
 *
 * @param came How the resource came from its origin, such as "it was read from".
 */
export function refuseOtherOrigin(
  title: string,
  old: Properties,
  { origin: now }: Connection,
  came: string,
): void {
  const then = remembered.safeParse(old).data?.origin;
  if (!then) return;
  const otherAccount =
    then.accountId !== undefined && now.accountId !== undefined && then.accountId !== now.accountId;
  if (isSameService(then, now) && !otherAccount) return;
  const property = isSameService(then, now) ? "account" : "baseUrl";
  const reason =
    `leads to ${originInWords(now)}, but ${came} ${originInWords(then)}. Nothing was changed. Point the stack back, ` +
    "or forget the resource with `pulumi state delete` to declare it anew";
  throw new InvalidInputError(title, [{ property, reason }]);
}

export function originInWords({ host, path = "/", accountId }: RememberedOrigin): string {
  const service = path === "/" ? host : host + path;
  return accountId === undefined ? service : `account ${accountId} on ${service}`;
}
