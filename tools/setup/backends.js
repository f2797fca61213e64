const { spawn, spawnSync } = require("node:child_process");
const events = require("node:events");
const fs = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");
const { root } = require(".");
const { SetupFailure } = require("./command");
const { program: extension } = require("./engine/usable");
const { prepareProgram } = require("./goPrograms");

/** Where Debian has the programs of a server: not on PATH. */
const debian = "/usr/lib/postgresql";

/** The folder with the programs of a PostgreSQL server. @throws {SetupFailure} when there is none */
function postgresPrograms() {
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian).map(Number) : [];
  const ofDebian = versions.sort((one, other) => other - one).map((version) => `${debian}/${version}/bin`);
  const onPath = (process.env["PATH"] ?? "").split(path.delimiter);
  const found = [...onPath, ...ofDebian].find((folder) =>
    ["initdb", "postgres"].every((name) => fs.existsSync(path.join(folder, name))),
  );
  if (found !== undefined) return found;
  throw new SetupFailure(
    "The tests of remote backends need PostgreSQL: `initdb` and `postgres` on PATH, or Debian's package " +
      "(`sudo apt-get install postgresql`). They start a server of their own on 127.0.0.1. Then run the same command again.",
  );
}

/**
 * The user that runs the server: PostgreSQL refuses to run as root.
 * @returns {{uid: number, gid: number} | undefined} undefined when this process isn't root
 * @throws {SetupFailure} when it is, and there is no other user for it
 */
function postgresUser() {
  if (process.getuid?.() !== 0) return undefined;
  const lines = fs.readFileSync("/etc/passwd", "utf8").split("\n");
  const [, , uid, gid] = lines.find((line) => line.startsWith("postgres:"))?.split(":") ?? [];
  if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  throw new SetupFailure(
    "PostgreSQL doesn't run as root, and there is no user postgres: run this as another user.",
  );
}

/**
 * Starts a server on loopback that keeps the state of stacks, each in a table of its own. It ends with this process at the
 * latest.
 * @throws {SetupFailure}
 */
async function startPostgres() {
  const [programs, user] = [postgresPrograms(), postgresUser()];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "postgres-"));
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
  const ended = events.once(server, "exit");
  const remove = () => {
    server.kill("SIGKILL");
    fs.rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", remove);
  await isReady(server.stderr);
  return {
    url: (/** @type {string} */ table) =>
      `postgres://pulumi@127.0.0.1:${port}/postgres?sslmode=disable&table=${table}`,
    close: async () => {
      // A fast shutdown, which doesn't wait for clients.
      if (server.kill("SIGINT")) await ended;
      process.off("exit", remove);
      remove();
    },
  };
}

/** @param {import("node:stream").Readable} output */
async function isReady(output) {
  let text = "";
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    // Its later output has to go somewhere.
    if (text.includes("ready to accept connections")) return void output.resume();
  }
  throw new SetupFailure(`PostgreSQL ended:\n${text}`);
}

async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await events.once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Builds the S3-compatible server of the tests, unless it is built. @returns {Promise<string>} its file */
function s3Server() {
  return prepareProgram({
    title: "the S3-compatible server of the tests",
    module: path.join(root, "test", "backends", "s3"),
    file: `s3${extension}`,
    coreMinutes: 1,
  });
}

module.exports = { postgresPrograms, postgresUser, startPostgres, s3Server };
