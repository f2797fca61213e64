const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { root } = require("../setup");
const { engineEnvironment, pathKey, prepareEngine } = require("../setup/engine");
const { handOver, SetupFailure, start } = require("../setup/run");

/**
 * @typedef {object} Started a running command
 * @property {Promise<import("../setup/run").Ended>} ended
 * @property {() => Process[]} processes its descendants, including the language host and providers
 * @property {(signal: NodeJS.Signals) => () => void} kill kills only the engine; its descendants continue until the returned function kills
 * them
 */

/** Ends commands that hang. All other commands are much faster. */
const longestMs = 1_800_000;

/** Runs Pulumi's command line in a folder, with the state of its stacks in a separate folder. */
class PulumiCli {
  /** @param {import("../setup/engine").Engine} engine @param {string} folder @param {string} state */
  constructor(engine, folder, state) {
    this.folder = folder;
    this.program = engine.pulumi;
    /** @type {NodeJS.ProcessEnv} */
    this.env = engineEnvironment(engine, {
      // Pulumi doesn't write its metadata files atomically. If it's killed, they may be empty, and the stack can't be read.
      PULUMI_BACKEND_URL: `${pathToFileURL(state).href}?metadata=skip`,
      // The records of unconfirmed posts are stored there and must not be shared, because another service may use the same port later.
      PULUMI_HOME: path.join(state, "home"),
      PULUMI_CONFIG_PASSPHRASE: "test",
    });
  }

  /** Starts a command that the caller may kill. @param {string[]} args @returns {Started} */
  start(...args) {
    const options = { cwd: this.folder, env: this.env, timeout: longestMs };
    const { child, ended } = start(this.program, [...args, "--non-interactive", "--color", "never"], options);
    const processes = () => (child.exitCode === null ? descendantsOf(child.pid ?? 0) : []);
    return {
      ended,
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

/** @returns {string} one line for each process of the machine */
function listing() {
  const [program, ...args] =
    process.platform === "win32"
      ? ["powershell", "-NoProfile", "-Command", `Get-CimInstance Win32_Process | % { ${eachOnWindows} }`]
      : ["ps", "-A", "-ww", "-o", "pid=,ppid=,args="];
  return execFileSync(program, args, { encoding: "utf8", maxBuffer: 100_000_000 });
}

/** Returns all descendants of a process. @param {number} ancestor @returns {Process[]} */
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

/** @param {number} pid @param {NodeJS.Signals | 0} signal 0 only checks @returns {boolean} true if the process exists */
function signalIfThere(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/**
 * @typedef {object} ProjectOptions
 * @property {string} program text of `index.js`, or of `index.ts` if `language` is `typescript`
 * @property {"javascript" | "typescript"} [language]
 * @property {Readonly<Record<string, string>>} [settings] a key that ends in `!` is stored as a secret
 * @property {Readonly<Record<string, string>>} [env]
 * @property {string[]} [bins] additional folders for PATH
 */

/** @typedef {{urn: string, type: string, id?: string, delete?: boolean, sourcePosition?: string, protect?: boolean, dependencies?: string[], inputs: Record<string, unknown>, outputs: Record<string, unknown>, initErrors?: string[]}} StateResource */

/** Projects that aren't removed yet. They are removed when this process exits. @type {Set<Project>} */
const projects = new Set();
process.once("exit", () => projects.forEach((project) => project.remove()));

/** The engine is only searched once, because that takes as long as a command. @type {ReturnType<typeof prepareEngine> | undefined} */
let prepared;

const stateFile = "state/.pulumi/stacks/test/test.json";
/**
 * The files that `pulumi stack init` writes for the passphrase of all projects. They are written directly, because the command takes as
 * long as many tests.
 */
const newStack = {
  "Pulumi.test.yaml":
    "encryptionsalt: v1:IBTIq6ZYtKI=:v1:DFb09NvfbJEPBtnD:K2sICck5NHYbuevyjEs0q6KjR/Nc7g==\n",
  "state/.pulumi/meta.yaml": "version: 1\n",
  [stateFile]: '{"version":3,"checkpoint":{"stack":"organization/test/test"}}',
};

/** A Pulumi project with one stack, in a folder that Git ignores. Its state is in files, unless `env` specifies another backend. */
class Project extends PulumiCli {
  hasOwnBackend = false;

  /** @param {ProjectOptions} options */
  static async create({ program, language = "javascript", settings = {}, env = {}, bins = [] }) {
    const engine = await (prepared ??= prepareEngine());
    const parent = path.join(root, ".engine-tests");
    fs.mkdirSync(parent, { recursive: true });
    const folder = fs.mkdtempSync(path.join(parent, "stack-"));
    const state = path.join(folder, "state");
    fs.mkdirSync(path.join(folder, path.dirname(stateFile)), { recursive: true });
    const project = new Project(engine, folder, state);
    projects.add(project);
    const key = pathKey(project.env);
    Object.assign(project.env, { PULUMI_STACK: "test" }, env, {
      [key]: [project.env[key], ...bins].join(path.delimiter),
    });
    const isTyped = language === "typescript";
    const main = isTyped ? "index.ts" : "index.js";
    project.write(main, program);
    project.write("package.json", JSON.stringify({ name: "test-program", private: true, main }));
    const runtime = `runtime:\n  name: nodejs\n  options:\n    typescript: ${isTyped}\n`;
    project.write("Pulumi.yaml", `name: test\n${runtime}`);
    project.hasOwnBackend = "PULUMI_BACKEND_URL" in env;
    if (project.hasOwnBackend) await project.mustRun("stack", "init", "test");
    else for (const [file, text] of Object.entries(newStack)) project.write(file, text);
    await project.configure(settings);
    return project;
  }

  /** Returns the resources of the stack, with encrypted secrets. @returns {Promise<StateResource[]>} */
  async resources() {
    if (this.hasOwnBackend)
      return JSON.parse(await this.mustRun("stack", "export")).deployment.resources ?? [];
    return JSON.parse(this.stateText).checkpoint.latest?.resources ?? [];
  }

  /** Returns the output of `pulumi stack export` with secrets in clear text. */
  revealedState() {
    return this.mustRun("stack", "export", "--show-secrets");
  }

  /** @returns {Promise<Record<string, unknown>>} */
  async outputs() {
    const all = await this.resources();
    return all.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
  }

  /** The state file as the engine wrote it. */
  get stateText() {
    return fs.readFileSync(path.join(this.folder, stateFile), "utf8");
  }

  set stateText(text) {
    this.write(stateFile, text);
  }

  /** Lets the program use this repository's native plugin. */
  declarePlugin() {
    const plugin = JSON.stringify(path.join(root, "plugin"));
    const entry = `plugins:\n  providers:\n    - name: monitoring\n      path: ${plugin}\n`;
    fs.appendFileSync(path.join(this.folder, "Pulumi.yaml"), entry);
  }

  /** @param {string} file @param {string} text */
  write(file, text) {
    fs.writeFileSync(path.join(this.folder, file), text);
  }

  remove() {
    projects.delete(this);
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

exports.Project = Project;
exports.PulumiCli = PulumiCli;
exports.descendantsOf = descendantsOf;
exports.signalIfThere = signalIfThere;
