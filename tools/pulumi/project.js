const fs = require("node:fs");
const path = require("node:path");
const { pathKey } = require("../setup/engine/usable");
const { prepare, root } = require("../setup");
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

/** Those that are there: they go with this process, however it ends. @type {Set<Project>} */
const projects = new Set();
process.once("exit", () => projects.forEach((project) => project.remove()));

/** Looking for the engine takes as long as a command. @type {ReturnType<typeof prepare> | undefined} */
let prepared;

/** A Pulumi project with one stack, in a folder that git ignores, with its state in files. */
class Project extends PulumiCli {
  /** @param {ProjectOptions} options */
  static async create({
    program,
    language = "javascript",
    under = root,
    settings = {},
    env = {},
    bins = [],
  }) {
    const engine = await (prepared ??= prepare());
    const parent = path.join(under, ".engine-tests");
    fs.mkdirSync(parent, { recursive: true });
    const folder = fs.mkdtempSync(path.join(parent, "stack-"));
    const state = path.join(folder, "state");
    fs.mkdirSync(state);
    const project = new Project(engine, folder, state);
    projects.add(project);
    const key = pathKey(project.env);
    Object.assign(project.env, env, { [key]: [project.env[key], ...bins].join(path.delimiter) });
    const isTyped = language === "typescript";
    const main = isTyped ? "index.ts" : "index.js";
    project.write(main, program);
    project.write("package.json", JSON.stringify({ name: "test-program", private: true, main }));
    const runtime = `runtime:\n  name: nodejs\n  options:\n    typescript: ${isTyped}\n`;
    project.write("Pulumi.yaml", `name: test\n${runtime}`);
    await project.mustRun("stack", "init", "test");
    await project.configure(settings);
    return project;
  }

  /** Lets its program use the native plugin of this repository. */
  declarePlugin() {
    const plugin = JSON.stringify(path.join(root, "plugin"));
    const entry = `plugins:\n  providers:\n    - name: monitoring\n      path: ${plugin}\n`;
    fs.appendFileSync(path.join(this.folder, "Pulumi.yaml"), entry);
  }

  /**
   * @param {string} file
   * @param {string} text
   */
  write(file, text) {
    fs.writeFileSync(path.join(this.folder, file), text);
  }

  remove() {
    projects.delete(this);
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

module.exports = { Project };
