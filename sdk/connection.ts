/** How a program reaches the service. The client, and with it axios and zod, is loaded when first needed. */
import * as pulumi from "@pulumi/pulumi";
import type { Connection, Connections } from "../provider/connection";
import { perRun } from "./run";

const namespace = "monitoring";

const connections = perRun(async (): Promise<Connections> => {
  const provider = await import("../provider/connection");
  const config = new pulumi.Config(namespace);
  return new provider.Connections((key) => config.get(key), process.env);
});

/** @throws ConfigurationError with every mistake in the configuration. */
export async function allConnections(): Promise<Connections> {
  warnOfPlainKey();
  return connections();
}

/** @throws InvalidInputError when there is no such account. */
export async function connect(account: string | undefined): Promise<Connection> {
  return (await allConnections()).connect(account);
}

/** Tells once in each run that the API key, or the accounts with theirs, are readable in the stack's settings file. */
export const warnOfPlainKey = perRun(() => {
  const secretKeys = process.env["PULUMI_CONFIG_SECRET_KEYS"];
  // Only a program that the engine started itself is told which keys are secret.
  if (secretKeys === undefined) return;
  const secret: unknown = JSON.parse(secretKeys);
  const config = new pulumi.Config(namespace);
  for (const key of ["apiKey", "accounts"]) {
    const name = `${namespace}:${key}`;
    if (config.get(key) === undefined || (Array.isArray(secret) && secret.includes(name))) continue;
    void pulumi.log.warn(
      `${name} is stored in plain text. Run \`pulumi config set --secret ${name}\`, and change the key.`,
    );
  }
});
