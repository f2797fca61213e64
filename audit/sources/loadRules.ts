/** The rule file of an audit. */
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isAbsolute, relative, resolve } from "node:path";
import { parseRules, readRules, RuleSet } from "..";
import { reasonOf, Refusal } from "./usageMistake";

/**
 * Reads a rule file: YAML, JSON, or a module whose export is the same as an object.
 *
 * @throws RulesError with every mistake in the rules
 * @throws Refusal when there is no such file, or its code fails
 */
export function loadRules(file: string): RuleSet {
  const name = nameOf(file);
  if (/\.[cm]?ts$/.test(file)) {
    throw new Refusal(`${file} can't be loaded: it is TypeScript; compile it, and give the .js file`);
  }
  return /\.[cm]?js$/.test(file)
    ? atStart(readRules(exportOf(file), name), name)
    : parseRules(textOf(file), name);
}

/** As pull requests name files: from this folder on, if it lies there. */
function nameOf(file: string): string {
  const path = relative("", file);
  return path.startsWith("..") || isAbsolute(path) ? file : path;
}

/** Code has no line for a rule, and code scanning refuses findings without a line. */
function atStart({ rules, channels, waivers }: RuleSet, file: string): RuleSet {
  const location = { file, line: 1, column: 1 };
  return new RuleSet({
    file,
    channels,
    rules: rules.map((rule) => ({ ...rule, location })),
    waivers: waivers.map((waiver) => ({ ...waiver, location })),
  });
}

function textOf(file: string): string {
  try {
    const content = readFileSync(file);
    if (!isUtf8(content)) throw new Error("it is no text in UTF-8");
    return content.toString("utf8");
  } catch (error) {
    throw new Refusal(`${file} can't be read: ${reasonOf(error)}`);
  }
}

function exportOf(file: string): unknown {
  const path = resolve(file);
  try {
    const loaded: unknown = createRequire(path)(path);
    return typeof loaded === "object" && loaded !== null && "default" in loaded ? loaded.default : loaded;
  } catch (error) {
    throw new Refusal(`${file} can't be loaded: ${reasonOf(error)}`);
  }
}
