/** The guides and examples for the other languages work as they are written, on the real engine. */
import { cpSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { parse } from "yaml";
import { type Sandbox, startSandbox } from "../../sandbox";
import { prepareLanguages } from "../../scripts/languages/index";
import { Page } from "../docs/markdown";
import { followExample, followGuide } from "../docs/walkthrough";
import { installedSdk, pythonArchive } from "./pythonArchive";
import { createStackOf } from "./stacks";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const writes = () => sandbox.requests.filter(({ method }) => method !== "GET");

it("quick start in YAML: from an empty folder to one posted update", async () => {
  await followGuide("docs/guides/quick-start-yaml.md", sandbox);
  expect(writes()).toHaveLength(1);
});

it("quick start in Python: the same, with the SDK of a release", async () => {
  const archive = await pythonArchive();
  await followGuide("docs/guides/quick-start-python.md", {
    url: sandbox.url,
    events: { "the SDK is downloaded": (folder) => cpSync(archive, join(folder, basename(archive))) },
  });
  expect(writes()).toHaveLength(1);
});

it("the command line: what `pulumi do` reads without a program", async () => {
  await followGuide("docs/guides/pulumi-do.md", sandbox);
  expect(writes()).toEqual([]);
});

it.each(["python", "yaml"])("the example in %s posts its update once", async (name) => {
  await followExample(name, sandbox);
  expect(writes()).toHaveLength(1);
});

describe("the guide on components", () => {
  const programs = (language: string): string[] =>
    new Page("docs/guides/components-in-other-languages.md").blocks
      .filter((block) => block.language === language)
      .map(({ text }) => text);

  it("has programs in YAML that publish once, and return what the guide says", async () => {
    const all = programs("yaml").map((text) => parse(text) as Record<string, object>);
    const part = (name: string): object =>
      Object.assign({}, ...all.map((program) => program[name])) as object;
    const stack = await createStackOf("yaml", sandbox, {
      variables: part("variables"),
      resources: part("resources"),
      outputs: part("outputs"),
    });
    try {
      const { ok, output } = await stack.up();
      expect(ok ? "" : output).toBe("");
      expect(await stack.outputs()).toEqual({
        warnings: 0,
        updates: [expect.any(String), expect.any(String)],
        passed: false,
        errors: 4,
      });
      expect(writes()).toHaveLength(3);
    } finally {
      stack.remove();
    }
  });

  it("has programs in Python that a preview accepts", async () => {
    const stack = await createStackOf("python", sandbox);
    try {
      const { python } = await prepareLanguages();
      stack.env["PYTHONPATH"] = [python, await installedSdk(stack.folder)].join(delimiter);
      stack.write("__main__.py", programs("python").join("\n"));
      const { ok, output } = await stack.preview();
      expect(ok ? "" : output).toBe("");
      expect(output).toMatch(/errors: 4$/m);
    } finally {
      stack.remove();
    }
  });
});
