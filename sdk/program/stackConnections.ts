/** The connections of a program. The client, with axios and zod, is loaded on first use. */
import * as pulumi from "@pulumi/pulumi";
import type { Connections } from "../../provider/connection/connections";
import { connectedSandboxes, namespace, variables } from "../../provider/connection/environmentVariables";
import { perRun } from "./run";
import { warnOfSettings } from "./stackSettings";

/** By the environment, which a test changes when it connects the program to another sandbox. */
const connections = perRun(() => new Map<string, Promise<Connections>>());

/** @throws ConfigurationError with all problems of the configuration. */
export async function allConnections(): Promise<Connections> {
  warnOfSettings();
  const names = [...Object.values(variables), connectedSandboxes];
  const environment = JSON.stringify(names.map((name) => process.env[name]));
  const known = connections().get(environment) ?? createConnections();
  connections().set(environment, known);
  return known;
}

async function createConnections(): Promise<Connections> {
  const provider = await import("../../provider/connection/connections");
  const config = new pulumi.Config(namespace);
  return new provider.Connections((key) => config.get(key), process.env);
}
