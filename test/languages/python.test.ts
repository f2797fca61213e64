/** Programs in Python, with the generated SDK. */
import { expectSuccess } from "../engine/stack";
import { sandboxWith } from "../sandbox/sandboxes";
import { schemaExamples } from "./schemaExamples";
import { createPythonStack } from "./stacks";

it("runs every example of the schema, as one program", async () => {
  const program = schemaExamples("python")
    .map(([, text]) => text)
    .join("\n");
  const stack = await createPythonStack(await sandboxWith(), program);
  const declared = program.match(/ = monitoring\.[A-Z]|IncidentTimelineEntryArgs\(/g) ?? [];
  expect(expectSuccess(await stack.preview())).toContain(`+ ${declared.length + 1} to create`);
});
