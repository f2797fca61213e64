/** The processes that a run of the real engine is made of. */
const { execFileSync } = require("node:child_process");

/** @typedef {{pid: number, parent: number, command: string}} Process */

/** What a process has started, and what that has. @param {number} ancestor @returns {Process[]} */
function descendantsOf(ancestor) {
  const table = execFileSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const processes = table.split("\n").flatMap((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
  /** @param {number} parent @returns {Process[]} */
  const childrenOf = (parent) =>
    processes.flatMap((each) => (each.parent === parent ? [each, ...childrenOf(each.pid)] : []));
  return childrenOf(ancestor);
}

/** Those that serve dynamic resources; a shell stands between them and the engine. @param {Process[]} processes */
function providersAmong(processes) {
  return processes.filter(({ command }) => /^\S*node\S* \S*dynamic-provider/.test(command));
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function signalIfThere(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/** Ends this process, and first all that it has started: engines leave theirs running. */
function endWhatRuns() {
  for (const { pid } of descendantsOf(process.pid)) signalIfThere(pid, "SIGKILL");
  process.exit(130);
}

module.exports = { descendantsOf, endWhatRuns, providersAmong, signalIfThere };
