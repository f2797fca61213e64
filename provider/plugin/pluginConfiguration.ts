/** The configuration of one provider resource: of the default one, or of one that the program declares. */
import { Connections } from "../connection";
import { isUnknown } from "../engine/unknown";
import { type Properties } from "../lifecycles/lifecycle";
import { type Environment } from "../settings";
import { settingNames, variables } from "../settingNames";

/** What the engine keeps among the inputs of a provider for itself. */
const ofTheEngine: ReadonlySet<string> = new Set(["version", "pluginDownloadURL", "parameterization"]);

export function isSetting(name: string): boolean {
  return settingNames.includes(name) || ofTheEngine.has(name) || name.startsWith("__");
}

export function hasUnknown(inputs: Properties): boolean {
  return Object.values(inputs).some(isUnknown);
}

/** @throws ConfigurationError with every mistake in the configuration. */
export function connectionsOf(inputs: Properties, urn: string, signal?: AbortSignal): Connections {
  const isDefault = /::default(_\w+)*$/.test(urn);
  const environment = isDefault ? process.env : withoutWhatIsGiven(inputs, process.env);
  return new Connections((name) => textOf(inputs[name]), environment, {
    signal,
    source: isDefault ? "stack" : "provider",
  });
}

/** The arguments of a provider that a program declares win over the environment. */
function withoutWhatIsGiven(inputs: Properties, environment: Environment): Environment {
  const given = Object.entries(variables).flatMap(([name, variable]) =>
    textOf(inputs[name]) ? variable : [],
  );
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !given.some((one) => one === name)),
  );
}

/** Pulumi passes strings, and any other value as JSON in a string; YAML programs may pass the values themselves. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
