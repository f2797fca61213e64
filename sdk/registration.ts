/** Which resources can be imported, and what one that can't says. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join, relative, sep } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { RunError, runtime } from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { pulumiHome } from "../provider/connection/environment";
import {
  withoutStack,
  dynamicToken,
  nativeToken,
  type ResourceType,
  serializedProvider,
} from "../provider/engine";
import { declarationError, perRun } from "./program";
import outputNames from "./outputNames.json";

// Checks that the engine can find the native plugin. Otherwise the engine would try five downloads before it fails.

const binary = "pulumi-resource-monitoring";

const howToDeclare = (
  path: string,
): string => `The native plugin of pulumi-monitoring-service is not declared. Add this to Pulumi.yaml:

plugins:
  providers:
    - name: monitoring
      path: ${path}
`;

/** @throws RunError with the lines to add to Pulumi.yaml. */
export const assertPluginDeclared = perRun((): void => {
  // A unit test with mocks needs no plugin.
  if (runtime.getMonitor() instanceof MockMonitor) return;
  const project = projectFile(process.cwd());
  // An inline program of the Automation API may have no project file; the engine then reports a missing plugin.
  if (project === undefined || isDeclared(project) || isInstalled() || isOnPath()) return;
  throw withoutStack(new RunError(howToDeclare(pluginPath(dirname(project)))));
});

function projectFile(folder: string): string | undefined {
  return foundAbove(folder, "Pulumi.yaml", "Pulumi.yml");
}

/** The first of the files in the folder, or else in the nearest folder above it. */
function foundAbove(folder: string, ...names: string[]): string | undefined {
  const found = names.map((name) => join(folder, name)).find(existsSync);
  const parent = dirname(folder);
  return found ?? (parent === folder ? undefined : foundAbove(parent, ...names));
}

/** Where a project has the plugin: a workspace may have its packages above it. As Node finds it, but with links. */
function pluginPath(folder: string): string {
  const installed = foundAbove(folder, join("node_modules", "pulumi-monitoring-service", "plugin"));
  return relative(folder, installed ?? join(__dirname, "..", "..", "..", "plugin")).replaceAll(sep, "/");
}

/** Searches the text without parsing it: the engine reports syntax errors. */
function isDeclared(file: string): boolean {
  const text = readFileSync(file, "utf8");
  return /^(?:[ \t]+|[ \t]*-[ \t]*)(?:-[ \t]*)?(?:["']?name["']?\s*:\s*["']?monitoring\b|["']?monitoring["']?\s*:)|\{[^}]*\b["']?name["']?\s*:\s*["']?monitoring\b/m.test(
    text,
  );
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
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.some((folder) => [binary, `${binary}.cmd`].some((name) => existsSync(join(folder, name))));
}

// Registers resources with the engine: through the dynamic provider or, for native classes, through the plugin.

/** A resource class. */
interface ResourceClass {
  /** Whether the native plugin serves the class. */
  readonly isNative: boolean;
}

interface Registration {
  readonly token: string;
  /** All outputs, none of them set: Pulumi returns only registered outputs to a program. */
  readonly outputs: pulumi.Inputs;
  readonly inputs: pulumi.Inputs;
  /** A stack may contain resources of the other form of the class. */
  readonly aliases: pulumi.Alias[];
}

export function registrationOf(type: ResourceType, { isNative }: ResourceClass): Registration {
  const outputs = Object.fromEntries(outputNames[type].map((name) => [name, undefined]));
  if (!isNative) {
    const inputs = {
      __provider: serializedProvider(type),
      // A dynamic provider learns by it that the engine previews, and which values it may show.
      ...(pulumi.runtime.isDryRun() && { __preview: {} }),
    };
    return { token: dynamicToken(type), outputs, inputs, aliases: [{ type: nativeToken(type) }] };
  }
  assertPluginDeclared();
  return { token: nativeToken(type), outputs, inputs: {}, aliases: [{ type: dynamicToken(type) }] };
}

type Options = Pick<pulumi.CustomResourceOptions, "id" | "import">;

const native = 'import it with the class from "pulumi-monitoring-service/native".';

/** @throws RunError for an import by the dynamic provider, which the engine doesn't ask to read what is imported. */
export function assertUpdateImportable(name: string, options: Options, { isNative }: ResourceClass): void {
  if (options.import === undefined || isNative) return;
  throw declarationError(
    "IncidentUpdate",
    name,
    `can't be imported by the dynamic provider. Declare an identical update to adopt it, or ${native}`,
  );
}

/** @throws RunError also for an id: declaring an observed resource reads the object. */
export function assertObservedImportable(
  type: ResourceType,
  name: string,
  options: Options,
  { isNative }: ResourceClass,
): void {
  if (options.id === undefined && (options.import === undefined || isNative)) return;
  throw declarationError(
    type,
    name,
    "can't be imported or read by id: declaring it reads the existing object. Remove the option" +
      (isNative ? "." : `, or ${native}`),
  );
}
