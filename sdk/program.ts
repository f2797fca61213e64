/**
 * Holds the values that resources, components and data sources of one run of a program share. A process may run several programs,
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
import { wellFormed, withoutStack } from "../provider/engine";
import { didYouMean } from "../provider/texts";

/**
 * Returns a function that creates its value once per run, on first use. Unit tests have no stack: there, each call of
 * `pulumi.runtime.setMocks` starts a run, with a monitor of its own.
 */
export function perRun<T>(make: () => T): () => T {
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
 * Stops stack traces until the returned function is called. When a resource registers, Pulumi records four of them for
 * each property, to debug promises that never settle, and maps every frame to its source: in a program with hundreds of
 * resources, a third of its time. The one that Pulumi takes regardless, for the state, shows the line of the program.
 */
export function pauseStacks(): () => void {
  const { stackTraceLimit } = Error;
  const format: unknown = Reflect.get(Error, "prepareStackTrace");
  // Pulumi shows the stack traces if this variable is set.
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"] === undefined) Error.stackTraceLimit = 0;
  Error.prepareStackTrace = (error, sites) => {
    const shown: unknown[] = withoutClasses(sites);
    if (typeof format === "function") return Reflect.apply(format, Error, [error, shown]) as unknown;
    return [error, ...shown].join("\n    at ");
  };
  return () => Object.assign(Error, { stackTraceLimit, prepareStackTrace: format });
}

/** Pulumi takes the frame after these as that of the program: it expects one constructor between it and the program. */
const framesOfPulumi = 5;

/** Removes the constructors of this package, some of which call others, from the frames of a registration. */
function withoutClasses(sites: readonly NodeJS.CallSite[]): NodeJS.CallSite[] {
  const isOfPackage = (site: NodeJS.CallSite): boolean => dirname(site.getFileName() ?? "") === __dirname;
  const first = sites.findIndex(isOfPackage);
  const after = sites.findIndex((site, index) => index > first && !isOfPackage(site));
  // A bundle has the program in the same file.
  const isBundled = basename(__filename, extname(__filename)) !== "program";
  if (isBundled || first === -1 || after === -1) return [...sites];
  return [...sites.slice(0, framesOfPulumi), ...sites.slice(after)];
}

/** Returns the error that a constructor throws for an invalid declaration. It prints without a stack. */
export function declarationError(type: string, name: string, reason: string): Error {
  return withoutStack(new RunError(`${type} "${name}": ${reason}`));
}

type Options = Pick<pulumi.ComponentResourceOptions, "provider" | "providers" | "parent">;

/** Returns the explicit provider of this package that Pulumi selects by the options of a resource or of a call. */
export function explicitProviderOf({ provider, providers, parent }: Options = {}): object | undefined {
  const listed = Object.values(providers ?? {}).find(isOfThisPackage);
  return provider ?? listed ?? parent?.getProvider("monitoring:index:Provider");
}

/**
 * Rejects an explicit provider for a class that uses the stack's configuration.
 *
 * @throws RunError for an explicit provider, which would be ignored.
 */
export function assertNoProvider(type: string, name: string, options?: Options, wayOut = "Declare it"): void {
  if (explicitProviderOf(options) === undefined) return;
  throw declarationError(
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

/** Resources of this package that are declared after a gate wait for its result. */
const gates = perRun((): pulumi.ComponentResource[] => []);

/** Registers a component as a gate. Its `initialize` rejects to block the resources that are declared after it. */
export function registerGate(gate: pulumi.ComponentResource): void {
  gates().push(gate);
}

/** Adds a dependency on all gates that were declared before the resource. */
export function afterGates(options: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const earlier = gates();
  return earlier.length === 0 ? options : pulumi.mergeOptions(options, { dependsOn: [...earlier] });
}

/**
 * Runs a data source, and removes the stack of its errors.
 *
 * Must not use `throw`. Pulumi attaches a debugger to the program, and V8 then searches for a handler of each error that an
 * async function throws, along every path through the waiting promises. The outputs of a program form billions of paths,
 * so that a small program hung and exhausted its memory.
 */
export function withoutStacks<T>(work: () => Promise<T>): Promise<T> {
  const working = work();
  return working.catch((error: unknown) => {
    if (error instanceof MonitoringError) {
      withoutStack(error);
      withoutLateWarnings();
    }
    return working;
  });
}

/**
 * Stops Node's `PromiseRejectionHandledWarning`: the outputs of a failed data source reject one by one, and Pulumi handles
 * some of them after Node has reported them, so that the warnings would surround the message.
 */
function withoutLateWarnings(): void {
  // Node warns only where there is no listener.
  if (!process.listeners("rejectionHandled").includes(ignoreWarning))
    process.on("rejectionHandled", ignoreWarning);
}

function ignoreWarning(): void {}

/**
 * Replaces each lone surrogate in the arguments by U+FFFD. The engine fails with an unclear message on one at the end of a
 * string, before `check` runs; elsewhere it replaces it by U+FFFD itself.
 */
export function wellFormedArgs(args: object): pulumi.Inputs {
  return Object.fromEntries(
    Object.entries({ ...args }).map(([name, value]) => [wellFormed(name), replaceSurrogates(value)]),
  );
}

function replaceSurrogates(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (pulumi.Output.isInstance(value) || value instanceof Promise)
    return pulumi.output(value).apply(replaceSurrogates);
  if (Array.isArray(value)) return value.map(replaceSurrogates);
  const isPlain =
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? wellFormedArgs(value) : value;
}

/** The same arguments, each as a value or an output. */
export type OutputArgs<Args> = { [Name in keyof Args]: pulumi.Input<Listed<Args[Name]>> };
type Listed<Value> = Value extends readonly (infer Item)[] ? pulumi.Input<Item>[] : Value;

/** The same fields, each as an output of a resource. */
export type ResourceOutputs<Fields> = { readonly [Name in keyof Fields]-?: pulumi.Output<Fields[Name]> };

/**
 * Connects the program by its stack's settings and the environment. The client, with axios and zod, is loaded on first use.
 *
 * @throws ConfigurationError with all problems of the configuration.
 */
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
