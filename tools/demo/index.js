require("../setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { prepare, root } = require("../setup");
const { command, SetupFailure } = require("../setup/run");
const { PulumiCli } = require("../pulumi");

/** @typedef {import("../../sandbox").Sandbox} Sandbox */
/** @typedef {import("../setup/engine").Engine} Engine */

const stack = "npm-demo";
const usualPort = 4010;

const next =
  "\nThe service of the demo has ended. Next: `npm run sandbox` starts it again, with its status page; README.md goes on " +
  'under "Run it step by step".';

/** `npm run demo`: runs a real `pulumi up` of the project in the root against the embedded service. */
command(async () => {
  const engine = await prepare();
  /** @type {typeof import("../../sandbox")} */
  const { startSandbox, wellKnown } = require(path.join(root, "dist", "sandbox"));
  const sandbox = await startSandbox({ port: usualPort }).catch(() => startSandbox({ port: 0 }));
  try {
    console.log(
      `The service runs at ${sandbox.url}; Pulumi ${engine.version} declares an incident update to it.\n`,
    );
    const incidentId = wellKnown.statusPageIncidents.checkoutLatency;
    // The settings are the same as in README.md.
    const outputs = await up(engine, {
      "monitoring:baseUrl": sandbox.url,
      "monitoring:accountId": sandbox.accountId,
      "monitoring:apiKey!": sandbox.apiKey,
      "monitoring:alertChannels": JSON.stringify({ "on-call": wellKnown.alertChannels.onCall }),
    });
    console.log(lastScreen(sandbox, incidentId, outputs));
    if (staysOpen()) await untilKeyPressed(sandbox);
  } finally {
    await sandbox.close();
  }
  console.log(next);
});

/**
 * Runs `pulumi up` on a new stack. Its state and settings are in a folder of the clone that Git ignores.
 * @param {Engine} engine
 * @param {Record<string, string>} settings of examples/quickstart
 * @returns {Promise<string>} the stack's outputs
 */
async function up(engine, settings) {
  const folder = path.join(root, ".demo");
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);
  const pulumi = new PulumiCli(engine, root, folder);
  // The lock directory is removed with the folder, because the next demo's sandbox doesn't contain this demo's updates.
  pulumi.env["MONITORING_LOCK_DIRECTORY"] = path.join(folder, "locks");
  const settingsFile = path.join(folder, `Pulumi.${stack}.yaml`);
  const inStack = ["--stack", stack, "--config-file", settingsFile];
  await pulumi.mustRun("stack", "init", stack, "--no-select");
  // `stack init` writes the stack's settings next to Pulumi.yaml and ignores --config-file.
  fs.renameSync(path.join(root, `Pulumi.${stack}.yaml`), settingsFile);
  await pulumi.configure(settings, ...inStack);
  const code = await pulumi.runInTerminal("up", ...inStack, "--yes", "--skip-preview");
  if (code !== 0)
    throw new SetupFailure(`pulumi up ended with exit code ${code}: what went wrong is told above.`);
  return pulumi.mustRun("stack", "output", "--stack", stack);
}

/** @param {Sandbox} sandbox @param {string} incidentId @param {string} outputs */
function lastScreen(sandbox, incidentId, outputs) {
  const { name, incidentUpdates } = sandbox.incident(incidentId);
  const [update] = incidentUpdates;
  if (!update || !sandbox.requests.some(({ method, applied }) => method === "POST" && applied))
    throw new SetupFailure("pulumi up succeeded, but the service received no update.");
  return [
    `\nPosted to the incident "${name}", as stored by the service:`,
    JSON.stringify(update, null, 2).replace(/^/gm, "  "),
    `Subscribers emailed: ${sandbox.emailsSent(update.id)}`,
    `\n${outputs.trim()}`,
  ].join("\n");
}

/** Returns true if a user is at the terminal. */
function staysOpen() {
  return process.stdin.isTTY && process.stdout.isTTY && !process.argv.includes("--once");
}

/** Waits for any key. In raw mode, that includes Ctrl-C. @param {Sandbox} sandbox */
function untilKeyPressed({ url }) {
  console.log(`\nThe public status page, until you press a key: ${url}/`);
  return new Promise((resolve) => {
    process.stdin.setRawMode(true).once("data", () => {
      process.stdin.setRawMode(false).pause();
      resolve(undefined);
    });
  });
}
