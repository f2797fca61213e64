const { execFileSync } = require("node:child_process");

/** @typedef {{pid: number, parent: number, command: string}} Process */

const eachOnWindows = '"$($_.ProcessId) $($_.ParentProcessId) $($_.CommandLine)"';

/** @returns {string} a line for each process of the machine */
function listing() {
  const [program, ...args] =
    process.platform === "win32"
      ? ["powershell", "-NoProfile", "-Command", `Get-CimInstance Win32_Process | % { ${eachOnWindows} }`]
      : ["ps", "-A", "-ww", "-o", "pid=,ppid=,args="];
  return execFileSync(program, args, { encoding: "utf8", maxBuffer: 100_000_000 });
}

/** The children of a process, their children, and so on. @param {number} ancestor @returns {Process[]} */
function descendantsOf(ancestor) {
  const processes = listing()
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
    });
  /** @param {number} parent @returns {Process[]} */
  const childrenOf = (parent) =>
    processes.flatMap((each) => (each.parent === parent ? [each, ...childrenOf(each.pid)] : []));
  return childrenOf(ancestor);
}

/** @param {number} pid @param {NodeJS.Signals | 0} signal 0 only checks @returns {boolean} whether the process exists */
function signalIfThere(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

module.exports = { descendantsOf, signalIfThere };
