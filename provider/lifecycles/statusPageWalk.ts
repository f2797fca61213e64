/** One status page: the API has no operation for it, so one walk through the list serves all who look for one. */
import { type StatusPage } from "../client";
import { type Connection } from "../connection";
import { statusPagesPerPage } from "../api";

type Walk = Promise<ReadonlyMap<string, StatusPage>>;

let walks = new WeakMap<Connection, Walk>();

/** The status page, or undefined when the account has none with this id. */
export async function findStatusPage(connection: Connection, id: string): Promise<StatusPage | undefined> {
  const earlier = walks.get(connection);
  const found = (await earlier)?.get(id);
  if (found) return found;
  // It may have been made since that walk began, by another provider of the same run.
  const latest = walks.get(connection);
  const walk = latest && latest !== earlier ? latest : begin(connection);
  return (await walk).get(id);
}

/** What the walks found is out of date. */
export function forgetStatusPages(): void {
  walks = new WeakMap();
}

function begin(connection: Connection): Walk {
  const walk = walkThrough(connection);
  walks.set(connection, walk);
  walk.catch(() => walks.delete(connection));
  return walk;
}

async function walkThrough({ client }: Connection): Walk {
  const pages = new Map<string, StatusPage>();
  for await (const page of client.listStatusPages({ limit: statusPagesPerPage.most }))
    pages.set(page.id, page);
  return pages;
}
