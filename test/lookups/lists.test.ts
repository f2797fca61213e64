/** Every list is read with all its pages: by the client, and by each lookup of such a list, which reads it once. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { pageSize } from "../../provider/api/objects";
import { operations } from "../../provider/api/operations";
import { MonitoringClient } from "../../provider/client";
import { lookups } from "../../provider/lookups";
import { type Lookup, runLookup } from "../../provider/lookups";
import { type ListName, listNames } from "../client/everyCall";
import { clientOf, send, serve } from "../client/services";
import { sandboxWith } from "../sandbox/sandboxes";
import { connectionsTo } from "./connectionsTo";

const count = 250;

/** A service with so many of the objects that the sandbox lists, and the cursors of the pages that were read. */
async function serviceOf(name: ListName) {
  const sandbox = await sandboxWith();
  const { entries } = await new MonitoringClient({ apiKey: sandbox.apiKey, baseUrl: sandbox.url })[name]();
  const [entry] = entries;
  if (!entry) throw new Error(`The sandbox has no objects of ${name}.`);
  const all = Array.from({ length: count }, (_, index) => ({
    ...entry,
    id: typeof entry.id === "number" ? index : `id-${index}`,
  }));
  const { path } = operations[name];
  const read: string[] = [];
  const service = await serve((response, { url }) => {
    const { pathname, searchParams } = new URL(url, "http://a");
    if (pathname !== path) throw new Error(`${pathname} was requested.`);
    const cursor = searchParams.get("nextId") ?? "0";
    read.push(cursor);
    const end = Number(cursor) + Number(searchParams.get("limit") ?? pageSize.usual);
    const page = all.slice(Number(cursor), end);
    send(response, { entries: page, length: page.length, nextId: end < count ? String(end) : null });
  });
  return { service, all, read };
}

/** The cursors of all pages, each once. */
const pages = (limit: number = pageSize.most) =>
  Array.from({ length: Math.ceil(count / limit) }, (_, index) => String(index * limit));

describe.each(listNames)("%s", (name) => {
  test.each([undefined, 99])("the client reads every page; limit: %s", async (limit) => {
    const { service, all, read } = await serviceOf(name);
    const entries: object[] = [];
    for await (const entry of clientOf(service).client[name]({ limit })) entries.push(entry);
    expect(entries).toEqual(all);
    expect(read).toEqual(pages(limit ?? pageSize.usual));
  });
});

const allLookups: Readonly<Record<string, Lookup<z.ZodRawShape, object>>> = lookups;

const dataSources = readFileSync(join(__dirname, "../../sdk/dataSources.ts"), "utf8");

/** Each lookup with the list that its documentation says it reads. */
const ofLists = Object.entries(allLookups).flatMap(([lookupName, lookup]) => {
  const [, text = ""] =
    new RegExp(`/\\*\\*((?:(?!\\*/).)*)\\*/\\nexport (?:async )?function ${lookupName}\\(`, "s").exec(
      dataSources,
    ) ?? [];
  return listNames
    .filter((name) => text.includes(`operation \`${name}\``))
    .map((name) => ({ lookupName, lookup, name }));
});

test.each(ofLists)("$lookupName reads every page of $name, and each once", async ({ lookup, name }) => {
  const { service, all, read } = await serviceOf(name);
  const connections = connectionsTo(service);
  // What selects one object selects the last of all.
  const last = new Map(Object.entries(all.at(-1) ?? {}));
  const [selector] = lookup.exactlyOneOf ?? [];
  const args = selector === undefined ? {} : { [selector]: last.get(selector) };
  const first = await runLookup(lookup, args, { connections });
  expect(await runLookup(lookup, args, { connections })).toEqual(first);
  expect(read).toEqual(pages());
});

test("every list has a lookup", () => {
  const read: readonly string[] = ofLists.map(({ name }) => name);
  expect(listNames.filter((name) => !read.includes(name))).toEqual([]);
});
