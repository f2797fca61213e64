const { execFileSync, spawn } = require("node:child_process");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { SetupFailure } = require("../setup/command");
const { engineEnvironment } = require("../setup/engine");
const { handOver } = require("../setup/run");

/** @typedef {{ok: boolean, stdout: string, output: string}} Ended output: stdout and stderr as they came, without colours */

/**
 * @typedef {object} Started a command that runs
 * @property {Promise<Ended>} ended
 * @property {() => Process[]} processes its descendants, including language host and providers
 * @property {(signal: NodeJS.Signals) => () => void} kill ends only the engine; its descendants continue, until the
 *   returned function ends that too
 */

/** Far more than any command takes: for one that never ends. */
const longestMs = 1_800_000;
/** The descendants of a killed engine keep its output open. */
const outputAfterExitMs = 1_000;

/** The Pulumi command line in one folder, with the state of its stacks in another. */
class PulumiCli {
  /** @param {import("../setup/engine/usable").Engine} engine @param {string} folder @param {string} state */
  constructor(engine, folder, state) {
    this.folder = folder;
    this.program = engine.pulumi;
    /** @type {NodeJS.ProcessEnv} */
    this.env = engineEnvironment(engine, {
      // Pulumi writes its metadata files in place: a kill in between leaves them empty, and the stack unreadable.
      PULUMI_BACKEND_URL: `${pathToFileURL(state).href}?metadata=skip`,
      // Notes on posts that got no response stay there: another service may get the same port.
      PULUMI_HOME: path.join(state, "home"),
      PULUMI_CONFIG_PASSPHRASE: "test",
    });
  }

  /** Starts a command that may be killed. @param {string[]} args @returns {Started} */
  start(...args) {
    const child = spawn(this.program, [...args, "--non-interactive", "--color", "never"], {
      cwd: this.folder,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: longestMs,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
    let stdout = "";
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => (output += text));
    const processes = () => (child.exitCode === null ? descendantsOf(child.pid ?? 0) : []);
    return {
      ended: new Promise((resolve, reject) => {
        const end = () => resolve({ ok: child.exitCode === 0, stdout, output });
        child.once("error", reject).once("close", end);
        child.once("exit", (_, signal) => setTimeout(end, signal === null ? outputAfterExitMs : 0).unref());
      }),
      processes,
      kill: (signal) => {
        const left = processes();
        child.kill(signal);
        return () => left.forEach(({ pid }) => signalIfThere(pid, "SIGKILL"));
      },
    };
  }

  /** @param {string[]} args */
  run(...args) {
    return this.start(...args).ended;
  }

  /** @param {string[]} args @returns {Promise<string>} what it printed on stdout */
  async mustRun(...args) {
    const { ok, stdout, output } = await this.run(...args);
    if (!ok) throw new SetupFailure(`pulumi ${args.slice(0, 2).join(" ")} failed:\n${output.trim()}`);
    return stdout;
  }

  /** Runs a command in this terminal. @param {string[]} args @returns {Promise<number>} its exit code */
  runInTerminal(...args) {
    return handOver(this.program, args, { cwd: this.folder, env: this.env });
  }

  /**
   * @param {Readonly<Record<string, string>>} settings a key that ends in `!` is stored as a secret
   * @param {string[]} flags
   */
  async configure(settings, ...flags) {
    const values = Object.entries(settings).flatMap(([key, value]) =>
      key.endsWith("!") ? ["--secret", `${key.slice(0, -1)}=${value}`] : ["--plaintext", `${key}=${value}`],
    );
    if (values.length > 0) await this.mustRun("config", "set-all", ...flags, ...values);
  }

  /** @param {string[]} flags */
  up(...flags) {
    return this.run("up", "--yes", "--skip-preview", ...flags);
  }

  /** @param {string[]} flags */
  preview(...flags) {
    return this.run("preview", "--diff", ...flags);
  }

  /** @param {string[]} flags */
  refresh(...flags) {
    return this.run("refresh", "--yes", "--skip-preview", ...flags);
  }

  /** @param {string[]} flags */
  destroy(...flags) {
    return this.run("destroy", "--yes", "--skip-preview", ...flags);
  }
}

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

module.exports = { PulumiCli, descendantsOf, signalIfThere };
