/**
 * Holds the values that the resources, components and data sources in one run of a program share. A process may run several programs,
 * sequentially or concurrently, so every shared value belongs to a run.
 */
import { basename, dirname, extname } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { RunError, runtime } from "@pulumi/pulumi";
import { MonitoringError } from "../provider/client/errors";
import { type Connections } from "../provider/connection";
import {
  connectedSandboxes,
  namespace,
  secretSettings,
  settingNames,
  variables,
} from "../provider/connection/environment";
import { toWellFormed, removeStack } from "../provider/engine";
import { formatSuggestion } from "../provider/texts";

/**
 * Returns a function that creates its value once per run, on first use. Unit tests have no stack. In them, each call of
 * `pulumi.runtime.setMocks` starts a run, because it sets a new monitor.
 */
export function memoizePerRun<T>(make: () => T): () => T {
  const values = new WeakMap<object, { value: T }>();
  // The key for code outside a run, such as a script.
  const noRun = {};
  return () => {
    const run = runtime.getStackResource() ?? runtime.getMonitor() ?? noRun;
    const entry = values.get(run) ?? { value: make() };
    values.set(run, entry);
    return entry.value;
  };
}

/**
 * Stops stack traces until the returned function is called. When a resource registers, Pulumi records four stack traces for each property,
 * to debug promises that never settle, and maps every frame to its source. In a program with hundreds of resources, this takes a third of
 * the time. Pulumi still records one stack trace for the state, and that trace starts at the line of the program.
 */
export function pauseStackTraces(): () => void {
  const { stackTraceLimit } = Error;
  const format: unknown = Reflect.get(Error, "prepareStackTrace");
  // Pulumi shows the stack traces if this variable is set.
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"] === undefined) Error.stackTraceLimit = 0;
  Error.prepareStackTrace = (error, sites) => {
    const shown: unknown[] = removeConstructors(sites);
    if (typeof format === "function") return Reflect.apply(format, Error, [error, shown]) as unknown;
    return [error, ...shown].join("\n    at ");
  };
  return () => Object.assign(Error, { stackTraceLimit, prepareStackTrace: format });
}

/** Number of frames before the frame that Pulumi treats as the program's. Pulumi expects one constructor between itself and the program. */
const framesOfPulumi = 5;

/** Removes this package's constructors from the frames of a registration. Some of these constructors call each other. */
function removeConstructors(sites: readonly NodeJS.CallSite[]): NodeJS.CallSite[] {
  const isOfPackage = (site: NodeJS.CallSite): boolean => dirname(site.getFileName() ?? "") === __dirname;
  const first = sites.findIndex(isOfPackage);
  const after = sites.findIndex((site, index) => index > first && !isOfPackage(site));
  // In a bundle, the program is in the same file, so frames of this package can't be distinguished.
  const isBundled = basename(__filename, extname(__filename)) !== "program";
  if (isBundled || first === -1 || after === -1) return [...sites];
  return [...sites.slice(0, framesOfPulumi), ...sites.slice(after)];
}

/** Returns the error that a constructor throws for an invalid declaration. It prints without a stack. */
export function createDeclarationError(type: string, name: string, reason: string): Error {
  return removeStack(new RunError(`${type} "${name}": ${reason}`));
}

type Options = Pick<pulumi.ComponentResourceOptions, "provider" | "providers" | "parent">;

/** Returns this package's explicit provider that Pulumi selects for the options of a resource or a call. */
export function findExplicitProvider({ provider, providers, parent }: Options = {}): object | undefined {
  const listed = Object.values(providers ?? {}).find(isOfThisPackage);
  return provider ?? listed ?? parent?.getProvider("monitoring:index:Provider");
}

/**
 * Rejects an explicit provider for a class that uses the stack's configuration.
 *
 * @throws RunError for an explicit provider, because it would be ignored.
 */
export function assertNoProvider(type: string, name: string, options?: Options, wayOut = "Declare it"): void {
  if (findExplicitProvider(options) === undefined) return;
  throw createDeclarationError(
    type,
    name,
    "uses the stack's configuration and would ignore the explicit provider in its options or of its parent. " +
      `${wayOut} without an explicit provider, and set the argument \`account\`.`,
  );
}

/** Compares the package's name instead of the class, because a program may contain several copies of this package. */
function isOfThisPackage(provider: pulumi.ProviderResource): boolean {
  return Reflect.get(provider, "pkg") === "monitoring";
}

/** The gates that were declared so far. Resources of this package that are declared after a gate wait for its result. */
const gates = memoizePerRun((): pulumi.ComponentResource[] => []);

/** Registers a component as a gate. Its `initialize` rejects to block the resources that are declared after it. */
export function registerGate(gate: pulumi.ComponentResource): void {
  gates().push(gate);
}

/** Adds a dependency on all gates that were declared before the resource. */
export function addGateDependencies(options: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const earlier = gates();
  return earlier.length === 0 ? options : pulumi.mergeOptions(options, { dependsOn: [...earlier] });
}

/**
 * Runs a data source and removes the stack traces from its errors.
 *
 * Must not use `throw`. Pulumi attaches a debugger to the program. For each error that an async function throws, V8 then searches for a
 * handler along every path through the waiting promises. The outputs of a program form billions of paths, so a small program hung and
 * exhausted its memory.
 */
export function runWithoutStacks<T>(work: () => Promise<T>): Promise<T> {
  const working = work();
  return working.catch((error: unknown) => {
    if (error instanceof MonitoringError) {
      removeStack(error);
      suppressLateWarnings();
    }
    return working;
  });
}

/**
 * Stops Node's `PromiseRejectionHandledWarning`. The outputs of a failed data source reject separately, and Pulumi handles some of them
 * after Node has reported them, so the warnings would surround the message.
 */
function suppressLateWarnings(): void {
  // Node prints the warning only if there is no listener.
  if (!process.listeners("rejectionHandled").includes(ignoreWarning))
    process.on("rejectionHandled", ignoreWarning);
}

function ignoreWarning(): void {}

/**
 * Replaces each lone surrogate in the arguments with U+FFFD. On a lone surrogate at the end of a string, the engine fails with an unclear
 * message before `check` runs. In other positions, the engine itself replaces the surrogate with U+FFFD.
 */
export function toWellFormedArgs(args: object): pulumi.Inputs {
  return Object.fromEntries(
    Object.entries({ ...args }).map(([name, value]) => [toWellFormed(name), replaceSurrogates(value)]),
  );
}

function replaceSurrogates(value: unknown): unknown {
  if (typeof value === "string") return toWellFormed(value);
  if (pulumi.Output.isInstance(value) || value instanceof Promise)
    return pulumi.output(value).apply(replaceSurrogates);
  if (Array.isArray(value)) return value.map(replaceSurrogates);
  const isPlain =
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? toWellFormedArgs(value) : value;
}

/** Arguments that can each be a plain value or an output. */
export type OutputArgs<Args> = { [Name in keyof Args]: pulumi.Input<Listed<Args[Name]>> };
type Listed<Value> = Value extends readonly (infer Item)[] ? pulumi.Input<Item>[] : Value;

/** Fields as the outputs of a resource. */
export type ResourceOutputs<Fields> = { readonly [Name in keyof Fields]-?: pulumi.Output<Fields[Name]> };

/**
 * Connects the program with the settings of its stack and the environment. The client is loaded on first use, because it loads axios and
 * zod.
 *
 * @throws ConfigurationError with all problems of the configuration.
 */
export async function getConnections(): Promise<Connections> {
  warnOfSettings();
  const names = [...Object.values(variables), connectedSandboxes];
  const environment = JSON.stringify(names.map((name) => process.env[name]));
  const connecting = connections().get(environment) ?? createConnections();
  connections().set(environment, connecting);
  return connecting;
}

/** Connections by environment, because a test changes the environment to connect the program to another sandbox. */
const connections = memoizePerRun(() => new Map<string, Promise<Connections>>());

async function createConnections(): Promise<Connections> {
  const provider = await import("../provider/connection");
  const config = new pulumi.Config(namespace);
  return new provider.Connections((key) => config.get(key), process.env);
}

/**
 * Warns once per run about unknown settings that aren't the project's own, and about API keys in plain text in the
 * stack's settings file.
 */
export const warnOfSettings = memoizePerRun(() => {
  const secretKeys = process.env["PULUMI_CONFIG_SECRET_KEYS"];
  // The engine sets this variable only for programs that it starts itself.
  const secret: unknown = secretKeys === undefined ? undefined : JSON.parse(secretKeys);
  for (const key of Object.keys(pulumi.runtime.allConfig())) {
    const [, name] = key.startsWith(`${namespace}:`) ? key.split(":") : [];
    if (name === undefined) continue;
    if (!settingNames.includes(name)) {
      if (pulumi.getProject() === namespace) continue;
      void pulumi.log.warn(
        `${key} is not a known setting and has no effect${formatSuggestion(name, settingNames)}. ` +
          `Known settings: ${settingNames.join(", ")}.`,
      );
    } else if (secretSettings.has(name) && Array.isArray(secret) && !secret.includes(key)) {
      void pulumi.log.warn(
        `${key} is stored in plain text. Run \`pulumi config set --secret ${key}\`, and rotate the key.`,
      );
    }
  }
});

/** Returns the values that messages may show, because the engine doesn't indicate to a dynamic provider which values are secrets. */
export function getPublicContent({
  description,
  name,
}: {
  readonly description?: unknown;
  readonly name?: unknown;
}): pulumi.Output<object> {
  const texts = Object.entries({ description, name }).map(async ([property, value]) => {
    const text = pulumi.output(value);
    return (await pulumi.isSecret(text)) ? {} : { [property]: text };
  });
  return pulumi.output(texts).apply((all): object => Object.assign({}, ...all) as object);
}

const declarations = memoizePerRun(() => ({ count: 0 }));

/** Returns the position of a declared update or incident in the program, starting at 1. Undefined outside a preview, which shows it. */
export function countDeclaration(): number | undefined {
  return pulumi.runtime.isDryRun() ? (declarations().count += 1) : undefined;
}
