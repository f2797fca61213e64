/** The generator of the reference: what it demands of doc comments, and what it notices. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { argumentTable } from "../../scripts/docs/argumentTables";
import { brokenLinks } from "../../scripts/docs/links";
import { Sources } from "../../scripts/model/sources";
import { TypeBook } from "../../scripts/docs/typeBook";
import { resourceFacts } from "../../scripts/model/facts";
import { clone, node, temporaryFolder, writeIn } from "../scripts/fakePrograms";

let folder: string;
beforeEach(() => (folder = temporaryFolder()));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeIn(folder, name, text);
}

/** The doc comments of a package with this one file. */
function sourcesOf(text: string): Sources {
  write({ "sdk/index.ts": text, "provider/client/index.ts": "export {};", "tsconfig.json": "{}" });
  symlinkSync(join(clone, "node_modules"), join(folder, "node_modules"), "junction");
  return new Sources(folder);
}

/** The arguments of an interface, as its page shows them, and what is wrong with them. */
function argumentsOf(text: string, kind?: string): { table: string; mistakes: string[] } {
  const sources = sourcesOf(text);
  const symbol = sources.exportsOf("sdk/index.ts").get("Args");
  if (!symbol) throw new Error("There is no Args.");
  const types = new TypeBook(sources, "types.md", "sdk/index.ts");
  const members = sources.membersOf(sources.typeOf(symbol));
  const facts = kind === undefined ? undefined : resourceFacts(clone, kind);
  return { table: argumentTable(sources, types, members, "Args", facts), mistakes: sources.mistakes };
}

it("shows type, default and meaning of each argument, and names what has no doc comment", () => {
  const { table, mistakes } = argumentsOf(`
    /** How bad. */ export type Severity = "MAJOR" | "MINOR";
    export interface Args {
      /** Whom to ask. */ name: string;
      /** At least so bad. Default: \`MINOR\`. */ atLeast?: Severity;
      limit?: number;
    }`);
  expect(table.split("\n").slice(2)).toEqual([
    "| `name` | `string` | required | Whom to ask. |",
    "| `atLeast` | [`Severity`](types.md#severity) | `MINOR` | At least so bad. |",
    "| `limit` | `number` | none |  |",
  ]);
  expect(mistakes).toEqual(["Args.limit (sdk/index.ts) has no doc comment"]);
});

it("holds doc comments against what the lifecycle does", () => {
  const { table, mistakes } = argumentsOf(
    `export interface Args {
      /** Id of the incident. */ incidentId: string;
      /** Whether to mail. Default: true. */ notifySubscribers?: boolean;
      /** Text that the public reads. */ description?: string;
      /** Nothing knows it. Default: 1. */ priority?: number;
    }`,
    "IncidentUpdate",
  );
  expect(table).toContain("| `incidentId` | `string` | required | yes | no | Id of the incident. |");
  expect(mistakes).toEqual([
    "Args.notifySubscribers has the default false, which its doc comment doesn't say",
    "Args.description is required by its lifecycle",
    "Args.priority is not known to its lifecycle",
  ]);
});

it("shows the values of a type whose name is exported for another type", () => {
  write({
    "sdk/rules.ts": `
    type Severity = "error" | "warning";
    /** How a rule is set. */ export type Setting = "off" | Severity | { level: Severity };`,
  });
  const sources = sourcesOf(`
    export type { Setting } from "./rules";
    /** How bad. */ export type Severity = "MAJOR" | "MINOR";`);
  const types = new TypeBook(sources, "types.md", "sdk/index.ts");
  types.link(sources.exportOf("sdk/index.ts", "Setting"));
  const [section, ...others] = types.sections();
  expect(section).toContain('type Setting = "off" | "error" | "warning" | { level: "error" | "warning" };');
  expect(others).toEqual([]);
});

it("notices pages that are stale, missing or too many, and fixes them", () => {
  write({ "pages/a.md": "old", "pages/gone.md": "G" });
  const generate = (...flags: string[]) => {
    const script = `require("./scripts/command").command(() => require("./scripts/generated").writeGenerated(
      process.argv[1],
      new Map([["pages/a.md", "A"], ["pages/rules/b.md", "B"]]),
      { command: "npm run docs", parser: "markdown", folder: "pages" },
    ).then((changed) => console.log(changed.join())))`;
    return node(["-e", script, folder, ...flags]);
  };
  const stale = ["pages/gone.md", "pages/a.md", "pages/rules/b.md"];
  const said = stale.map((file) => `${file} is stale: run \`npm run docs\`\n`).join("");
  expect(generate("--check")).toMatchObject({ status: 1, stderr: said });
  expect(generate()).toMatchObject({ status: 0, stdout: `${stale.join()}\n` });
  expect(generate("--check")).toMatchObject({ status: 0, stderr: "" });
});

it("notices links to files and headings that aren't there, and takes no code for a link", () => {
  write({
    "README.md":
      "# Here\n[a](docs/a.md#the-second) [b](docs/b.md) [c](#here) [d](https://example.com/x.md)\n",
    "docs/a.md":
      "## The *first*\n[x](#the-first) [y](../README.md#there)\n```md\n[z](nowhere.md)\n## The second\n```\n",
  });
  expect(brokenLinks(folder)).toEqual([
    "README.md: the link docs/a.md#the-second is broken",
    "README.md: the link docs/b.md is broken",
    "docs/a.md: the link ../README.md#there is broken",
  ]);
});
