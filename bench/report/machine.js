const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { version: engine } = require("../../scripts/engine/pinned");
const { root } = require("../../scripts/setup");

/** The machine of the measurement. */
function machine() {
  const [processor] = os.cpus();
  return {
    cores: os.availableParallelism(),
    processor: processor?.model.trim() ?? "unknown",
    memoryGB: Math.round(os.totalmem() / 1e9),
    system: `${os.type()} ${os.arch()}`,
    /** Load average of the last minute. */
    load: os.loadavg()[0] ?? 0,
  };
}

/** Versions of the measured package and of the tools. */
function versions() {
  return {
    "pulumi-monitoring-service": versionIn(root),
    node: process.versions.node,
    pulumi: engine,
    "@pulumi/pulumi": versionOf("@pulumi/pulumi"),
    axios: versionOf("axios"),
  };
}

/** @param {string} name of an installed package */
function versionOf(name) {
  return versionIn(path.join(root, "node_modules", name));
}

/** @param {string} folder @returns {string} */
function versionIn(folder) {
  return JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")).version;
}

module.exports = { machine, versions };
