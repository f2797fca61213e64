/** Reads rule files, and reads and writes files. An error names the file, and says why. */
import { isUtf8 } from "node:buffer";
import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { errorReason } from "../../provider/texts";
import { AuditError } from "./auditError";
import { createRequire } from "node:module";
import { parseRules, readRules, RuleSet } from "..";
import { packageName } from "../../provider/packageManifest";

// Reads and writes files. An error names the file, and says why.

/** @throws AuditError when the file can't be read or isn't UTF-8 */
export function readText(file: string): string {
  try {
    const content = readFileSync(file);
    if (!isUtf8(content)) throw new Error("it is not UTF-8");
    return content.toString("utf8").replace(/^\ufeff/, "");
  } catch (error) {
    throw new AuditError(`${file} can't be read: ${errorReason(error)}`);
  }
}

/**
 * Checks before the audit that all files can be written.
 *
 * @throws AuditError that names all files that can't
 */
export function checkWritable(files: readonly string[]): void {
  const problems = files.flatMap((file) => problemOf(file, () => assertWritable(file)) ?? []);
  if (problems.length > 0) throw new AuditError(problems.join("\n"));
}

/** @throws AuditError when the file can't be written */
export function writeFile(file: string, text: string): void {
  const problem = problemOf(file, () => writeFileSync(file, text));
  if (problem !== undefined) throw new AuditError(problem);
}

function assertWritable(file: string): void {
  const exists = existsSync(file);
  if (exists && statSync(file).isDirectory()) throw new Error("it is a directory");
  accessSync(exists ? file : dirname(file), constants.W_OK);
}

function problemOf(file: string, run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return `${file} can't be written: ${errorReason(error)}`;
  }
}

// Loads rule files.

/**
 * Loads a rule file: YAML, JSON, or a module that exports the rules as an object.
 *
 * @throws RulesError with every mistake in the rules
 * @throws AuditError when the file can't be read, or its code throws
 */
export function loadRules(file: string): RuleSet {
  const name = nameOf(file);
  if (/\.[cm]?ts$/.test(file)) {
    throw new AuditError(`${file} can't be loaded: it is TypeScript; compile it, and use the .js file`);
  }
  return isModule(file)
    ? locateAtStart(readRules(exportOf(file), name), name)
    : parseRules(readText(file), name);
}

/** Why a rule file can't be used where no code of it may run, or undefined when it can. */
export function codeProblem(file: string): string | undefined {
  return isModule(file) ? "must be a YAML or JSON file: the plugin runs no code of rule files" : undefined;
}

/** Whether loading a rule file runs its code. */
function isModule(file: string): boolean {
  return /\.[cm]?js$/.test(file);
}

/** Relative to the working directory when the file is inside it, as in pull requests. */
function nameOf(file: string): string {
  const path = relative("", file);
  return path.startsWith("..") || isAbsolute(path) ? file : path;
}

/** Code scanning rejects findings without a line, and rules in code have none. */
function locateAtStart({ preset, rules, channels, waivers }: RuleSet, file: string): RuleSet {
  const location = { file, line: 1, column: 1 };
  return new RuleSet({
    file,
    preset,
    channels,
    rules: rules.map((rule) => ({ ...rule, location })),
    waivers: waivers.map((waiver) => ({ ...waiver, location })),
  });
}

function exportOf(file: string): unknown {
  const path = resolve(file);
  try {
    const loaded: unknown = createRequire(path)(path);
    return typeof loaded === "object" && loaded !== null && "default" in loaded ? loaded.default : loaded;
  } catch (error) {
    const reason = errorReason(error);
    // The package of this command may be elsewhere, such as in the GitHub Action.
    const isUninstalled = /^Cannot find (?:package|module) '([^'/]+)/.exec(reason)?.[1] === packageName;
    const hint = isUninstalled ? "; install it in the folder of this file, such as with `npm ci`" : "";
    throw new AuditError(`${file} can't be loaded: ${reason}${hint}`);
  }
}
