/** Servers that keep the state of stacks, on loopback, each for one test file. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { s3Server, startPostgres as startPostgresServer } from "../../tools/setup/backends";

/** A backend for the state of stacks. */
export interface Backend {
  /** The environment of a run whose state is there, apart from that of others with another name. */
  env(name: string): Record<string, string>;
  close(): Promise<void>;
}

export async function startPostgres(): Promise<Backend> {
  const { url, close } = await startPostgresServer();
  return { env: (name) => ({ PULUMI_BACKEND_URL: url(name) }), close };
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
