/** A machine: a home and a host name of its own, for the commands of one project. */
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

/** @typedef {import("../../pulumi/project").Project} Project */

class Machine {
  /**
   * @param {string} name
   * @param {Project} project
   * @param {{lockDirectory?: string}} options default: each machine has the one of its home
   */
  constructor(name, project, { lockDirectory = "" }) {
    const home = path.join(project.folder, name);
    fs.mkdirSync(home);
    this.#project = project;
    this.#env = {
      HOME: home,
      PULUMI_HOME: path.join(home, ".pulumi"),
      // Which stack is selected is part of the home.
      PULUMI_STACK: "test",
      MONITORING_LOCK_DIRECTORY: lockDirectory,
    };
    this.#program = path.join(home, "pulumi");
    const inNamespace = namespaceCommand();
    const command = inNamespace
      ? `${inNamespace} sh -c 'hostname ${name} && exec "$0" "$@"' ${quote(project.program)}`
      : quote(project.program);
    fs.writeFileSync(this.#program, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  }

  #project;
  #env;
  #program;

  /** What the project runs from now on runs here. */
  use() {
    Object.assign(this.#project.env, this.#env);
    this.#project.program = this.#program;
  }
}

/** @type {string | undefined} */
let found;

/** What gives a command a host name of its own; empty where that isn't permitted. */
function namespaceCommand() {
  const isPermitted = (/** @type {string} */ command) =>
    spawnSync("sh", ["-c", `${command} sh -c 'hostname machine-test'`]).status === 0;
  return (found ??= ["unshare -u", "unshare -r -u"].find(isPermitted) ?? "");
}

/** @param {string} text */
function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

module.exports = { Machine, namespaceCommand };
