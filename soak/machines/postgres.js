/** A PostgreSQL server on loopback that keeps the state of stacks. */
const { spawn, spawnSync } = require("node:child_process");
const events = require("node:events");
const fs = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");
const { postgresPrograms, postgresUser } = require("../../scripts/backends/postgres");
const { SetupFailure } = require("../../scripts/setup/failure");

class Postgres {
  static async start() {
    const programs = postgresPrograms();
    const user = postgresUser();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "soak-postgres-"));
    const data = path.join(folder, "data");
    fs.mkdirSync(data, { mode: 0o700 });
    if (user) for (const owned of [folder, data]) fs.chownSync(owned, user.uid, user.gid);
    const as = { cwd: folder, ...user };
    const init = ["-D", data, "-U", "pulumi", "--auth", "trust", "--encoding", "UTF8", "--no-sync"];
    const { status, stderr } = spawnSync(path.join(programs, "initdb"), init, { ...as, encoding: "utf8" });
    if (status !== 0) throw new SetupFailure(`initdb failed:\n${stderr}`);
    const port = await freePort();
    const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
    const args = ["-D", data, "-p", `${port}`, ...settings.flatMap((setting) => ["-c", setting])];
    const server = spawn(path.join(programs, "postgres"), args, {
      ...as,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const postgres = new Postgres(server, folder, port);
    await postgres.#ready();
    return postgres;
  }

  #server;
  #folder;
  #port;
  #ended;
  #remove = () => {
    this.#server.kill("SIGKILL");
    fs.rmSync(this.#folder, { recursive: true, force: true });
  };

  /**
   * @param {import("node:child_process").ChildProcessByStdio<null, null, import("node:stream").Readable>} server
   * @param {string} folder
   * @param {number} port
   */
  constructor(server, folder, port) {
    this.#server = server;
    this.#folder = folder;
    this.#port = port;
    this.#ended = events.once(server, "exit");
    process.once("exit", this.#remove);
  }

  /** The backend of one stack. @param {string} table */
  url(table) {
    return `postgres://pulumi@127.0.0.1:${this.#port}/postgres?sslmode=disable&table=${table}`;
  }

  async close() {
    // A fast shutdown, which doesn't wait for clients.
    this.#server.kill("SIGINT");
    await this.#ended;
    process.removeListener("exit", this.#remove);
    this.#remove();
  }

  async #ready() {
    let text = "";
    const { stderr } = this.#server;
    for await (const chunk of stderr.iterator({ destroyOnReturn: false })) {
      text += String(chunk);
      if (!text.includes("ready to accept connections")) continue;
      // Its later output has to go somewhere.
      stderr.resume();
      return;
    }
    throw new SetupFailure(`PostgreSQL ended:\n${text}`);
  }
}

async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await events.once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

module.exports = { Postgres };
