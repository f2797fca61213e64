/**
 * Defines a call of every operation with arguments that are derived from the operation, so that a new operation needs no row in a test.
 */
import { z } from "zod";
import type { MonitoringClient } from "../../provider/client";
import { type Id, type Operation, operations } from "../../provider/api";
import { edition } from "./services";

type Operations = typeof operations;

/** The operations that list objects in pages with a `nextId`. */
export type ListName = {
  [Name in keyof Operations]: Operations[Name] extends { query: { shape: { nextId: unknown } } }
    ? Name
    : never;
}[keyof Operations];

const all: readonly Operation[] = Object.values(operations);

export const isList = (name: string): name is ListName =>
  all.some(
    ({ name: each, query }) => each === name && query instanceof z.ZodObject && "nextId" in query.shape,
  );

export const listNames: readonly ListName[] = Object.keys(operations).filter(isList);

/** A call that uses one ID for every ID in its path. */
type Call = (client: MonitoringClient, id: Id) => PromiseLike<unknown>;

/** The operations with IDs in their paths, by name. */
export const callsWithIds: Readonly<Record<string, Call>> = createCalls(({ path }) => path.includes("{"));

/** The other operations, which list objects. @param id The cursor of the requested page. */
export const callsOfLists: Readonly<Record<string, Call>> = createCalls(({ path }) => !path.includes("{"));

/** The bodies of the operations whose body isn't an update. */
const bodies: Readonly<Record<string, unknown>> = {
  openComponentPageIncident: { name: "Checkout is down", incidentUpdates: [edition] },
  editComponentPageIncident: { name: "Checkout is down" },
};

function createCalls(isMeant: (operation: Operation) => boolean): Record<string, Call> {
  return Object.fromEntries(
    all.filter(isMeant).map(({ name, path, body }) => [
      name,
      (client, id) => {
        const methods = client as unknown as Record<string, (...args: unknown[]) => PromiseLike<unknown>>;
        const method = methods[name]?.bind(client);
        if (!method) throw new Error(`Add the method ${name} to provider/client/index.ts.`);
        const ids = [...path.matchAll(/\{\w+\}/g)].map(() => id);
        if (ids.length > 0) return method(...ids, ...(body ? [bodies[name] ?? edition] : []));
        return method(isList(name) ? { nextId: id } : {});
      },
    ]),
  );
}
