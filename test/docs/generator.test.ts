/** The generator of the reference: what it demands of doc comments, and what it notices. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { argumentTable } from "../../scripts/docs/argumentTables";
import { brokenLinks } from "../../scripts/docs/links";
import { Sources } from "../../scripts/model/sources";
import { TypeBook } from "../../scripts/docs/typeBook";
import { resourceFacts } from "../../scripts/model/facts";
import { clone, node, writeIn } from "../scripts/fakePrograms";
import { temporaryFolder } from "../temporaryFolder";

let folder: string;
beforeEach(() => (folder = temporaryFolder()));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeIn(folder, name, text);
}

it("demands a doc comment of each argument, and holds it against what the lifecycle does", () => {
  write({
    "sdk/index.ts": `export interface Args {
      /** Id of the incident. */ incidentId: string;
      /** Whether to mail. Default: true. */ notifySubscribers?: boolean;
      /** Text that the public reads. */ description?: string;
      /** Nothing knows it. Default: 1. */ priority?: number;
      status: string;
    }`,
    "provider/client/index.ts": "export {};",
    "tsconfig.json": "{}",
  });
  symlinkSync(join(clone, "node_modules"), join(folder, "node_modules"), "junction");
  const sources = new Sources(folder);
  const types = new TypeBook(sources, "types.md", "sdk/index.ts");
  const members = sources.membersOf(sources.typeOf(sources.exportOf("sdk/index.ts", "Args")));
  const table = argumentTable(sources, types, members, "Args", resourceFacts(clone, "IncidentUpdate"));
  expect(table).toContain("| `incidentId` | `string` | required | yes | no | Id of the incident. |");
  expect(sources.mistakes).toEqual([
    "Args.notifySubscribers has the default false, which its doc comment doesn't say",
    "Args.description is required by its lifecycle",
    "Args.priority is not known to its lifecycle",
    "Args.status (sdk/index.ts) has no doc comment",
  ]);
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
