/** The processes of a run on the real engine. */
const { descendantsOf, signalIfThere } = require("../scripts/processes");

/** @typedef {import("../scripts/processes").Process} Process */

/** Those that serve dynamic resources: their last argument is the engine's address. @param {Process[]} processes */
function providersAmong(processes) {
  return processes.filter(({ command }) => /dynamic-provider.* 127\.0\.0\.1:\d+/.test(command));
}

/** Ends this process and all its descendants: a killed engine leaves its own running. */
function endWhatRuns() {
  for (const { pid } of descendantsOf(process.pid)) signalIfThere(pid, "SIGKILL");
  process.exit(130);
}

module.exports = { endWhatRuns, providersAmong };
