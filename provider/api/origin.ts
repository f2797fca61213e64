/** Identifies the service and account of an object or a request, which the state of a resource holds, too. */
import { z } from "zod";

export const originSchema = z.object({
  host: z.string(),
  /** Path between the host and the paths of the API, such as `/tenant`, or `/`. */
  path: z.string(),
  /** Undefined when the key determines it. */
  accountId: z.string().optional(),
});

export type Origin = Readonly<z.output<typeof originSchema>>;

/** @param baseUrl Base URL of the service, with or without slashes at its end. */
export function originOf(baseUrl: string, accountId?: string): Origin {
  const { host, pathname } = new URL(baseUrl);
  return { host, path: pathname.replace(/(?<=.)\/+$/, ""), ...(accountId !== undefined && { accountId }) };
}

/** Formats an origin, such as `account a1 on api.example.com/tenant`. */
export function formatOrigin({ host, path, accountId }: Origin): string {
  const service = path === "/" ? host : host + path;
  return accountId === undefined ? service : `account ${accountId} on ${service}`;
}
