/** A machine: a home and a host name of its own, and perhaps a user, for the commands of one project. */
const { execFileSync, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { pathKey } = require("../../../tools/setup/engine/usable");
const { root } = require("../../../tools/setup");

/** @typedef {import("../../../tools/pulumi/project").Project} Project */

/** The id of the users' group; theirs are the next ones. */
const group = 61_000;

class Machine {
  /**
   * @param {string} name
   * @param {Project} project
   * @param {{lockDirectory?: string, user?: number | undefined}} options default: each machine has the lock directory of
   *   its home, and the user who runs this
   */
  constructor(name, project, { lockDirectory = "", user }) {
    const home = path.join(project.folder, name);
    fs.mkdirSync(home);
    this.#project = project;
    this.#user = user;
    this.#lockDirectory = lockDirectory;
    this.#env = {
      HOME: home,
      PULUMI_HOME: path.join(home, ".pulumi"),
      // Which stack is selected is part of the home.
      PULUMI_STACK: "test",
      MONITORING_LOCK_DIRECTORY: lockDirectory,
    };
    this.#program = path.join(home, "pulumi");
    fs.writeFileSync(this.#program, `#!/bin/sh\nexec ${this.#command(name, home)} "$@"\n`, { mode: 0o755 });
  }

  #project;
  #user;
  #lockDirectory;
  /** @type {Record<string, string>} */
  #env;
  #program;

  /** What the project runs from now on runs here. */
  use() {
    const { folder } = this.#project;
    Object.assign(this.#project.env, this.#env);
    this.#project.program = this.#program;
    if (this.#user === undefined) return;
    const files = fs.readdirSync(folder).map((entry) => path.join(folder, entry));
    const own = files.filter((file) => file !== this.#lockDirectory);
    execFileSync("chown", ["-R", "--no-dereference", String(this.#user), ...own]);
    fs.chownSync(folder, this.#user, 0);
  }

  /** @param {string} name @param {string} home */
  #command(name, home) {
    const { program } = this.#project;
    if (this.#user === undefined) {
      const inNamespace = namespaceCommand();
      return inNamespace
        ? `${inNamespace} sh -c 'hostname ${name} && exec "$0" "$@"' ${quote(program)}`
        : quote(program);
    }
    // The engine may lie in a home that the user can't enter.
    const engine = path.join(home, "engine");
    fs.mkdirSync(engine);
    const bin = path.dirname(program);
    const key = pathKey(this.#project.env);
    this.#env["USER"] = String(this.#user);
    this.#env[key] = [engine, this.#project.env[key]].join(path.delimiter);
    const script = `mount --bind ${quote(bin)} ${quote(engine)} && hostname ${name} && exec ${asUser(this.#user)} "$0" "$@"`;
    return `unshare -u -m sh -c ${quote(script)} ${quote(path.join(engine, path.basename(program)))}`;
  }
}

/** A lock directory of the group, as the guide says. @param {string} folder */
function makeGroupDirectory(folder) {
  fs.mkdirSync(folder);
  fs.chownSync(folder, 0, group);
  fs.chmodSync(folder, 0o2770);
}

/** @param {number} user */
function asUser(user) {
  return `setpriv --reuid=${user} --regid=${user} --groups=${group}`;
}

/** Why runs of two users can't be made here; undefined when they can. */
function usersProblem() {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "only root on Linux can run as other users";
  const tried = (/** @type {string} */ command) => spawnSync("sh", ["-c", command]).status === 0;
  if (!tried(`unshare -u -m sh -c 'mount --bind /mnt /mnt && ${asUser(group + 1)} true'`))
    return "unshare, mount --bind or setpriv isn't permitted";
  const files = [process.execPath, path.join(root, "package.json")].map(quote);
  if (!tried(`${asUser(group + 1)} sh -c 'test -x "$0" && test -r "$1"' ${files.join(" ")}`))
    return `other users can't read ${root} or run ${process.execPath}`;
  return undefined;
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

module.exports = { group, Machine, makeGroupDirectory, namespaceCommand, usersProblem };
