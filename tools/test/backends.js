const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../setup/run");

/** Folder of Debian's server programs, which aren't on PATH. */
const debian = "/usr/lib/postgresql";

/** Returns the folder with the programs of a PostgreSQL server. @throws {SetupFailure} if PostgreSQL isn't installed */
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
 * Returns the user to run the server, because PostgreSQL doesn't run as root.
 * @returns {{uid: number, gid: number} | undefined} undefined if this process isn't root
 * @throws {SetupFailure} if this process is root and there is no user `postgres`
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

module.exports = { postgresPrograms, postgresUser };
