/** Tests the generated Python SDK. guides.test.ts runs programs that use it. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../tools/setup/run";
import { expectSuccess, repository } from "../engine/stack";
import { temporaryFolder } from "../temporaryFolder";
import { pythonPath } from "./stacks";

/** Runs Python with the SDK in a folder. */
const python = async (cwd: string, ...args: string[]) =>
  run("python3", args, { cwd, env: { ...process.env, PYTHONPATH: await pythonPath() } });

it("the SDK describes each class at run time, with Python's names, and lists no helper types", async () => {
  const said = expectSuccess(
    await python(
      temporaryFolder(),
      "-c",
      `import pulumi_monitoring as monitoring
print([name for name in dir(monitoring) if name.endswith("Dict") or "Expectation" in name], "IncidentTimelineEntryArgs" in dir(monitoring))
print(monitoring.__doc__, monitoring.IncidentUpdate.__doc__)`,
    ),
  );
  expect(said).toMatch(
    /^\[\] True\n.*status-page incident updates.*In all other cases, set the order with `depends_on`\.\n/s,
  );
});

it("the SDK has types, so that mypy accepts the quick start and finds a misspelled argument", async () => {
  const folder = temporaryFolder();
  cpSync(join(repository, "examples", "python", "__main__.py"), join(folder, "quick_start.py"));
  expectSuccess(await python(folder, "-m", "mypy", "--strict", "quick_start.py"));
  writeFileSync(
    join(folder, "wrong.py"),
    'import pulumi_monitoring\npulumi_monitoring.IncidentUpdate("x", incident_id="1", status="RESOLVED", text="It is over.")\n',
  );
  const wrong = await python(folder, "-m", "mypy", "--strict", "wrong.py");
  expect(wrong).toMatchObject({ ok: false, output: expect.stringContaining('"text"') });
});
