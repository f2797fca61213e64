/** Checks that the engine can find the native plugin. Otherwise the engine would try five downloads before it fails. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join, relative, sep } from "node:path";
import { RunError, runtime } from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { pulumiHome } from "../../provider/connection/pulumiHome";
import { withoutStack } from "../../provider/engine/withoutStack";
import { perRun } from "./run";

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
