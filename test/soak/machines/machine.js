const { execFileSync, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { setTimeout: wait } = require("node:timers/promises");
const { Project, signalIfThere } = require("../../../tools/pulumi");
const { root } = require("../../../tools/setup");
const { pathKey } = require("../../../tools/setup/engine/usable");
const { apiKey, startService } = require("../soakSandbox");
const { faults } = require("./combinations");

/** The id of the users' group; theirs are the next ones. */
const group = 61_000;

/** A machine: a home and a host name of its own, and perhaps a user, for the commands of one project. */
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

const providerCommand = /dynamic-provider|pulumi-resource-monitoring/;

/** @typedef {import("./combinations").MachineRun} MachineRun */

/**
 * @typedef {object} Outcome
 * @property {MachineRun} run
 * @property {number} posts that reached the service
 * @property {number} mails
 * @property {number} refused how many `up`s failed before one succeeded
 * @property {boolean} tracked whether the stack has the only public update in the end
 * @property {string} [mistake]
 */

const neverMs = 3_600_000;
/** Notes of posts last for a minute. What is shown later than that is posted again, also with a shared lock directory. */
const latestMs = 45_000;
/** As many as a user may need: one that doesn't find the update, one that finds it, and one more. */
const mostUps = 5;

/**
 * One run: an `up` that is killed on one machine, then `up`s on another until one succeeds.
 * @param {MachineRun} run
 * @param {string} [backendUrl] default: files in the project
 * @returns {Promise<Outcome>}
 */
async function machineRun(run, backendUrl) {
  const { sandbox, accounts } = await startService(1);
  const [account] = accounts;
  if (!account) throw new Error("The service has no account.");
  sandbox.configure({ ids: run.ids });
  const before = new Set(sandbox.incident(account.incidentId).incidentUpdates.map(({ id }) => id));
  const project = await projectOf(run, account, sandbox.url, backendUrl);
  const lockDirectory = run.sharesLocks ? path.join(project.folder, "locks") : "";
  /** @type {() => void} */
  let endRest = () => undefined;
  try {
    if (run.hasUsers) makeGroupDirectory(lockDirectory);
    const [first, second] = ["machine-a", "machine-b"].map(
      (name, index) =>
        new Machine(name, project, { lockDirectory, user: run.hasUsers ? group + 1 + index : undefined }),
    );
    first?.use();
    if (run.applied) sandbox.faults.add({ kind: "lateVisibility", ms: neverMs, times: 1 });
    endRest = await upKilled(project, sandbox, run);
    const latest = Date.now() + latestMs;
    if (!run.sameMachine) second?.use();
    if (run.target !== "provider") await project.mustRun("cancel", "--yes");
    const shown = showLate(sandbox, run.lateMs, latest);
    const publishedNow = () =>
      sandbox.incident(account.incidentId).incidentUpdates.filter(({ id }) => !before.has(id));
    const { refused, output } = await upUntilDone(project, () => publishedNow().length > 0);
    await shown();
    const published = publishedNow();
    const updates = (await project.resources()).filter(({ type }) => type.endsWith(":IncidentUpdate"));
    const ids = updates.map(({ outputs }) => outputs.incidentUpdateId);
    const tracked =
      refused < mostUps && published.length === 1 && ids.length === 1 && published[0]?.id === ids[0];
    return {
      run,
      posts: sandbox.requests.filter(({ method }) => method === "POST").length,
      mails: published.reduce((sum, { id }) => sum + sandbox.mailed(id), 0),
      refused,
      tracked,
      ...(refused === mostUps && { mistake: output }),
    };
  } finally {
    endRest();
    project.remove();
    await sandbox.close();
  }
}

/**
 * @param {MachineRun} run
 * @param {import("../soakSandbox").Account} account
 * @param {string} baseUrl
 * @param {string} [backendUrl]
 */
async function projectOf({ adapter }, account, baseUrl, backendUrl) {
  const settings = {
    "monitoring:baseUrl": baseUrl,
    "monitoring:accountId": account.id,
    "monitoring:apiKey!": apiKey,
  };
  const update = {
    incidentId: account.incidentId,
    status: "MONITORING",
    description: "Checkout is fast again.",
    notifySubscribers: true,
  };
  const from = adapter === "plugin" ? "/native" : "";
  const program = `const { IncidentUpdate } = require("pulumi-monitoring-service${from}");
new IncidentUpdate("update", ${JSON.stringify(update)});
`;
  /** @type {Record<string, string>} */
  const env = backendUrl === undefined ? {} : { PULUMI_BACKEND_URL: backendUrl };
  const project = await Project.create({ program, settings, env });
  if (adapter === "plugin") project.declarePlugin();
  return project;
}

/**
 * Kills at the point of the run; with the engine, also the program.
 * @param {Project} project
 * @param {import("../../../sandbox").Sandbox} sandbox
 * @param {MachineRun} run
 * @returns {Promise<() => void>} ends what is left: a provider whose engine is gone must not post
 */
async function upKilled(project, sandbox, { point, target, signal }) {
  const fault = faults[point];
  sandbox.faults.add(fault);
  const { ended, kill, processes } = project.start("up", "--yes", "--skip-preview");
  /** @type {{output: string} | undefined} */
  let early;
  void ended.then((output) => (early = output));
  const held = () => sandbox.requests.find(({ operation }) => operation === fault.operation);
  const isHeld = () => fault.kind === "latency" || held()?.ended === "hang";
  while (!held() || !isHeld()) {
    if (early) throw new Error(`The run ended before it could be killed:\n${early.output}`);
    await wait(10);
  }
  if (fault.kind === "latency") {
    kill("SIGSTOP");
    while (!held()?.ended) await wait(10);
    await wait(500);
  }
  const providers = processes().filter(({ command }) => providerCommand.test(command));
  if (target !== "engine") providers.forEach(({ pid }) => signalIfThere(pid, signal));
  const endRest = target === "provider" ? () => undefined : kill(signal);
  if (target === "engine and provider" && signal === "SIGKILL") endRest();
  if (fault.kind === "latency") kill("SIGCONT");
  await ended;
  return endRest;
}

/**
 * Shows what was posted so long after the next request.
 * @param {import("../../../sandbox").Sandbox} sandbox
 * @param {number} lateMs
 * @param {number} latest when it is shown at the latest, on a machine that is too busy to start the next run before
 */
function showLate(sandbox, lateMs, latest) {
  if (lateMs === 0) sandbox.faults.clear();
  const { length } = sandbox.requests;
  const showing = (async () => {
    while (lateMs > 0 && sandbox.requests.length === length && Date.now() < latest) await wait(10);
    await wait(Math.max(0, Math.min(lateMs, latest - Date.now())));
    sandbox.faults.clear();
  })();
  return () => showing;
}

/** @param {Project} project @param {() => boolean} isPublic what the user sees on the page */
async function upUntilDone(project, isPublic) {
  let output = "";
  for (let refused = 0; refused < mostUps; refused += 1) {
    const up = await project.up();
    if (up.ok) return { refused, output };
    output = up.output;
    const [, codes] = /monitoring:resend "?([0-9a-f ]+)"?`/.exec(output) ?? [];
    if (codes !== undefined && !isPublic()) project.env["MONITORING_RESEND"] = codes;
  }
  return { refused: mostUps, output };
}

module.exports = { machineRun, namespaceCommand, usersProblem };
