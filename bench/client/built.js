const path = require("node:path");

const dist = path.resolve(__dirname, "..", "..", "dist");

/** @type {typeof import("../../provider/client")} */
const { MonitoringClient } = require(path.join(dist, "provider", "client"));
/** @type {typeof import("../../sandbox")} */
const { seedData, startSandbox, wellKnown } = require(path.join(dist, "sandbox"));

module.exports = { MonitoringClient, seedData, startSandbox, wellKnown };
