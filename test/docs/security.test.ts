/** What the security model says about where the key is kept, and about certificates. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { run } from "../../tools/setup/run";
import { wellKnown } from "../../sandbox";
import { send } from "../client/services";
import { serveTls } from "../client/transport/tls";
import { createStack, repository } from "../engine/stack";
import { sandboxWith } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";

it("a key from the environment isn't in the state and the engine's verbose logs, and a configured one is", async () => {
  const sandbox = await sandboxWith();
  const { alertChannels, statusPageIncidents } = wellKnown;
  const description = "A secret description, 7f3a9c";
  const update = { incidentId: statusPageIncidents.cardDeclines, status: "MONITORING" };
  const stack = await createStack({
    program: `
      const description = new (require("@pulumi/pulumi").Config)().requireSecret("description");
      const { AlertChannel, IncidentUpdate } = require("pulumi-monitoring-service");
      new AlertChannel("opsgenie", { channelId: ${alertChannels.opsgenie} });
      new IncidentUpdate("update", { ...${JSON.stringify(update)}, description });`,
    settings: { "test:description!": description },
    env: { MONITORING_BASE_URL: sandbox.url, MONITORING_API_KEY: sandbox.apiKey },
  });
  const messages = join(stack.folder, "messages.json");
  const trace = join(stack.folder, "trace");
  const logs = async (): Promise<string[]> => {
    stack.env["PULUMI_DEBUG_GRPC"] = messages;
    const traced = ["--tracing", `file:${trace}`];
    const { ok, output } = await stack.up("--logtostderr", "-v=9", ...traced);
    delete stack.env["PULUMI_DEBUG_GRPC"];
    expect(ok).toBe(true);
    expect(output).toContain("Pulumi records this run (--tracing or --otel-traces, PULUMI_DEBUG_GRPC)");
    return [output, ...[messages, trace].map((file) => readFileSync(file, "utf8"))];
  };
  for (const log of await logs()) {
    expect(log).not.toContain(sandbox.apiKey);
    expect(log).toContain(description);
  }
  const decrypted = await stack.revealedState();
  expect(decrypted).not.toContain(sandbox.apiKey);
  expect(decrypted).not.toContain("not-a-secret-opsgenie-0001");
  expect(decrypted).toMatch(/"fingerprint": "[0-9a-f]{12}"/);

  await stack.configure({ "monitoring:apiKey!": sandbox.apiKey });
  for (const log of await logs()) expect(log).toContain(sandbox.apiKey);
  expect(await stack.revealedState()).toContain(sandbox.apiKey);
  expect(stack.stateText).not.toContain(sandbox.apiKey);
});

/** Prints the type of a channel, or the reason of a failure. */
const program = `
  const { MonitoringClient } = require("pulumi-monitoring-service/client");
  new MonitoringClient({ baseUrl: process.argv[1], apiKey: "a-key-of-some-length", maxAttempts: 1 })
    .getAlertChannel(1)
    .then(({ type }) => console.log(type), ({ message }) => console.log(message));`;

const certificateAt = (port: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, servername: "localhost", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().raw);
      socket.destroy();
    });
    socket.once("error", reject);
  });

it("certificates of an authority of one's own are trusted by NODE_EXTRA_CA_CERTS, and by nothing less", async () => {
  const { url, port } = await serveTls((response) => send(response, { id: 1, type: "EMAIL", config: {} }));
  const file = join(temporaryFolder(), "authority.pem");
  const base64 = (await certificateAt(port)).toString("base64");
  writeFileSync(file, `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`);
  const said = async (env: Record<string, string>): Promise<string> => {
    const options = { cwd: repository, env: { ...process.env, ...env } };
    return (await run(process.execPath, ["-e", program, url], options)).stdout.trim();
  };

  expect(await said({})).toContain("(DEPTH_ZERO_SELF_SIGNED_CERT)");
  expect(await said({ NODE_TLS_REJECT_UNAUTHORIZED: "0" })).toContain("(DEPTH_ZERO_SELF_SIGNED_CERT)");
  expect(await said({ NODE_EXTRA_CA_CERTS: file })).toBe("EMAIL");
});
