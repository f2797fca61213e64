/** Reads single settings from Pulumi configuration and environment, and collects every mistake in them. */
import { type z } from "zod";
import { type Problem } from "./client/errors";
import { schemaProblems } from "./api/operations";
import { secretSettings, variables } from "./settingNames";

/**
 * Gives the text of a configuration key of the namespace `monitoring`, or undefined. A command that runs without
 * Pulumi has no such function: it is told of the environment alone.
 */
export type ReadConfig = ((key: string) => string | undefined) | undefined;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Name of a configuration key that also has an environment variable; a variable that is set, and not empty, wins. */
export type Setting = keyof typeof variables;

/** Whether a stack's configuration is read, or the arguments of a provider that a program declares. */
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

  /** Notes a mistake, once per place. */
  addProblem(property: string, reason: string): void {
    if (!this.problems.some((known) => known.property === property)) this.problems.push({ property, reason });
  }

  /** Whether a mistake in this setting, or in anything in it, was noted. */
  isWrong(setting: string): boolean {
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

  /** Text that is JSON of this form. Mistakes are noted by place, and never quote a value: it may be a key. */
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

  /** Whether a setting that is `1` or `true` to be on is on. */
  isOn(setting: Setting): boolean {
    const text = this.text(setting)?.trim().toLowerCase() ?? "";
    if (!["", "0", "false", "1", "true"].includes(text))
      this.addProblem(this.nameOf(setting), "must be 1 or 0");
    return text === "1" || text === "true";
  }

  /** What a user calls a setting: the variable when that is what counts, otherwise the key in the configuration. */
  nameOf(setting: string): string {
    const variable = variableOf(setting);
    const counts = variable !== undefined && (this.#environment[variable] || !this.#config);
    if (counts) return variable;
    return this.#source === "provider" ? setting : `monitoring:${setting}`;
  }

  /** What sets a setting that is missing. */
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
