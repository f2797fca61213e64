/** How a program reaches the service. The client, and with it axios and zod, is loaded when first needed. */
import * as pulumi from "@pulumi/pulumi";
import type { Connections } from "../provider/connection";
import { secretSettings, settingNames, variables } from "../provider/settingNames";
import { perRun } from "./run";

const namespace = "monitoring";

const connections = perRun(async (): Promise<Connections> => {
  const provider = await import("../provider/connection");
  const config = new pulumi.Config(namespace);
  return new provider.Connections((key) => config.get(key), process.env);
});

/** @throws ConfigurationError with every mistake in the configuration. */
export async function allConnections(): Promise<Connections> {
  warnOfSettings();
  return connections();
}

/**
 * Tells once in each run of settings that are misspelt, and of an API key that is readable in the stack's settings
 * file.
 */
export const warnOfSettings = perRun(() => {
  const secretKeys = process.env["PULUMI_CONFIG_SECRET_KEYS"];
  // Only a program that the engine started itself is told which keys are secret.
  const secret: unknown = secretKeys === undefined ? undefined : JSON.parse(secretKeys);
  for (const key of Object.keys(pulumi.runtime.allConfig())) {
    const [, name] = key.startsWith(`${namespace}:`) ? key.split(":") : [];
    if (name === undefined) continue;
    if (!settingNames.includes(name)) {
      void pulumi.log.warn(
        `${key} is not a known setting and has no effect. Known settings: ${settingNames.join(", ")}.`,
      );
    } else if (secretSettings.has(name) && Array.isArray(secret) && !secret.includes(key)) {
      void pulumi.log.warn(
        `${key} is stored in plain text. Run \`pulumi config set --secret ${key}\`, and rotate the key.`,
      );
    }
  }
});

/** The base URL of an account, before the provider checks it: an incident is the same in all accounts of one service. */
export function baseUrlOf(account: string | undefined): string {
  const { baseUrl = "" } = knownAccounts().get(account) ?? {};
  return baseUrl.replace(/\/+$/, "");
}

interface Account {
  readonly baseUrl?: string | undefined;
}

const knownAccounts = perRun((): ReadonlyMap<string | undefined, Account> => {
  const config = new pulumi.Config(namespace);
  const baseUrl = process.env[variables.baseUrl] || config.get("baseUrl");
  const named = Object.entries(parseAccounts(config.get("accounts")));
  return new Map<string | undefined, Account>([
    [undefined, { baseUrl }],
    ...named.map(([name, account]) => [name, { baseUrl, ...account }] as const),
  ]);
});

function parseAccounts(text = "{}"): Readonly<Record<string, Account>> {
  try {
    const accounts: unknown = JSON.parse(text);
    return isObject(accounts) ? accounts : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Readonly<Record<string, object>> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((one) => typeof one === "object")
  );
}
