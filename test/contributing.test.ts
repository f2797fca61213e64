/** What CONTRIBUTING.md says is so. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as kinds from "../provider/dynamic";

const root = resolve(__dirname, "..");
const guide = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const { dependencies, devDependencies, scripts } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
) as Record<"dependencies" | "devDependencies" | "scripts", Record<string, string>>;

const section = (title: string): string => guide.split(/^## /m).find((part) => part.startsWith(title)) ?? "";
const firstColumn = (text: string): string[] =>
  [...text.matchAll(/^\| (`.*?) *\|/gm)].flatMap(([, cell = ""]) => cell.replaceAll("`", "").split(", "));

it("gives each runtime dependency its reason, and no other", () => {
  expect(firstColumn(section("Runtime dependencies")).sort()).toEqual(Object.keys(dependencies).sort());
});

it("gives reasons for pins of packages that are used", () => {
  const pinned = firstColumn(section("Pinned versions"));
  expect(Object.keys({ ...dependencies, ...devDependencies })).toEqual(expect.arrayContaining(pinned));
  expect(pinned.length).toBeGreaterThan(0);
});

it("has a line for each folder", () => {
  const told = firstColumn(section("Folders and dependencies"));
  expect(told.filter((room) => !existsSync(join(root, room)))).toEqual([]);
  const { include } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8")) as { include: string[] };
  const rooms = include.filter((room) => !room.includes("*"));
  expect(rooms.filter((room) => !told.some((each) => each.split("/")[0] === room.split("/")[0]))).toEqual([]);
});

// The one that writes is a folder of its own.
const observed = Object.keys(kinds).filter((kind) => kind !== "IncidentUpdate");
const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

it.each([
  ...observed.map((kind) => ["A new resource", kind]),
  ["A new data source", "GetIncident"],
  ["A new component", "OpenIncidentGate"],
  ["A new rule", "SingleRecipient"],
  ["A new report format", "Junit"],
  ["A new operation of the API", ""],
])("%s: lists files that exist, such as those of %s", (title, name) => {
  const places = section(title).matchAll(/`([\w./]*(?:<\w+>)?[\w./]*)`/g);
  const files = [...places].flatMap(([, place = ""]) => (place.includes("/") ? [place] : []));
  const absent = files
    .map((file) => file.replace("<Name>", name).replace(/<(name|rule|format)>/, lower(name)))
    .filter((file) => !existsSync(join(root, file)));
  expect(files.length).toBeGreaterThan(2);
  expect(absent).toEqual([]);
});

it("names commands that exist", () => {
  const named = [...guide.matchAll(/npm run ([a-z]+)/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  expect(new Set(named).size).toBeGreaterThan(4);
});
