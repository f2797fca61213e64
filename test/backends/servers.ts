/** Starts a PostgreSQL server on loopback that stores the state of stacks, for one test file. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresPrograms, postgresUser } from "../../tools/test/backends";

/** @returns its URL as a backend of Pulumi */
export async function startPostgres() {
  const [programs, user] = [postgresPrograms(), postgresUser()];
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  if (user) for (const owned of [folder, data]) chownSync(owned, user.uid, user.gid);
  const init = ["-D", data, "-U", "pulumi", "--auth", "trust", "--encoding", "UTF8", "--no-sync"];
  expect(spawnSync(join(programs, "initdb"), init, { cwd: folder, ...user })).toMatchObject({ status: 0 });
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
  const args = ["-D", data, "-p", `${port}`, ...settings.flatMap((setting) => ["-c", setting])];
  const server = spawn(join(programs, "postgres"), args, {
    cwd: folder,
    ...user,
    stdio: ["ignore", "ignore", "pipe"],
  });
  await printed(server, /ready to accept connections/);
  return {
    url: `postgres://pulumi@127.0.0.1:${port}/postgres?sslmode=disable`,
    close: async () => {
      // SIGINT is a fast shutdown, which doesn't wait for clients.
      const exit = once(server, "exit");
      if (server.kill("SIGINT")) await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Waits for a line in a server's log. */
async function printed(server: ChildProcess, expected: RegExp): Promise<void> {
  let text = "";
  for await (const chunk of server.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    if (!expected.test((text += String(chunk)))) continue;
    // The remaining output must be read, so that the pipe doesn't fill up.
    server.stderr?.resume();
    return;
  }
  throw new Error(`The server ended:\n${text}`);
}
