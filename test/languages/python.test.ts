/** Programs in Python, with the generated SDK. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../tools/setup/run";
import { expectSuccess, repository } from "../engine/stack";
import { sandboxWith } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";
import { schemaExamples } from "./schemaExamples";
import { createPythonStack, pythonPath } from "./stacks";

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
      /^\s+Publishes an update .*elsewhere as `depends_on` says\.\n.*incident_id="/s,
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

it("has types: mypy accepts the quick start and every example of the schema, and finds a misspelled argument", async () => {
  const folder = temporaryFolder();
  const PYTHONPATH = await pythonPath();
  const mypy = (file: string) =>
    run("python3", ["-m", "mypy", "--strict", file], { cwd: folder, env: { ...process.env, PYTHONPATH } });
  cpSync(join(repository, "examples", "python", "__main__.py"), join(folder, "quick_start.py"));
  for (const [name, text] of schemaExamples("python"))
    writeFileSync(join(folder, `${name}_example.py`), text);
  expectSuccess(await mypy("."));
  writeFileSync(
    join(folder, "wrong.py"),
    'import pulumi_monitoring\npulumi_monitoring.IncidentUpdate("x", incident_id="1", status="RESOLVED", text="It is over.")\n',
  );
  expect(await mypy("wrong.py")).toMatchObject({ ok: false, output: expect.stringContaining('"text"') });
});
