/** Reads settings from the Pulumi configuration and the environment, and collects all problems. */
import { type z } from "zod";
import { type Problem } from "./client/errors";
import { schemaProblems } from "./api/operations";
import { secretSettings, variables } from "./settingNames";

/**
 * Returns the value of a configuration key of the namespace `monitoring`, or undefined. A command that runs without Pulumi
 * has no such function and reads the environment only.
 */
export type ReadConfig = ((key: string) => string | undefined) | undefined;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Name of a setting that also has an environment variable. */
export type Setting = keyof typeof variables;

/** The source of the configuration: the stack, or the arguments of a declared provider. */
export type ConfigSource = "stack" | "provider";

export class Settings {
  readonly problems: Problem[] = [];
  readonly #config: ReadConfig;
  readonly #environment: Environment;
  readonly #source: ConfigSource;

  constructor(config: ReadConfig, environment: Environment, source: ConfigSource = "stack") {
    this.#source = source;
    this.#config = config;
    this.#environment = environment;
  }

  /** Records a problem, once per property. */
  addProblem(property: string, reason: string): void {
    if (!this.problems.some((known) => known.property === property)) this.problems.push({ property, reason });
  }

  /** Whether a problem of this setting, or of a value in it, was recorded. */
  hasProblem(setting: string): boolean {
    const name = this.nameOf(setting);
    return this.problems.some(({ property }) => property === name || property.startsWith(`${name}.`));
  }

  text(setting: Setting): string | undefined {
    return this.#environment[variables[setting]] || this.#config?.(setting) || undefined;
  }

  number(setting: Setting): number | undefined {
    const text = this.text(setting);
    return text === undefined ? undefined : /^\d+$/.test(text.trim()) ? Number(text) : NaN;
  }

  /** A JSON value of this schema. Problems name the property and never quote the value, which may be a key. */
  json<T>(setting: Setting | "accounts", schema: z.ZodType<T>): T | undefined {
    const text = setting === "accounts" ? this.#config?.(setting) : this.text(setting);
    if (!text) return undefined;
    const property = this.nameOf(setting);
    const value = parseJson(text);
    for (const problem of schemaProblems(schema, value)) {
      const at = problem.property === "arguments" ? property : `${property}.${problem.property}`;
      this.addProblem(at, problem.reason);
    }
    return schema.safeParse(value).data;
  }

  /** Whether a boolean setting is `1` or `true`. */
  isOn(setting: Setting): boolean {
    const text = this.text(setting)?.trim().toLowerCase() ?? "";
    if (!["", "0", "false", "1", "true"].includes(text))
      this.addProblem(this.nameOf(setting), "must be true, false, 1 or 0");
    return text === "1" || text === "true";
  }

  /** The name of a setting for the user: the variable when it takes effect, otherwise the configuration key. */
  nameOf(setting: string): string {
    const variable = variableOf(setting);
    const usesVariable = variable !== undefined && (this.#environment[variable] || !this.#config);
    if (usesVariable) return variable;
    return this.#source === "provider" ? setting : `monitoring:${setting}`;
  }

  /** The command that sets a missing setting. */
  howToSet(setting: string): string {
    const variable = variableOf(setting);
    if (!this.#config) return `run \`export ${variable}=…\``;
    if (this.#source === "provider")
      return `pass ${setting} to the Provider` + (variable ? `, or set ${variable}` : "");
    const secret = secretSettings.has(setting) ? "--secret " : "";
    return (
      `run \`pulumi config set ${secret}monitoring:${setting}\`` + (variable ? `, or set ${variable}` : "")
    );
  }
}

function variableOf(setting: string): string | undefined {
  return setting in variables ? variables[setting as Setting] : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
