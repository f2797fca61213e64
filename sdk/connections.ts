/** Connects a program by its stack's settings and the environment. The client, with axios and zod, is loaded on first use. */
import * as pulumi from "@pulumi/pulumi";
import { type Connections } from "../provider/connection";
import {
  connectedSandboxes,
  namespace,
  secretSettings,
  settingNames,
  variables,
} from "../provider/connection/environment";
import { didYouMean } from "../provider/texts";
import { perRun } from "./program";

/** @throws ConfigurationError with all problems of the configuration. */
export async function allConnections(): Promise<Connections> {
  warnOfSettings();
  const names = [...Object.values(variables), connectedSandboxes];
  const environment = JSON.stringify(names.map((name) => process.env[name]));
  const connecting = connections().get(environment) ?? createConnections();
  connections().set(environment, connecting);
  return connecting;
}

/** Connections by environment: a test changes the environment to connect the program to another sandbox. */
const connections = perRun(() => new Map<string, Promise<Connections>>());

async function createConnections(): Promise<Connections> {
  const provider = await import("../provider/connection");
  const config = new pulumi.Config(namespace);
  return new provider.Connections((key) => config.get(key), process.env);
}

/**
 * Warns once per run about unknown settings that aren't the project's own, and about API keys in plain text in the
 * stack's settings file.
 */
export const warnOfSettings = perRun(() => {
  const secretKeys = process.env["PULUMI_CONFIG_SECRET_KEYS"];
  // The engine sets it only for programs that it starts itself.
  const secret: unknown = secretKeys === undefined ? undefined : JSON.parse(secretKeys);
  for (const key of Object.keys(pulumi.runtime.allConfig())) {
    const [, name] = key.startsWith(`${namespace}:`) ? key.split(":") : [];
    if (name === undefined) continue;
    if (!settingNames.includes(name)) {
      if (pulumi.getProject() === namespace) continue;
      void pulumi.log.warn(
        `${key} is not a known setting and has no effect${didYouMean(name, settingNames)}. ` +
          `Known settings: ${settingNames.join(", ")}.`,
      );
    } else if (secretSettings.has(name) && Array.isArray(secret) && !secret.includes(key)) {
      void pulumi.log.warn(
        `${key} is stored in plain text. Run \`pulumi config set --secret ${key}\`, and rotate the key.`,
      );
    }
  }
});
