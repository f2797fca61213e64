/** The signals by which the engine ends the plugin. */
import { prepareBuild } from "../../tools/setup";
import { until } from "../client/services";
import { plugin } from "../driver/adapters";
import { configOf } from "../driver/drivenProject";
import { ProviderProcess } from "../driver/provider";
import { Service, words } from "../engine/service";

const service = new Service();
const NODE_OPTIONS = `--require ${JSON.stringify(require.resolve("../sigbreak"))}`;

beforeAll(prepareBuild);

it.each<[string, NodeJS.Signals]>([
  ["SIGINT", "SIGINT"],
  ["SIGTERM", "SIGTERM"],
  ["SIGBREAK", "SIGUSR2"],
])("after %s, the engine still hears what became of a post that hangs", async (_, signal) => {
  const provider = await ProviderProcess.start(configOf(service.sandbox), {
    adapter: plugin,
    env: { NODE_OPTIONS },
  });
  service.sandbox.faults.add({ kind: "hang", applied: true, operation: "createIncidentUpdate", times: 1 });
  const urn = `urn:pulumi:test::test::${plugin.typeOf("IncidentUpdate")}::update`;
  const { inputs } = await provider.check(urn, {}, { ...words });
  const created = provider.create(urn, inputs).catch((error: unknown) => error);
  await until(() => service.posts.length > 0);
  await provider.end(signal);
  expect(await created).toMatchObject({
    id: expect.stringMatching(/\/update-[0-9a-f]{16}$/),
    message: expect.stringContaining("may or may not have been applied"),
  });
});
