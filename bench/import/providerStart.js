const { spawn } = require("node:child_process");
const events = require("node:events");
const path = require("node:path");
const { root } = require("../../scripts/setup");

/** The engine's address, which a provider process asks for when it starts; nothing listens there. */
const engine = "127.0.0.1:1";

const processes = {
  dynamic: require.resolve("@pulumi/pulumi/cmd/dynamic-provider"),
  plugin: path.join(root, "plugin", "pulumi-resource-monitoring"),
};

/**
 * Milliseconds until a provider process prints its port.
 * @param {keyof typeof processes} name
 */
async function providerStart(name) {
  const began = performance.now();
  const child = spawn(process.execPath, [processes[name], engine], {
    cwd: root,
    stdio: ["pipe", "pipe", "ignore"],
  });
  await events.once(child.stdout, "data");
  const took = performance.now() - began;
  // As the engine ends it: a first process of the plugin then leaves its compiled code to the next ones.
  child.kill("SIGTERM");
  await events.once(child, "close");
  return took;
}

module.exports = { providerStart };
