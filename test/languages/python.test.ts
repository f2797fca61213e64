/** Programs in Python, with the generated SDK. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../tools/setup/run";
import { expectSuccess, repository } from "../engine/stack";
import { sandboxWith } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";
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
    update: expect.stringMatching(/^\s+Publishes an update .*others as `depends_on` says\.\n/s),
    names: [],
    entry: true,
  });
});

/** Has each resource and each function: see "are all in the program" below. */
const everything = join(__dirname, "everything.py");

it("runs a program with every resource and function", async () => {
  const program = readFileSync(everything, "utf8");
  const stack = await createPythonStack(await sandboxWith(), program);
  const declared = program.match(/ = monitoring\.[A-Z]|IncidentTimelineEntryArgs\(/g) ?? [];
  expect(expectSuccess(await stack.preview())).toContain(`+ ${declared.length + 1} to create`);
});

it("are all in the program", async () => {
  const program = `
import pulumi, pulumi_monitoring as monitoring
from pulumi import ComponentResource, CustomResource
def is_resource(value): return isinstance(value, type) and issubclass(value, (ComponentResource, CustomResource))
names = [name for name in dir(monitoring) if name.endswith("_output") or is_resource(getattr(monitoring, name))]
pulumi.export("names", names)`;
  const stack = await createPythonStack(await sandboxWith(), program);
  expectSuccess(await stack.up());
  const { names } = await stack.outputs();
  const used = readFileSync(everything, "utf8");
  for (const name of names as string[])
    if (name !== "Provider") expect(used).toContain(`monitoring.${name}(`);
});

it("has types: mypy accepts the quick start, and every resource and function, and finds a misspelled argument", async () => {
  const folder = temporaryFolder();
  const PYTHONPATH = await pythonPath();
  const mypy = (file: string) =>
    run("python3", ["-m", "mypy", "--strict", file], { cwd: folder, env: { ...process.env, PYTHONPATH } });
  cpSync(join(repository, "examples", "python", "__main__.py"), join(folder, "quick_start.py"));
  cpSync(everything, join(folder, "everything.py"));
  expectSuccess(await mypy("."));
  writeFileSync(
    join(folder, "wrong.py"),
    'import pulumi_monitoring\npulumi_monitoring.IncidentUpdate("x", incident_id="1", status="RESOLVED", text="It is over.")\n',
  );
  expect(await mypy("wrong.py")).toMatchObject({ ok: false, output: expect.stringContaining('"text"') });
});
