/** Records of a run in plain text, as far as a provider process can tell of them. */
import { warnOfSecretsInLogs } from "../../provider/engine/secretsInLogs";
import { adapters } from "../driver/adapters";
import { DrivenProject } from "../driver/drivenProject";
import { Service, words } from "../engine/service";

const service = new Service();
const address = "127.0.0.1:1";

it.each<[string, string[], NodeJS.ProcessEnv]>([
  ["--tracing or --otel-traces", ["--tracing", "tcp://127.0.0.1:2", address], {}],
  ["PULUMI_DEBUG_GRPC", [address], { PULUMI_DEBUG_GRPC: "messages.json" }],
  ["-v=9", ["--logtostderr", "-v=9", address], {}],
  ["PULUMI_DEBUG_GRPC, -v=9", ["-v=11", address], { PULUMI_DEBUG_GRPC: "messages.json" }],
])("%s is named", (names, args, env) => {
  const told: string[] = [];
  warnOfSecretsInLogs((text) => told.push(text), args, env);
  expect(told).toEqual([
    expect.stringContaining(`Pulumi records this run (${names}): it writes secret texts`),
  ]);
});

it.each<[string, string[], NodeJS.ProcessEnv]>([
  ["an ordinary run", [address], { PULUMI_DEBUG_GRPC: "" }],
  ["a less verbose one", ["--logtostderr", "-v=5", address], {}],
])("%s has no notice", (_, args, env) => {
  const notice = jest.fn();
  warnOfSecretsInLogs(notice, args, env);
  expect(notice).not.toHaveBeenCalled();
});

it.each(adapters)("a provider process prints the notice once, by the $name adapter", async (adapter) => {
  const project = new DrivenProject(adapter, service.sandbox).declare(words, {
    ...words,
    status: "RESOLVED",
  });
  const noticesIn = ({ output }: { output: string }) => output.match(/Pulumi records this run/g) ?? [];
  expect(noticesIn(await project.preview())).toHaveLength(0);
  project.env["PULUMI_DEBUG_GRPC"] = "messages.json";
  expect(noticesIn(await project.preview())).toHaveLength(1);
});
