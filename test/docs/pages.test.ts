/** What can be told of the pages without running them: their programs compile, their files are well-formed. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { parseDocument } from "yaml";
import { repository } from "../engine/stack";
import { Page } from "./markdown";
import { settingNames, variables } from "../../provider/settingNames";

const guides = readdirSync(join(repository, "docs", "guides")).map((name) => `docs/guides/${name}`);
const blocks = guides.flatMap((name) => new Page(name).blocks.map((block) => ({ name, ...block })));
const inLanguage = (language: string): [name: string, text: string][] =>
  blocks.filter((block) => block.language === language).map(({ name, text }) => [name, text]);

let folder: string;
beforeAll(() => {
  // Packages are found by their names from here upwards.
  const parent = join(repository, ".engine-tests");
  mkdirSync(parent, { recursive: true });
  folder = mkdtempSync(join(parent, "pages-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("show programs whose types are right", () => {
  const programs = blocks.flatMap(({ name, file = "program.ts", language, text }, index) => {
    if (language !== "ts") return [];
    // Each in a folder of its own, because a page may show several versions of a file.
    const path = join(folder, `${basename(name, ".md")}-${index}`, file);
    mkdirSync(dirname(path));
    writeFileSync(path, `${text}\nexport {};\n`);
    return path;
  });
  const project = join(repository, "examples", "reference");
  const { config } = ts.readConfigFile(join(project, "tsconfig.json"), (file) => ts.sys.readFile(file)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, project);
  const mistakes = ts
    // Files of a page import each other.
    .getPreEmitDiagnostics(
      ts.createProgram(programs, { ...options, rootDirs: programs.map((file) => dirname(file)) }),
    )
    .map(({ file, messageText }) => ({
      program: basename(file?.fileName ?? ""),
      mistake: ts.flattenDiagnosticMessageText(messageText, "\n"),
    }));
  expect(mistakes).toEqual([]);
});

const workflows = guides.flatMap((name) =>
  [...new Page(name).text.matchAll(/<!-- \.github\/workflows\/(\S+) -->\n+```yaml\n(.*?)```/gs)].map(
    ([, file = "", text = ""]) => [file, text] as const,
  ),
);

it.each(workflows)("show a workflow that GitHub's own parser takes: %s", async (name, text) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  const checker = join(repository, "test", "examples", "checkWorkflow.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [checker, file]);
  expect(JSON.parse(stdout)).toEqual([]);
});

it.each(inLanguage("yaml"))("show well-formed YAML: %s", (_, text) => {
  expect(parseDocument(text).errors).toEqual([]);
});

it.each(inLanguage("json"))("show well-formed JSON: %s", (_, text) => {
  expect(JSON.parse(text)).toBeInstanceOf(Object);
});

describe("settings", () => {
  const page = new Page("docs/guides/configuration.md").text;

  it.each(Object.values(variables))("that the code reads are in the configuration guide: %s", (variable) => {
    expect(page).toContain(`\`${variable}\``);
  });

  it.each(guides)("that %s names are read by the code", (name) => {
    const { text } = new Page(name);
    for (const variable of text.match(/MONITORING_[A-Z_]+[A-Z]/g) ?? [])
      expect(Object.values(variables)).toContain(variable);
    for (const [, key] of text.matchAll(/`monitoring:(\w+)`/g)) expect(settingNames).toContain(key);
  });
});
