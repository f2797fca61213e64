/**
 * Prepares the registration of a resource with the engine: through the dynamic provider or, for a native class, through the plugin.
 * Rejects a provider that the engine wouldn't find, and an import that the provider doesn't support, with errors that state the next step.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, relative, sep } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { RunError, runtime } from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { findPulumiHome } from "../provider/connection/environment";
import {
  getDynamicToken,
  type ProgramInfo,
  getNativeToken,
  programInput,
  providerModule,
  type ResourceType,
  serializedProvider,
  removeStack,
} from "../provider/engine";
import { MonitoringError } from "../provider/client/errors";
import { recordMessage } from "../provider/previewFacts";
import {
  addGateDependencies,
  assertNoProvider,
  createDeclarationError,
  memoizePerRun,
  warnOfSettings,
  toWellFormedArgs,
} from "./program";
import outputNames from "./outputNames.json";

/** Names of the outputs by type. A new type has no entry until the generator has read its compiled class. */
const registered: Readonly<Partial<Record<ResourceType, readonly string[]>>> = outputNames;

/**
 * Returns the arguments that a class passes to the constructor of Pulumi's resource.
 *
 * @throws RunError for a provider that the engine can't find, and for options that the class doesn't support.
 */
export function createRegistration(
  type: ResourceType,
  name: string,
  args: object,
  options: pulumi.CustomResourceOptions,
  { isNative }: { readonly isNative: boolean },
  program: ProgramInfoArgs = {},
): [token: string, name: string, inputs: pulumi.Inputs, options: pulumi.CustomResourceOptions] {
  warnOfSettings();
  if (isNative) assertPluginDeclared();
  else assertProviderInstalled();
  assertImportable(type, name, options, isNative);
  // Pulumi would ignore the provider, because the package of a dynamic resource is `pulumi-nodejs` instead of `monitoring`.
  if (!isNative) assertNoProvider(type, name, options, `Import the class from "${native}", or declare it`);
  // Pulumi returns only registered outputs to a program.
  const outputs = Object.fromEntries((registered[type] ?? []).map((output) => [output, undefined]));
  const [token, other] = isNative
    ? [getNativeToken(type), getDynamicToken(type)]
    : [getDynamicToken(type), getNativeToken(type)];
  return [
    token,
    name,
    {
      ...outputs,
      ...toWellFormedArgs({
        ...args,
        // A resource that the program only reads gets no input from the program.
        ...(options.id === undefined && {
          [programInput]: {
            ...program,
            collectsProblems: runtime.isDryRun(),
            // The engine doesn't pass these to a dynamic provider.
            ...(!isNative && { urn: computeUrn(type, name, options.parent), previews: runtime.isDryRun() }),
          },
        }),
      }),
      ...(!isNative && { __provider: serializedProvider(type) }),
    },
    // With the alias, a stack can switch between the dynamic and the native class.
    pulumi.mergeOptions(addGateDependencies(options), { aliases: [{ type: other }] }),
  ];
}

const native = "pulumi-monitoring-service/native";

/**
 * Rejects the import of a dynamic resource, because the engine doesn't call a dynamic provider's `read` for an import. Also rejects reading
 * an observed resource by ID, because its declaration reads the object without an import.
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
  throw createDeclarationError(type, name, `${reason}${way}.`);
}

/** The input that contains what the program knows about its resource. */
type ProgramInfoArgs = { readonly [Name in keyof ProgramInfo]?: pulumi.Input<ProgramInfo[Name] | object> };

/**
 * Computes the URN. Pulumi's `createUrn` can't be used, because its output depends on the parent, and therefore on the component's other
 * children, so the children would wait for each other.
 */
function computeUrn(
  type: ResourceType,
  name: string,
  parent: pulumi.Resource | undefined,
): pulumi.Output<string> {
  return listParentTypes(parent).apply((parents) => {
    const types = parents.filter((one) => one !== "pulumi:pulumi:Stack");
    const all = [...types, getDynamicToken(type)].join("$");
    return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${all}::${name}`;
  });
}

/** Returns the types of a resource's ancestors and of the resource itself, outermost first. */
function listParentTypes(resource: unknown): pulumi.Output<readonly string[]> {
  if (!pulumi.Resource.isInstance(resource)) return pulumi.output([]);
  const type = String(Reflect.get(resource, "__pulumiType"));
  // In a component package, the parent of a component is in another process, and only its URN is known.
  if (type === "") return resource.urn.apply((urn) => urn.split("::")[2]?.split("$") ?? []);
  return listParentTypes(Reflect.get(resource, "__parentResource")).apply((outer) => [...outer, type]);
}

/**
 * Checks that the engine can find the plugin. Otherwise, the engine would try five downloads before it fails.
 *
 * @throws RunError with the lines to add to Pulumi.yaml.
 */
export const assertPluginDeclared = memoizePerRun((): void => {
  // A unit test with mocks needs no plugin.
  if (runtime.getMonitor() instanceof MockMonitor) return;
  const project = findAbove(process.cwd(), "Pulumi.yaml", "Pulumi.yml");
  // An inline program of the Automation API may have no project file; the engine then reports a missing plugin.
  if (project === undefined || isDeclaredIn(project) || isInstalled() || isOnPath()) return;
  throw removeStack(
    new RunError(`The native plugin of pulumi-monitoring-service is not declared. Add this to Pulumi.yaml:

plugins:
  providers:
    - name: monitoring
      path: ${findPluginPath(dirname(project))}
`),
  );
});

/**
 * Checks that the dynamic provider can be resolved from the program's folder, as the provider process will do. This fails if only a shared
 * library can resolve its copy of this package, or if the program is a bundle that contains a copy.
 *
 * @throws RunError that names the manifest without the dependency.
 */
const assertProviderInstalled = memoizePerRun((): void => {
  // Pulumi sets this variable if it runs the program in the folder of the provider process, but not for unit tests and inline programs.
  if (process.env["PULUMI_NODEJS_MONITOR"] === undefined) return;
  const folder = process.cwd();
  try {
    createRequire(join(folder, "program.js")).resolve(providerModule);
  } catch {
    const manifest = findAbove(folder, "package.json") ?? join(folder, "package.json");
    const reason =
      `pulumi-monitoring-service can't be loaded from the folder of the program, where Pulumi loads its provider. Add the package to ` +
      `the dependencies in ${manifest}, even if a different package or a bundle contains it, and install the dependencies.`;
    throw removeStack(new RunError(reason));
  }
});

/** Returns the first of the files that exists in the folder or, if there is none, in the nearest folder above it. */
function findAbove(folder: string, ...names: string[]): string | undefined {
  const path = names.map((name) => join(folder, name)).find(existsSync);
  const parent = dirname(folder);
  return path ?? (parent === folder ? undefined : findAbove(parent, ...names));
}

/** Returns the plugin's folder relative to the project. Packages may be installed above the project, in a workspace, or below a library. */
function findPluginPath(folder: string): string {
  const plugin = join("node_modules", "pulumi-monitoring-service", "plugin");
  const installed = findAbove(folder, plugin) ?? findAbove(__dirname, plugin);
  return relative(folder, installed ?? join(folder, plugin)).replaceAll(sep, "/");
}

/**
 * Returns true if the file declares the plugin. Searches the text without parsing it, because the engine reports syntax errors. Ignores
 * configuration keys such as `monitoring:apiKey`.
 */
function isDeclaredIn(file: string): boolean {
  const text = readFileSync(file, "utf8");
  const named = String.raw`["']?(?:name["']?\s*:\s*["']?monitoring(?![\w-])|monitoring["']?\s*:(?!\S))`;
  return new RegExp(String.raw`(?:^[ \t]+(?:-[ \t]*)?|^-[ \t]*|\{(?:[^}]*[{,\s])?)${named}`, "m").test(text);
}

function isInstalled(): boolean {
  const home = findPulumiHome(process.env);
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
 * Reports a problem that a preview found with a resource. The provider returns it as an output, because an error of the provider would stop
 * the preview before the next resource.
 *
 * @param known Problem that the program found, used if the provider found none. The provider may find the cause: six descriptions that
 * contain the same failed value look like duplicates in the program, but each has its own error.
 */
export function reportProblem(resource: pulumi.CustomResource, known?: string): void {
  if (!runtime.isDryRun()) return;
  const returned: unknown = Reflect.get(resource, programInput);
  if (!pulumi.Output.isInstance(returned)) return;
  returned.apply((answer) => {
    const found: unknown = typeof answer === "object" && answer !== null && Reflect.get(answer, "problem");
    const text = typeof found === "string" ? found : known;
    if (text === undefined) return;
    recordMessage(text);
    void pulumi.log.error(text, resource);
    failAtEnd();
  });
}

/** Fails the run at its end, because only Pulumi handles the rejection. */
const failAtEnd = memoizePerRun(() => {
  const text = "The preview fails: see the errors of its resources.";
  void Promise.reject(removeStack(new MonitoringError(text), "summary"));
});
