import { resolve } from "node:path";

// What a run of the tests leaves there must not delay what its user publishes.
process.env["MONITORING_LOCK_DIRECTORY"] = resolve(__dirname, "../node_modules/.cache/monitoring-locks");
