/** The guides and examples for the other languages work as they are written, on the real engine. */
import { parse } from "yaml";
import { Page } from "../docs/markdown";
import { followExample, followQuickStart } from "../docs/walkthrough";
import { Service } from "../engine/service";
import { expectSuccess } from "../engine/stack";
import { createPythonStack, createLanguageStack } from "./stacks";

const service = new Service();

it.each(["YAML", "Python"] as const)(
  "the quick start in %s leads from an empty folder to one posted update",
  async (language) => {
    const events = { "the service is configured": () => undefined };
    await followQuickStart(language, { url: service.sandbox.url, events });
    expect(service.posts).toHaveLength(1);
  },
);

it.each(["python", "yaml"])("the example in %s posts its update once", async (name) => {
  await followExample(name, service.sandbox);
  expect(service.posts).toHaveLength(1);
});

describe("the components in the guide of other languages", () => {
  const [, section = ""] =
    /^## Components\n(.*?)^## /ms.exec(new Page("docs/guides/other-languages.md").text) ?? [];
  const extractProgram = (language: string): string =>
    new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(section)?.[1] ?? "";

  it("the components in the guide of other languages publish once in YAML, and return what the guide says", async () => {
    const { resources, outputs } = parse(extractProgram("yaml")) as Record<string, object>;
    const stack = await createLanguageStack("yaml", service.sandbox, { resources, outputs });
    expectSuccess(await stack.up());
    expect(await stack.outputs()).toEqual({ warnings: 0, updates: [expect.any(String), expect.any(String)] });
    expect(service.posts).toHaveLength(3);
  });

  it("the components in the guide of other languages are accepted by a preview in Python", async () => {
    const stack = await createPythonStack(service.sandbox, extractProgram("python"));
    expect(expectSuccess(await stack.preview())).toMatch(/errors: 4$/m);
  });
});
