/** Programs in Python, with the generated SDK. */
import { delimiter } from "node:path";
import { type Sandbox, startSandbox } from "../../sandbox";
import { prepareLanguages } from "../../scripts/languages/index";
import type { Stack } from "../engine/stack";
import { installedSdk } from "./pythonArchive";
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
  stack.env["PYTHONPATH"] = [python, await installedSdk(stack.folder)].join(delimiter);
  const program = schemaExamples("python")
    .map(([, text]) => text)
    .join("\n");
  stack.write("__main__.py", program);

  const { ok, output } = await stack.preview();
  const declared = program.match(/ = monitoring\.[A-Z]|IncidentTimelineEntryArgs\(/g) ?? [];
  expect(ok ? "" : output).toBe("");
  expect(output).toContain(`+ ${declared.length + 1} to create`);
});
