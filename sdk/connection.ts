/** How a program reaches the service. The client, and with it axios and zod, is loaded when first needed. */
import * as pulumi from "@pulumi/pulumi";
import type { Connection, Connections } from "../provider/connection";
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

/** @throws InvalidInputError when there is no such account. */
export async function connect(account: string | undefined): Promise<Connection> {
  return (await allConnections()).connect(account);
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
      void pulumi.log.warn(`${key} is not known, and does nothing. Known are ${settingNames.join(", ")}.`);
    } else if (secretSettings.has(name) && Array.isArray(secret) && !secret.includes(key)) {
      void pulumi.log.warn(
        `${key} is stored in plain text. Run \`pulumi config set --secret ${key}\`, and change the key.`,
      );
    }
  }
});

/**
 * Equal for two names of one account, which the program must know before the provider checks the configuration. What
 * can't be right there yet is left to that check.
 */
export function accountKey(name: string | undefined): string {
  const { apiKey = name, accountId, baseUrl } = knownAccounts().get(name) ?? {};
  return JSON.stringify([baseUrl?.replace(/\/+$/, ""), accountId ?? apiKey]);
}

interface Account {
  readonly apiKey?: string | undefined;
  readonly accountId?: string | undefined;
  readonly baseUrl?: string | undefined;
}

const knownAccounts = perRun((): ReadonlyMap<string | undefined, Account> => {
  const config = new pulumi.Config(namespace);
  const setting = (key: keyof typeof variables): string | undefined =>
    process.env[variables[key]] || config.get(key);
  const baseUrl = setting("baseUrl");
  const named = Object.entries(parseAccounts(config.get("accounts")));
  return new Map<string | undefined, Account>([
    [undefined, { apiKey: setting("apiKey"), accountId: setting("accountId"), baseUrl }],
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
