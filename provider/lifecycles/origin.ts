/** The account and service that a resource came from, which the stack remembers beside its properties. */
import { z } from "zod";
import { InvalidInputError } from "../client";
import { type Connection, type Origin } from "../connection";
import { type Properties, type World } from "./lifecycle";

/** Read leniently: a state may have been written by any release. */
const remembered = z.object({ origin: z.object({ host: z.string(), accountId: z.string().optional() }) });

/** The connection to the account that is named there. */
export function connectionOf({ account }: Properties, { connections }: World): Connection {
  return connections.connect(typeof account === "string" ? account : undefined);
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
  if (then.host === now.host && !otherAccount) return;
  const property = then.host === now.host ? "account" : "baseUrl";
  const reason =
    `leads to ${originInWords(now)}, but ${came} ${originInWords(then)}. Nothing was changed. Point the stack back, ` +
    "or forget the resource with `pulumi state delete` to declare it anew";
  throw new InvalidInputError(title, [{ property, reason }]);
}

export function originInWords({ host, accountId }: Origin): string {
  return accountId === undefined ? host : `account ${accountId} on ${host}`;
}
