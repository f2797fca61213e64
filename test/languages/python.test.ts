/** Programs in Python, with the generated SDK. */
import { expectSuccess } from "../engine/stack";
import { sandboxWith } from "../sandbox/sandboxes";
import { schemaExamples } from "./schemaExamples";
import { createPythonStack } from "./stacks";

it("says at run time what each class is for, by the names of Python, and lists no helper types", async () => {
  const stack = await createPythonStack(
    await sandboxWith(),
    `
import pulumi
import pulumi_monitoring as monitoring
pulumi.export("package", monitoring.__doc__)
pulumi.export("update", monitoring.IncidentUpdate.__doc__)
pulumi.export("names", [name for name in dir(monitoring) if name.endswith("Dict") or "Expectation" in name])
pulumi.export("entry", "IncidentTimelineEntryArgs" in dir(monitoring))`,
  );
  expectSuccess(await stack.up());
  expect(await stack.outputs()).toEqual({
    package: expect.stringContaining("status-page incident updates"),
    update: expect.stringMatching(
      /^\s+Publishes an update .*unless `depends_on` orders them\.\n.*incident_id="/s,
    ),
    names: [],
    entry: true,
  });
});

it("runs every example of the schema, as one program", async () => {
  const program = schemaExamples("python")
    .map(([, text]) => text)
    .join("\n");
  const stack = await createPythonStack(await sandboxWith(), program);
  const declared = program.match(/ = monitoring\.[A-Z]|IncidentTimelineEntryArgs\(/g) ?? [];
  expect(expectSuccess(await stack.preview())).toContain(`+ ${declared.length + 1} to create`);
});
