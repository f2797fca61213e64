/** Records of a run in plain text, as far as a provider process can tell of them. That it does: test/driver/behaviour.test.ts. */
import { warnOfSecretsInLogs } from "../../provider/engine/process";

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
