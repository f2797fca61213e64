const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { findGo } = require("../../scripts/engine/go");
const { lastLines } = require("../../scripts/setup/run");
const { root } = require("../../scripts/setup");

/**
 * Builds the no-op plugin, a native provider in Go, which is the fastest that the engine knows.
 * @returns {Promise<string>} the folder to be put on PATH
 */
async function noopPlugin() {
  const module = path.join(__dirname, "noop");
  const bin = path.join(root, "dist", ".noop");
  fs.mkdirSync(bin, { recursive: true });
  const go = await findGo(module, bin, {
    HOME: os.homedir(),
    ...process.env,
    CGO_ENABLED: "0",
    GOWORK: "off",
  });
  const file = path.join(bin, `pulumi-resource-noop${process.platform === "win32" ? ".exe" : ""}`);
  const { ok, output } = await go(["build", "-trimpath", "-o", file, "."], { cwd: module });
  if (!ok) throw new Error(`The no-op plugin doesn't build: ${lastLines(output)}`);
  return bin;
}

module.exports = { noopPlugin };
