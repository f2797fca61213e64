/** Tests the pages without following them: their programs compile, their files are well-formed, and they quote the code. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseDocument } from "yaml";
import { operations } from "../../provider/api";
import { logVariable } from "../../provider/client/requestLog";
import { settingNames, variables } from "../../provider/connection/environment";
import * as sdk from "../../sdk";
import { writtenPages } from "../../tools/generate/reference/writtenPages";
import { run } from "../../tools/setup/run";
import { folderInRepository, repository } from "../engine/stack";
import { getNouns } from "../../provider/wording";
import { Page, withoutIdsAndTimes } from "./markdown";

/** Pages in the guides and in the reference that are written by hand. */
const guides = [
  ...readdirSync(join(repository, "docs", "guides")).map((name) => `docs/guides/${name}`),
  ...writtenPages().map(({ file }) => `docs/reference/${file}`),
];
const blocks = guides.flatMap((name) => new Page(name).blocks.map((block) => ({ name, ...block })));

/** The files that users read: pages, examples, messages and workflows. */
const texts = execFileSync(
  "git",
  ["-C", repository, "ls-files", "README.md", "docs", "examples", "template*", "cli", ".github"],
  { encoding: "utf8" },
)
  .trim()
  .split("\n")
  .map((name) => ({ name, text: readFileSync(join(repository, name), "utf8") }));

const folder = folderInRepository();

it("guides show programs that compile", async () => {
  const files = blocks.flatMap(({ name, file = "program.ts", language, text }, index) => {
    if (language !== "ts") return [];
    // Each program has its own folder, because a page may show several versions of a file.
    const path = join(folder, `${basename(name, ".md")}-${index}`, file);
    mkdirSync(dirname(path));
    writeFileSync(path, `${text}\nexport {};\n`);
    return path;
  });
  expect(files.length).toBeGreaterThan(0);
  // A page's files import each other, and files that the page's commands write.
  const compilerOptions = {
    rootDirs: files.map((file) => dirname(file)),
    noUncheckedSideEffectImports: false,
  };
  const project = {
    extends: join(repository, "examples", "reference", "tsconfig.json"),
    compilerOptions,
    files,
    include: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  const tsc = join(repository, "node_modules", "typescript-7", "bin", "tsc");
  const { output } = await run(process.execPath, [tsc, "--project", folder]);
  expect(output).toBe("");
});

it("no page lets npx fetch the npm package that has the name of the command", () => {
  const isSafe = ({ text }: { text: string }) => !/npx (?:-y |--yes )?monitoring\b/.test(text);
  expect(texts.filter((each) => !isSafe(each)).map(({ name }) => name)).toEqual([]);
});

it("guides show well-formed YAML and JSON", () => {
  const mistakes = blocks.flatMap(({ language, text }) => {
    // Every JSON file is valid YAML.
    return language === "yaml" || language === "json" ? parseDocument(text).errors : [];
  });
  expect(mistakes).toEqual([]);
});

it.each([
  ["docs/reference/MonitoringClient.md", "examples/reference/MonitoringClient.ts", "## Example"],
  ["README.md", "examples/reference/IncidentUpdate.ts", "<!-- examples/reference/IncidentUpdate.ts -->"],
])("a page shows a program of the tests unchanged: %s", (page, program, mark) => {
  expect(new Page(page).blockAfter(mark)).toBe(readFileSync(join(repository, program), "utf8"));
});

it("README.md shows the last screen of the demo unchanged", () => {
  const demo = execFileSync(process.execPath, ["tools/demo/index.js", "--once"], {
    cwd: repository,
    stdio: "pipe",
  });
  const shown = new Page("README.md").blockAfter("<!-- npm run demo -->");
  expect(withoutIdsAndTimes(demo.toString())).toContain(withoutIdsAndTimes(shown));
});

it("the configuration guide contains every setting that the code reads, and no guide mentions an unknown setting", () => {
  const page = new Page("docs/guides/configuration.md").text;
  for (const variable of Object.values(variables)) expect(page).toContain(`\`${variable}\``);
  const text = guides.map((name) => new Page(name).text).join("\n");
  expect([...Object.values(variables), logVariable]).toEqual(
    expect.arrayContaining(text.match(/MONITORING_[A-Z_]+[A-Z]/g) ?? []),
  );
  const names = [...text.matchAll(/`monitoring:(\w+)`/g)].map(([, key = ""]) => key);
  // In YAML, resources and functions have names of this form as well.
  expect(settingNames).toEqual(expect.arrayContaining(names.filter((key) => !(key in sdk))));
});

it("the client's page lists every operation and every error class of the client, and no other", () => {
  const { text } = new Page("docs/reference/MonitoringClient.md");
  const classes = Object.keys(sdk).filter((name) => name.endsWith("Error") && !name.startsWith("is"));
  const listed = [...text.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(classes.sort());
  for (const name of Object.keys(operations)) expect(text).toContain(`\`${name}\``);
});

/** The parts of a quote that replace a value or join two strings of the code. */
const values =
  /"[^"…]*"|\(HTTP \d+\)|\([A-Z_]+\)|\b\d+\b|MONITORING_\w+|monitoring:\w+|\b(?:sendFailure|readOnly|true|false)\b|: |, but |`/g;

const inOneLine = (text: string): string =>
  text
    .replace(/\\(["`'])/g, "$1")
    .replace(/["'`] \+\s+["'`]/g, "")
    .replace(/\s+/g, " ");

const nouns = new Map<string, string>(Object.entries(getNouns({})));
const withNouns = (text: string): string =>
  text.replace(/\$\{(\w+)\}/g, (placeholder, name: string) => nouns.get(name) ?? placeholder);

/** The sources with an update's nouns inserted, and the snapshots of their modules' tests. */
const said = ["provider", "sdk", "cli", "audit", "plugin", "test"]
  .flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(folder === "test" ? ".snap" : ".ts"))
      .map((name) => withNouns(inOneLine(readFileSync(join(repository, folder, name), "utf8")))),
  )
  .join("\n");

const quoted = [
  ...new Page("docs/guides/troubleshooting.md").text.matchAll(/^### ([^\n]*)\n+```text\n(.*?)```/gms),
].map(([, heading = "", message = ""]): [string, string] => [heading, inOneLine(message)]);

it.each(quoted)("the page on troubleshooting quotes messages of the code: %s", (_, message) => {
  const parts = message
    .replace(values, "…")
    .split("…")
    .map((part) => part.replace(/^[\s:.,()/?-]+|[\s:.,(]+$/g, ""))
    .filter((part) => part.includes(" "));
  expect(parts.filter((part) => !said.includes(part))).toEqual([]);
  expect(parts.length).toBeGreaterThan(0);
});
