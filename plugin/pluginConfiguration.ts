/** Holds the configuration of one provider resource: the default provider, or a provider that the program declares. */
import {
  type CheckRequest,
  CheckResponse,
  type ConfigureRequest,
  ConfigureResponse,
  type DiffRequest,
  type DiffResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { ConfigurationError, MonitoringError } from "../provider/client";
import {
  Configuration,
  Connections,
  type ConnectionsOptions,
  namespace,
  secretSettings,
  settingNames,
} from "../provider/connection";
import { isUnknown } from "../provider/engine";
import { type Properties, hideProperty } from "../provider/lifecycles";
import { formatNotKnown, type Problem } from "../provider/texts";
import { createCheckFailure, createDiffResponse, readStruct, writeStruct } from "./wire";

export class PluginConfiguration extends Configuration {
  readonly #options: ConnectionsOptions;
  #accepted: string | undefined;

  constructor(options: ConnectionsOptions) {
    super();
    this.#options = options;
  }

  check(request: CheckRequest): CheckResponse {
    const { values: passed, secrets } = readStruct(request.getNews());
    const values = canContainProjectKeys(request.getUrn()) ? pickSettings(passed) : passed;
    const unknown = Object.keys(values).filter((name) => !isSetting(name));
    const problems = [
      ...unknown.map((property) => ({ property, reason: formatNotKnown(property, settingNames) })),
      ...(isUnknown(values) ? [] : findProblems(values, request.getUrn())),
    ];
    return new CheckResponse()
      .setInputs(writeStruct(values, new Set([...secrets, ...secretSettings])))
      .setFailuresList(problems.map(hideProperty).map(createCheckFailure));
  }

  /** Never requests a replacement, because the engine also calls this when a resource moves to this provider. */
  diff(request: DiffRequest): DiffResponse {
    const before = serializeValues(readStruct(request.getOldInputs() ?? request.getOlds()).values);
    const after = serializeValues(readStruct(request.getNews()).values);
    return createDiffResponse(before !== after);
  }

  /**
   * Accepts only one configuration. The engine configures a process once, but any user of this machine can call the process. Such a user
   * must not be able to send an API key from the environment to a different host.
   *
   * @throws MonitoringError if the process already has a different configuration
   */
  accept(request: ConfigureRequest): ConfigureResponse {
    const { values } = readStruct(request.getArgs());
    const urn = request.getUrn() || defaultProvider;
    const accepted = JSON.stringify([urn, serializeValues(values)]);
    if (this.#accepted !== undefined && this.#accepted !== accepted)
      throw new MonitoringError(configuredOtherwise);
    this.#accepted = accepted;
    this.connectOnce(() => createConnections(values, urn, this.#options));
    return new ConfigureResponse()
      .setAcceptsecrets(true)
      .setSupportspreview(true)
      .setAcceptresources(false)
      .setAcceptoutputs(false);
  }
}

const configuredOtherwise =
  "The plugin of pulumi-monitoring-service is already configured for a different provider. Each provider needs a separate process.";

/** Inputs of a provider that only the engine uses. */
const engineInputs: ReadonlySet<string> = new Set(["version", "pluginDownloadURL", "parameterization"]);

function isSetting(name: string): boolean {
  return settingNames.includes(name) || engineInputs.has(name) || name.startsWith("__");
}

const defaultProvider = "::default";

/** Returns true for the default provider. The engine appends the version and the download URL of the plugin to its name. */
function isDefault(urn: string): boolean {
  return /::default(?:_[^:]*)?$/.test(urn);
}

/** Returns true if the values may include the project's own keys, because the engine passes the whole namespace to the default provider. */
function canContainProjectKeys(urn: string): boolean {
  return isDefault(urn) && urn.split("::")[1] === namespace;
}

function pickSettings(values: Properties): Properties {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isSetting(name)));
}

function createConnections(inputs: Properties, urn: string, options?: ConnectionsOptions): Connections {
  return new Connections((name) => formatSetting(inputs[name]), process.env, {
    ...options,
    source: isDefault(urn) ? "stack" : "provider",
  });
}

/** Returns a value as text. Pulumi passes a value that isn't a string as JSON in a string, but a YAML program may pass it directly. */
function formatSetting(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function findProblems(values: Properties, urn: string): readonly Problem[] {
  try {
    createConnections(values, urn);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems;
  }
}

function serializeValues(values: Properties): string {
  return JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}
