/** Follows the guides and examples for other languages as written, on the real engine. */
import { parse } from "yaml";
import { Page } from "../docs/markdown";
import { followExample, followQuickStart, followTemplate } from "../docs/walkthrough";
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

it.each([
  ["Python", "template-python", "rm -rf venv\n", ["__main__.py", "requirements.txt"]],
  ["YAML", "template-yaml", "", []],
])(
  "the template for %s creates a project that pipelines can preview, and Git ignores its state and packages",
  async (_, template, asInPipeline, files) => {
    const committed = [
      ".github/workflows/status.yml",
      ".gitignore",
      "Pulumi.dev.yaml",
      "Pulumi.yaml",
      ...files,
    ];
    const ran =
      `\`\`\`sh\n${asInPipeline}npx --no monitoring preview --stack dev --output preview.md\n` +
      "git init --quiet\ngit add -A\necho $(git ls-files ':!.*-of-reader*'), no others\n```\n" +
      `\`\`\`text\n${committed.join(" ")}, no others\n\`\`\`\n`;
    await followTemplate({ url: service.sandbox.url }, ran, template);
    expect(service.posts).toEqual([]);
  },
);

/** Returns the program in a language in a section of a guide. */
function extractProgram(guide: string, heading: string, language: string): string {
  const sections = new Page(`docs/guides/${guide}.md`).text.split(/^(?=## )/m);
  const section = sections.find((each) => each.startsWith(`## ${heading}\n`)) ?? "";
  return new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(section)?.[1] ?? "";
}

async function createStackOfGuide(guide: string, heading: string, language: "yaml" | "python") {
  const program = extractProgram(guide, heading, language);
  if (language === "python") return createPythonStack(service.sandbox, program);
  const { resources, outputs } = parse(program) as Record<string, object>;
  return createLanguageStack("yaml", service.sandbox, { resources, outputs });
}

it.each(["yaml", "python"] as const)(
  "the incident in the guide on announcements is opened once and resolved once in %s",
  async (language) => {
    const stack = await createStackOfGuide("announce-a-deployment", "In Python and YAML", language);
    expectSuccess(await stack.up());
    expectSuccess(await stack.up());
    const [{ componentPages }] = service.sandbox.data.accounts;
    const [incident] = componentPages.flatMap(({ incidents }) =>
      incidents.filter(({ name }) => name === "Database upgrade 42"),
    );
    expect(incident?.incidentUpdates.map(({ status }) => status)).toEqual(["RESOLVED", "MONITORING"]);
    expect(service.posts).toHaveLength(2);
  },
);

describe("the components in the guide on other languages", () => {
  it("the components in the guide on other languages publish once in YAML, and return the documented results", async () => {
    const stack = await createStackOfGuide("other-languages", "Components", "yaml");
    expectSuccess(await stack.up());
    expect(await stack.outputs()).toEqual({ warnings: 0, updates: [expect.any(String), expect.any(String)] });
    expect(service.posts).toHaveLength(3);
  });

  it("the components in the guide on other languages are accepted by a preview in Python", async () => {
    const stack = await createStackOfGuide("other-languages", "Components", "python");
    expect(expectSuccess(await stack.preview())).toMatch(/errors: 4$/m);
  });
});
