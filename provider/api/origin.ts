/** The service and account of an object, as the state stores it. */
export interface StoredOrigin {
  readonly host: string;
  /** Path between the host and the paths of the API. Release 0.1.0 didn't store it. */
  readonly path?: string | undefined;
  /** Undefined when the key determines it. */
  readonly accountId?: string | undefined;
}

/** `account a1 on api.example.com/tenant`. */
export function formatOrigin({ host, path = "/", accountId }: StoredOrigin): string {
  const service = path === "/" ? host : host + path;
  return accountId === undefined ? service : `account ${accountId} on ${service}`;
}
