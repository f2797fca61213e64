/** The guides and examples for the other languages work as they are written, on the real engine. */
import { parse } from "yaml";
import { Page } from "../docs/markdown";
import { followExample, followGuide, followQuickStart } from "../docs/walkthrough";
import { Service } from "../engine/service";
import { expectSuccess } from "../engine/stack";
import { createPythonStack, createStackOf } from "./stacks";

const service = new Service();

it.each(["YAML", "Python"] as const)(
  "quick start in %s: from an empty folder to one posted update",
  async (language) => {
    const events = { "the service is configured": () => undefined };
    await followQuickStart(language, { url: service.sandbox.url, events });
    expect(service.posts).toHaveLength(1);
  },
);

it("pulumi-do: what it reads without a program", async () => {
  await followGuide("docs/guides/pulumi-do.md", service.sandbox);
  expect(service.posts).toEqual([]);
});

it.each(["python", "yaml"])("the example in %s posts its update once", async (name) => {
  await followExample(name, service.sandbox);
  expect(service.posts).toHaveLength(1);
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
    const stack = await createStackOf("yaml", service.sandbox, {
      variables: part("variables"),
      resources: part("resources"),
      outputs: part("outputs"),
    });
    expectSuccess(await stack.up());
    expect(await stack.outputs()).toEqual({
      warnings: 0,
      updates: [expect.any(String), expect.any(String)],
      errors: 4,
    });
    expect(service.posts).toHaveLength(3);
  });

  it("has programs in Python that a preview accepts", async () => {
    const stack = await createPythonStack(service.sandbox, programs("python").join("\n"));
    expect(expectSuccess(await stack.preview())).toMatch(/errors: 4$/m);
  });
});
