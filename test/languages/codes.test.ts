/** A lost post is sent again by its code, whatever the language of the program. */
import { incidentId, Service, words } from "../engine/service";
import { expectFailure, expectSuccess } from "../engine/stack";
import { createPythonStack, createStackOf } from "./stacks";

const service = new Service();
const { status, description } = words;

const inYaml = () =>
  createStackOf("yaml", service.sandbox, {
    resources: {
      index: { type: "monitoring:IncidentUpdate", properties: { incidentId, status, description } },
    },
  });

const inPython = () =>
  createPythonStack(
    service.sandbox,
    `import pulumi_monitoring as monitoring
monitoring.IncidentUpdate("index", incident_id="${incidentId}", status="${status}", description="${description}")
`,
  );

it.each([
  ["YAML", inYaml],
  ["Python", inPython],
])("in %s", async (_, create) => {
  const stack = await create();
  stack.env["MONITORING_DEADLINE_MS"] = "2000";
  service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
  const lost = await stack.up();
  const [, code = "none"] = /monitoring:resend ([0-9a-f]{8})/.exec(lost.output) ?? [];
  for (const ended of [lost, await stack.up()])
    expectFailure(ended, `run \`pulumi config set monitoring:resend ${code}\`, then \`pulumi up\``);
  expect(service.posts).toHaveLength(1);

  await stack.mustRun("config", "set", "monitoring:resend", code);
  expect(expectSuccess(await stack.up())).toContain("monitoring:resend permits sending it again");
  expectSuccess(await stack.refresh());
  expect(await stack.mustRun("stack", "export")).toContain(`"${incidentId}/${service.newestId}"`);
  expect(service.published()).toHaveLength(1);
});
