/**
 * Says how a resource is registered with the engine: through the dynamic provider or, for a native class, through the plugin.
 * It rejects a provider that the engine wouldn't find and an import that can't work, with advice.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, relative, sep } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { RunError, runtime } from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { pulumiHome } from "../provider/connection/environment";
import {
  dynamicToken,
  type FromProgram,
  nativeToken,
  programInput,
  providerModule,
  type ResourceType,
  serializedProvider,
  withoutStack,
} from "../provider/engine";
import { MonitoringError } from "../provider/client/errors";
import { recordError } from "../provider/previewFacts";
import {
  afterGates,
  assertNoProvider,
  declarationError,
  perRun,
  warnOfSettings,
  wellFormedArgs,
} from "./program";
import outputNames from "./outputNames.json";

/** The generator needs the compiled class of a new type before it can name its outputs. */
const registered: Readonly<Partial<Record<ResourceType, readonly string[]>>> = outputNames;

/**
 * Returns the arguments with which a class constructs Pulumi's resource.
 *
 * @throws RunError for a provider that the engine can't find, and for options that the class doesn't support.
 */
export function registrationOf(
  type: ResourceType,
  name: string,
  args: object,
  options: pulumi.CustomResourceOptions,
  { isNative }: { readonly isNative: boolean },
  program: ProgramInput = {},
): [token: string, name: string, inputs: pulumi.Inputs, options: pulumi.CustomResourceOptions] {
  warnOfSettings();
  if (isNative) assertPluginDeclared();
  else assertProviderInstalled();
  assertImportable(type, name, options, isNative);
  // Pulumi looks for the provider of another package in a parent, and finds none.
  if (!isNative) assertNoProvider(type, name, options, `Import the class from "${native}", or declare it`);
  // Pulumi returns only registered outputs to a program.
  const outputs = Object.fromEntries((registered[type] ?? []).map((output) => [output, undefined]));
  const [token, other] = isNative
    ? [nativeToken(type), dynamicToken(type)]
    : [dynamicToken(type), nativeToken(type)];
  return [
    token,
    name,
    {
      ...outputs,
      ...wellFormedArgs({
        ...args,
        // What a program only reads has no inputs of ours.
        ...(options.id === undefined && {
          [programInput]: {
            ...program,
            collects: runtime.isDryRun(),
            // What the engine doesn't tell a dynamic provider.
            ...(!isNative && { urn: urnOf(type, name, options.parent), previews: runtime.isDryRun() }),
          },
        }),
      }),
      ...(!isNative && { __provider: serializedProvider(type) }),
    },
    // A stack may contain resources of the other form of the class.
    pulumi.mergeOptions(afterGates(options), { aliases: [{ type: other }] }),
  ];
}

const native = "pulumi-monitoring-service/native";

/**
 * Rejects the import of a resource of the dynamic provider, which the engine doesn't ask to read it. The declaration of an observed
 * resource reads the object without an import.
 */
function assertImportable(
  type: ResourceType,
  name: string,
  options: pulumi.CustomResourceOptions,
  isNative: boolean,
): void {
  const isUpdate = type === "IncidentUpdate";
  const isImported = options.import !== undefined && !isNative;
  const isRead = options.id !== undefined && !isUpdate;
  if (!isImported && !isRead) return;
  const reason = isUpdate
    ? "can't be imported by the dynamic provider. Declare an identical update to adopt it"
    : "can't be imported or read by ID, because its declaration already reads the existing object. Remove the option";
  const way = isNative ? "" : `, or import it with the class from "${native}"`;
  throw declarationError(type, name, `${reason}${way}.`);
}

/** What a class knows of its resource. */
type ProgramInput = { readonly [Name in keyof FromProgram]?: pulumi.Input<FromProgram[Name] | object> };

/**
 * Computes the URN. The output of `createUrn` depends on the parent, and therefore on the other children of a component, which
 * would wait for each other.
 */
function urnOf(type: ResourceType, name: string, parent: pulumi.Resource | undefined): pulumi.Output<string> {
  return parentTypes(parent).apply((parents) => {
    const types = parents.filter((one) => one !== "pulumi:pulumi:Stack");
    const all = [...types, dynamicToken(type)].join("$");
    return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${all}::${name}`;
  });
}

/** The types of a resource and of those that it is in, from the outside to the inside. */
function parentTypes(resource: unknown): pulumi.Output<readonly string[]> {
  if (!pulumi.Resource.isInstance(resource)) return pulumi.output([]);
  const type = String(Reflect.get(resource, "__pulumiType"));
  // The parent of a component in a component package is of another process, which tells its URN alone.
  if (type === "") return resource.urn.apply((urn) => urn.split("::")[2]?.split("$") ?? []);
  return parentTypes(Reflect.get(resource, "__parentResource")).apply((outer) => [...outer, type]);
}

/**
 * Checks that the engine can find the plugin: otherwise it would try five downloads before it fails.
 *
 * @throws RunError with the lines to add to Pulumi.yaml.
 */
export const assertPluginDeclared = perRun((): void => {
  // A unit test with mocks needs no plugin.
  if (runtime.getMonitor() instanceof MockMonitor) return;
  const project = nearestAbove(process.cwd(), "Pulumi.yaml", "Pulumi.yml");
  // An inline program of the Automation API may have no project file; the engine then reports a missing plugin.
  if (project === undefined || isDeclaredIn(project) || isInstalled() || isOnPath()) return;
  throw withoutStack(
    new RunError(`The native plugin of pulumi-monitoring-service is not declared. Add this to Pulumi.yaml:

plugins:
  providers:
    - name: monitoring
      path: ${pluginPath(dirname(project))}
`),
  );
});

/**
 * Checks that the folder of the program resolves the dynamic provider, as the provider process does: a shared library may
 * have a copy of this package that only the library resolves, and a bundled program contains one.
 *
 * @throws RunError with the manifest that lacks the dependency.
 */
const assertProviderInstalled = perRun((): void => {
  // Pulumi sets it if it runs the program in the folder of the provider process, but not for unit tests and inline programs.
  if (process.env["PULUMI_NODEJS_MONITOR"] === undefined) return;
  const folder = process.cwd();
  try {
    createRequire(join(folder, "program.js")).resolve(providerModule);
  } catch {
    const manifest = nearestAbove(folder, "package.json") ?? join(folder, "package.json");
    const reason =
      `pulumi-monitoring-service can't be loaded from the folder of the program, where Pulumi loads its provider. Add the package to ` +
      `the dependencies in ${manifest}, even if a different package or a bundle contains it, and install the dependencies.`;
    throw withoutStack(new RunError(reason));
  }
});

/** Returns the first of the files that exists in the folder, or else in the nearest folder above it. */
function nearestAbove(folder: string, ...names: string[]): string | undefined {
  const path = names.map((name) => join(folder, name)).find(existsSync);
  const parent = dirname(folder);
  return path ?? (parent === folder ? undefined : nearestAbove(parent, ...names));
}

/** Returns the folder of the plugin in a project. A workspace may have its packages above the project, or a library its own ones. */
function pluginPath(folder: string): string {
  const plugin = join("node_modules", "pulumi-monitoring-service", "plugin");
  const installed = nearestAbove(folder, plugin) ?? nearestAbove(__dirname, plugin);
  return relative(folder, installed ?? join(folder, plugin)).replaceAll(sep, "/");
}

/** Searches the text without parsing it: the engine reports syntax errors. A key of the configuration isn't the plugin's name. */
function isDeclaredIn(file: string): boolean {
  const text = readFileSync(file, "utf8");
  const named = String.raw`["']?(?:name["']?\s*:\s*["']?monitoring(?![\w-])|monitoring["']?\s*:(?!\S))`;
  return new RegExp(String.raw`(?:^[ \t]+(?:-[ \t]*)?|^-[ \t]*|\{(?:[^}]*[{,\s])?)${named}`, "m").test(text);
}

function isInstalled(): boolean {
  const home = pulumiHome(process.env);
  const plugins = join(home ?? "", "plugins");
  return (
    home !== undefined &&
    existsSync(plugins) &&
    readdirSync(plugins).some((name) => name.startsWith("resource-monitoring-v"))
  );
}

function isOnPath(): boolean {
  const binary = "pulumi-resource-monitoring";
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.some((folder) => [binary, `${binary}.cmd`].some((name) => existsSync(join(folder, name))));
}

/**
 * Reports what a preview found wrong with a resource. It is an output, because an error of the provider would stop the preview before the
 * next resource.
 *
 * @param known What the program knows to be wrong with it, unless the provider finds the cause: six texts that are made of one unknown
 * value are equal, and each has its own mistake.
 */
export function reportProblemOf(resource: pulumi.CustomResource, known?: string): void {
  if (!runtime.isDryRun()) return;
  const returned: unknown = Reflect.get(resource, programInput);
  if (!pulumi.Output.isInstance(returned)) return;
  returned.apply((answer) => {
    const found: unknown = typeof answer === "object" && answer !== null && Reflect.get(answer, "problem");
    const text = typeof found === "string" ? found : known;
    if (text === undefined) return;
    recordError(text);
    void pulumi.log.error(text, resource);
    failAtEnd();
  });
}

/** Fails the run at its end: only Pulumi handles the rejection. */
const failAtEnd = perRun(() => {
  const text = "The preview fails: see the errors of its resources.";
  void Promise.reject(withoutStack(new MonitoringError(text), "summary"));
});
