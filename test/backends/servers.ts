/** Servers that keep the state of stacks, on loopback, each for one test file. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { postgresPrograms, postgresUser } from "../../scripts/backends/postgres";
import { s3Server } from "../../scripts/backends/s3";

/** A backend for the state of stacks. */
export interface Backend {
  /** The environment of a run whose state is there, apart from that of others with another name. */
  env(name: string): Record<string, string>;
  close(): Promise<void>;
}

export async function startPostgres(): Promise<Backend> {
  const [programs, user, folder] = [postgresPrograms(), postgresUser(), mkdtempSync(join(tmpdir(), "pg-"))];
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  if (user) for (const owned of [folder, data]) chownSync(owned, user.uid, user.gid);
  const as = { cwd: folder, ...user };
  const init = ["-D", data, "-U", "pulumi", "--auth", "trust", "--encoding", "UTF8", "--no-sync"];
  await promisify(execFile)(join(programs, "initdb"), init, as);
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
  const options = ["-D", data, "-p", `${port}`, ...settings.flatMap((setting) => ["-c", setting])];
  const server = spawn(join(programs, "postgres"), options, { ...as, stdio: ["ignore", "ignore", "pipe"] });
  await printed(server, /ready to accept connections/);
  return {
    env: (name) => ({
      PULUMI_BACKEND_URL: `postgres://pulumi@127.0.0.1:${port}/postgres?sslmode=disable&table=${name}`,
    }),
    // A fast shutdown, which doesn't wait for clients.
    close: () => ended(server, "SIGINT").then(() => rmSync(folder, { recursive: true })),
  };
}

export async function startBucket(): Promise<Backend> {
  const server = spawn(await s3Server(), { stdio: ["ignore", "pipe", "ignore"] });
  const [address = ""] = await printed(server, /^127\.0\.0\.1:\d+/);
  const query = `endpoint=${address}&disableSSL=true&s3ForcePathStyle=true`;
  return {
    env: (name) => ({
      PULUMI_BACKEND_URL: `s3://state/${name}?${query}`,
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
      AWS_REGION: "us-east-1",
    }),
    close: () => ended(server, "SIGTERM"),
  };
}

/** Waits for a line of a server's output. */
async function printed(server: ChildProcess, expected: RegExp): Promise<RegExpExecArray> {
  const output = server.stdout ?? server.stderr;
  let text = "";
  for await (const chunk of output?.iterator({ destroyOnReturn: false }) ?? []) {
    const found = expected.exec((text += String(chunk)));
    // Its later output has to go somewhere.
    if (found) return (output?.resume(), found);
  }
  throw new Error(`The server ended:\n${text}`);
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(server, "exit");
  if (server.kill(signal)) await exit;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
