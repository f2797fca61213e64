/** Programs in Python, with the generated SDK. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../tools/setup/run";
import { expectSuccess, repository } from "../engine/stack";
import { sandboxWith } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";
import { createPythonStack, pythonPath } from "./stacks";

/** Has each resource and each function. */
const everything = join(__dirname, "everything.py");
const used = readFileSync(everything, "utf8");

it("says at run time what each class is for, by the names of Python, and lists no helper types", async () => {
  const stack = await createPythonStack(
    await sandboxWith(),
    `
import pulumi
import pulumi_monitoring as monitoring
from pulumi import ComponentResource, CustomResource
def is_resource(value): return isinstance(value, type) and issubclass(value, (ComponentResource, CustomResource))
pulumi.export("package", monitoring.__doc__)
pulumi.export("update", monitoring.IncidentUpdate.__doc__)
pulumi.export("helpers", [name for name in dir(monitoring) if name.endswith("Dict") or "Expectation" in name])
pulumi.export("entry", "IncidentTimelineEntryArgs" in dir(monitoring))
names = [name for name in dir(monitoring) if name.endswith("_output") or is_resource(getattr(monitoring, name))]
pulumi.export("names", names)`,
  );
  expectSuccess(await stack.up());
  const { names, ...said } = await stack.outputs();
  expect(said).toEqual({
    package: expect.stringContaining("status-page incident updates"),
    update: expect.stringMatching(/^\s+Publishes an update .*others as `depends_on` says\.\n/s),
    helpers: [],
    entry: true,
  });
  for (const name of names as string[])
    if (name !== "Provider") expect(used).toContain(`monitoring.${name}(`);
});

it("runs a program with every resource and function, of all channels too", async () => {
  const sandbox = await sandboxWith();
  const stack = await createPythonStack(sandbox, used);
  const declared = used.match(/ = monitoring\.[A-Z]|IncidentTimelineEntryArgs\(/g) ?? [];
  expect(expectSuccess(await stack.preview())).toContain(`+ ${declared.length + 1} to create`);
  const lists = sandbox.requests.filter(({ operation }) => operation === "listAlertChannels");
  // Two pages, and the first one again.
  expect(lists).toHaveLength(3);
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
