const fs = require("node:fs");
const path = require("node:path");
const { pathKey } = require("../setup/engine/usable");
const { prepareEngine } = require("../setup/engine");
const { root } = require("../setup");
const { PulumiCli } = require("./cli");

/**
 * @typedef {object} ProjectOptions
 * @property {string} program text of `index.js`, or of `index.ts` when `language` says so
 * @property {"javascript" | "typescript"} [language]
 * @property {string} [under] folder in which its packages are found; default: this repository
 * @property {Readonly<Record<string, string>>} [settings] a key that ends in `!` is stored as a secret
 * @property {Readonly<Record<string, string>>} [env]
 * @property {string[]} [bins] more folders of PATH
 */

/** @typedef {{urn: string, type: string, id?: string, delete?: boolean, inputs: Record<string, unknown>, outputs: Record<string, unknown>, initErrors?: string[]}} StateResource */

/** Those that are there: they go with this process, however it ends. @type {Set<Project>} */
const projects = new Set();
process.once("exit", () => projects.forEach((project) => project.remove()));

/** Looking for the engine takes as long as a command. @type {ReturnType<typeof prepareEngine> | undefined} */
let prepared;

const stateFile = "state/.pulumi/stacks/test/test.json";
/** What `pulumi stack init` writes, with the passphrase of all projects: a command takes as long as many tests. */
const newStack = {
  "Pulumi.test.yaml":
    "encryptionsalt: v1:IBTIq6ZYtKI=:v1:DFb09NvfbJEPBtnD:K2sICck5NHYbuevyjEs0q6KjR/Nc7g==\n",
  "state/.pulumi/meta.yaml": "version: 1\n",
  [stateFile]: '{"version":3,"checkpoint":{"stack":"organization/test/test"}}',
};

/** A Pulumi project with one stack, in a folder that git ignores, with its state in files, unless `env` names another backend. */
class Project extends PulumiCli {
  hasOwnBackend = false;

  /** @param {ProjectOptions} options */
  static async create({
    program,
    language = "javascript",
    under = root,
    settings = {},
    env = {},
    bins = [],
  }) {
    const engine = await (prepared ??= prepareEngine());
    const parent = path.join(under, ".engine-tests");
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

  /** What the stack holds, with what is secret encrypted. @returns {Promise<StateResource[]>} */
  async resources() {
    if (this.hasOwnBackend)
      return JSON.parse(await this.mustRun("stack", "export")).deployment.resources ?? [];
    return JSON.parse(this.stateText).checkpoint.latest?.resources ?? [];
  }

  /** The state with its secrets in clear text, as `pulumi stack export` prints it. */
  revealedState() {
    return this.mustRun("stack", "export", "--show-secrets");
  }

  /** @returns {Promise<Record<string, unknown>>} */
  async outputs() {
    const all = await this.resources();
    return all.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
  }

  /** The state as the engine has written it. */
  get stateText() {
    return fs.readFileSync(path.join(this.folder, stateFile), "utf8");
  }

  set stateText(text) {
    this.write(stateFile, text);
  }

  /** Lets its program use the native plugin of this repository. */
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

module.exports = { Project };
