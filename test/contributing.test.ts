/** Tests that CONTRIBUTING.md is right about packages, and that the steps of its checklists were followed. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { builtInRules, formatNames } from "../audit/public";
import * as commands from "../cli/definitions";
import { operations } from "../provider/api";
import * as objectsOfApi from "../provider/api/objects";
import * as bodies from "../provider/api/requestBodies";
import { lifecycles } from "../provider/lifecycles";
import { lookups } from "../provider/lookups";

const root = resolve(__dirname, "..");
const guide = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  dependencies: Record<string, string>;
};

const section = (title: string): string => guide.split(/^## /m).find((part) => part.startsWith(title)) ?? "";
const firstColumn = (text: string): string[] =>
  [...text.matchAll(/^\| (`.*?) *\|/gm)].flatMap(([, cell = ""]) => cell.replaceAll("`", "").split(", "));

it("CONTRIBUTING.md gives a reason for each runtime dependency, and lists no other", () => {
  expect(firstColumn(section("Runtime dependencies")).sort()).toEqual(Object.keys(dependencies).sort());
});

const readTexts = (place: string): string =>
  place.endsWith("/")
    ? readdirSync(join(root, place), { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
        .join("\n")
    : readFileSync(join(root, place), "utf8");

const listNames = (file: string, pattern: RegExp): string[] =>
  [...readTexts(file).matchAll(pattern)].map(([, name = ""]) => name);

const objects = [...Object.entries<unknown>(objectsOfApi), ...Object.entries<unknown>(bodies)].filter(
  ([name]) => !name.endsWith("List"),
);
const fields = objects.flatMap(([, each]) => (each instanceof z.ZodObject ? Object.keys(each.shape) : []));
const union = (...lists: readonly string[][]) => [...new Set(lists.flat())];
const kinds: Readonly<Record<string, readonly string[]>> = {
  "A new field": union(fields),
  "A new data source": union(
    listNames("sdk/dataSources.ts", /^export const (get\w+): Read</gm),
    Object.keys(lookups),
  ),
  "A new resource": Object.keys(lifecycles),
  "A new component": listNames("sdk/components.ts", /^export class (\w+) extends pulumi\./gm),
  "A new rule": builtInRules.map(({ id }) => id),
  "A new report format": formatNames,
  "A new operation of the API": Object.keys(operations),
  "A new command": Object.keys(commands),
  "A new option of a command": union(...Object.values(commands).map(({ options }) => Object.keys(options))),
};
const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns true if a place contains the file for a name, or mentions the name in a list. */
function has(place: string, name: string): boolean {
  const file = place.replaceAll("<Name>", name).replaceAll("<name>", lower(name));
  if (file !== place)
    return [file, file.replace(/\.ts$/, "/index.ts")].some((each) => existsSync(join(root, each)));
  const text = readTexts(place).replace(/\/\*.*?\*\//gs, "");
  return new RegExp(`\\b(${name}|${kebab(name)})\\b`, place.endsWith(".md") ? "i" : "").test(text);
}

const withIds = new Set<string>(
  Object.values(operations).flatMap(({ name, path }) => (path.includes("{") ? name : [])),
);

/** Steps that apply only under a condition, which the step states. */
const conditions: readonly [words: string, appliesTo: (name: string) => boolean][] = [
  ["for a list", (name) => name.startsWith("list")],
  ["if its path has ids", (name) => withIds.has(name)],
];

describe.each(Object.entries(kinds))("%s: each step of the checklist is done", (title, names) => {
  const list = guide.split(`### ${title}\n`)[1]?.split(/^##/m)[0] ?? "";
  const steps = list.match(/^- \[ \] .*?(?=^- |^$)/gms) ?? [];

  it.each(names)("the step of the checklist is done: %s", (name) => {
    const missing = steps.filter((step) => {
      const places = [...(step.split(":")[0] ?? "").matchAll(/`(.*?)`/g)].map(([, place = ""]) => place);
      const done = places.filter((place) => has(place, name));
      const isForOthers = conditions.some(([words, appliesTo]) => step.includes(words) && !appliesTo(name));
      return !isForOthers && done.length < (step.includes(", or ") ? 1 : places.length);
    });
    expect(missing).toEqual([]);
    expect(steps.length).toBeGreaterThan(2);
  });
});
