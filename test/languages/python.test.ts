/** Programs in Python, with the generated SDK. */
import { delimiter, join } from "node:path";
import { type Sandbox, startSandbox } from "../../sandbox";
import { prepareLanguages } from "../../scripts/languages/index";
import { run } from "../../scripts/setup/run";
import type { Stack } from "../engine/stack";
import { pythonArchive } from "./pythonArchive";
import { schemaExamples } from "./schemaExamples";
import { createStackOf } from "./stacks";

let sandbox: Sandbox;
let stack: Stack;

beforeEach(async () => {
  sandbox = await startSandbox();
  stack = await createStackOf("python", sandbox);
});
afterEach(async () => {
  stack.remove();
  await sandbox.close();
});

it("runs every example of the schema, as one program", async () => {
  const { python } = await prepareLanguages();
  const packages = join(stack.folder, "packages");
  const installed = await run(
    "python3",
    ["-m", "pip", "install", "--target", packages, "--no-deps", await pythonArchive()],
    { env: process.env },
  );
  expect(installed.ok ? "" : installed.output).toBe("");
  stack.env["PYTHONPATH"] = [python, packages].join(delimiter);
  const programs = schemaExamples("python").map(([name, text]) => `# ${name}\n${text}`);
  stack.write("__main__.py", programs.join("\n"));

  const { ok, output } = await stack.preview();
  const declared = programs.filter((program) => /^# [A-Z]/.test(program));
  expect(ok ? "" : output).toBe("");
  expect(output).toContain(`+ ${declared.length + 1} to create`);
});
