/** The service and account of an object or a request. */
export interface Origin {
  readonly host: string;
  /** Path between the host and the paths of the API, such as `/tenant`, or `/`. */
  readonly path: string;
  /** Undefined when the key determines it. */
  readonly accountId?: string | undefined;
}

/** As the state holds it: release 0.1.0 stored no path, and an update that is only read is stored without the path `/`. */
export type StoredOrigin = Omit<Origin, "path"> & Partial<Origin>;

/** `account a1 on api.example.com/tenant`. */
export function formatOrigin({ host, path = "/", accountId }: StoredOrigin): string {
  const service = path === "/" ? host : host + path;
  return accountId === undefined ? service : `account ${accountId} on ${service}`;
}
