const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { engineEnvironment, prepare, root } = require("../scripts/setup");
const { run } = require("../scripts/setup/run");

/** Those that are there: they go with this process, however it ends. @type {Set<Project>} */
const projects = new Set();
process.once("exit", () => projects.forEach((project) => project.remove()));

/** Far more than any command takes: for one that never comes to an end. */
const longestMs = 1_800_000;

/** A Pulumi project in a folder of the clone that git ignores, with its state in a file. */
class Project {
  /**
   * @param {string} program text of its index.js
   * @param {Record<string, string>} settings
   * @param {{bins?: string[], backendQuery?: string}} options more folders of PATH, and what the URL of the state ends in
   */
  static async create(program, settings = {}, { bins = [], backendQuery = "" } = {}) {
    const engine = await prepare();
    const key = Object.keys(process.env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
    const env = engineEnvironment(engine, {});
    env[key] = [env[key], ...bins].join(path.delimiter);
    const project = new Project(program, engine.pulumi, env, backendQuery);
    await project.mustRun("stack", "init", "test");
    const flags = Object.entries(settings).flatMap(([name, value]) => ["--secret", `${name}=${value}`]);
    if (flags.length > 0) await project.mustRun("config", "set-all", ...flags);
    return project;
  }

  /**
   * @param {string} program
   * @param {string} pulumi
   * @param {NodeJS.ProcessEnv} env
   * @param {string} backendQuery
   */
  constructor(program, pulumi, env, backendQuery) {
    const parent = path.join(root, ".engine-tests");
    fs.mkdirSync(parent, { recursive: true });
    this.folder = fs.mkdtempSync(path.join(parent, "bench-"));
    projects.add(this);
    const state = path.join(this.folder, "state");
    fs.mkdirSync(state);
    this.write("index.js", program);
    this.write("package.json", JSON.stringify({ private: true, main: "index.js" }));
    this.write("Pulumi.yaml", "name: test\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n");
    this.pulumi = pulumi;
    const backend = pathToFileURL(state).href + backendQuery;
    /** @type {NodeJS.ProcessEnv} */
    this.env = { ...env, PULUMI_BACKEND_URL: backend, PULUMI_CONFIG_PASSPHRASE: "test" };
  }

  /**
   * @param {string} file
   * @param {string} text
   */
  write(file, text) {
    fs.writeFileSync(path.join(this.folder, file), text);
  }

  /** @param {string[]} args */
  run(...args) {
    return run(this.pulumi, [...args, "--non-interactive", "--color", "never"], {
      cwd: this.folder,
      env: this.env,
      signal: AbortSignal.timeout(longestMs),
    });
  }

  /** Gives what it printed. @param {string[]} args */
  async mustRun(...args) {
    const { ok, stdout, output } = await this.run(...args);
    if (!ok) throw new Error(`pulumi ${args.join(" ")} failed:\n${output}`);
    return stdout;
  }

  /** Seconds that a command takes. @param {string[]} args */
  async secondsOf(...args) {
    const began = performance.now();
    await this.mustRun(...args);
    return (performance.now() - began) / 1000;
  }

  /** Starts a command that is to be killed. @param {string[]} args */
  start(...args) {
    const child = spawn(this.pulumi, [...args, "--non-interactive"], {
      cwd: this.folder,
      env: this.env,
      stdio: "ignore",
      timeout: longestMs,
      killSignal: "SIGKILL",
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    return { child, ended };
  }

  /**
   * What the stack holds, decrypted.
   * @returns {Promise<{urn: string, type: string, id?: string, delete?: boolean, outputs?: Record<string, unknown>}[]>}
   */
  async resources() {
    const { deployment } = JSON.parse(await this.mustRun("stack", "export", "--show-secrets"));
    return deployment.resources ?? [];
  }

  remove() {
    projects.delete(this);
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

module.exports = { Project };
