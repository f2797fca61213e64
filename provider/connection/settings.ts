/** Reads settings from the Pulumi configuration and the environment, and collects all their problems. */
import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { validateChannelId, type Id } from "../api";
import { accountOptions } from "../client";
import { parseJson, type Problem } from "../texts";
import { refineWith, toProblems } from "../problems";
import { parseCodes } from "../resendCodes";
import { findPulumiHome, secretSettings, variables } from "./environment";

/**
 * Returns the value of a configuration key of the namespace `monitoring`, or undefined. A command that runs without Pulumi passes no such
 * function and only reads the environment.
 */
export type ReadConfig = ((key: string) => string | undefined) | undefined;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Name of a setting that also has an environment variable. */
type Setting = keyof typeof variables;

/**
 * The source of the configuration. The environment takes precedence over the stack, and the arguments of a declared provider
 * take precedence over the environment.
 */
export type ConfigSource = "stack" | "provider";

export class Settings {
  readonly problems: Problem[] = [];
  readonly #config: ReadConfig;
  readonly #environment: Environment;

  constructor(
    config: ReadConfig,
    environment: Environment,
    readonly source: ConfigSource = "stack",
  ) {
    this.#config = config;
    this.#environment = environment;
  }

  addProblem(property: string, reason: string): void {
    if (!this.problems.some((recorded) => recorded.property === property))
      this.problems.push({ property, reason });
  }

  /** Returns true if a problem of this setting, or of a value in it, was recorded. */
  hasProblem(setting: string): boolean {
    const name = this.getName(setting);
    return this.problems.some(({ property }) => property === name || property.startsWith(`${name}.`));
  }

  getText(setting: Setting | "accounts"): string | undefined {
    return this.#listValues(setting)[0]?.text;
  }

  /** Returns the API keys, each once, and their settings. Includes overridden keys, because they may belong to another run or Provider. */
  listApiKeys(): { readonly setting: string; readonly key: string }[] {
    const all = this.#listValues("apiKey");
    return all
      .filter(({ text }, index) => all.findIndex((other) => other.text === text) === index)
      .map(({ name, text }) => ({ setting: this.#formatName(name, "apiKey"), key: text }));
  }

  getNumber(setting: Setting): number | undefined {
    const text = this.getText(setting);
    return text === undefined ? undefined : /^\d+$/.test(text) ? Number(text) : NaN;
  }

  getAccounts(): z.output<typeof accounts> {
    return this.#parseJson("accounts", accounts) ?? {};
  }

  getAlertChannels(): z.output<typeof alertChannels> {
    return this.#parseJson("alertChannels", alertChannels) ?? {};
  }

  /**
   * Returns the folder of the locks and records of this user's runs; undefined without a setting and a home. It doesn't use a folder that
   * all users share, because another user could create it first.
   */
  getLockDirectory(): string | undefined {
    const directory = this.getText("lockDirectory");
    // A provider process runs in the folder of its project, and `~` isn't expanded.
    if (directory !== undefined && !isAbsolute(directory)) {
      this.addProblem(
        this.getName("lockDirectory"),
        "must be an absolute path, because a relative path is a different directory in each project",
      );
    }
    const home = findPulumiHome(this.#environment);
    return directory ?? (home && join(home, "monitoring-locks"));
  }

  /** Returns codes of 8 hexadecimal digits. Merges the codes of all sources, because each code applies to a different update. */
  getCodes(setting: Setting): readonly string[] {
    const codes = this.#listValues(setting).flatMap(({ name, text }) => {
      const parsed = parseCodes(text);
      if (!("problem" in parsed)) return parsed;
      this.addProblem(name, parsed.problem);
      return [];
    });
    return [...new Set(codes)];
  }

  /** Returns true if a boolean setting is `1` or `true`. An argument of a provider can't disable a setting that the environment enables. */
  isOn(setting: Setting): boolean {
    return this.#readFlags(setting).includes(true);
  }

  /** Returns true if a boolean setting that is on by default is `0` or `false`. */
  isOff(setting: Setting): boolean {
    return this.#readFlags(setting)[0] === false;
  }

  /** Parses a JSON value of this schema. Problems contain the property and never the value, because it may be a key. */
  #parseJson<T>(setting: Setting | "accounts", schema: z.ZodType<T>): T | undefined {
    const text = this.getText(setting);
    if (!text) return undefined;
    const property = this.getName(setting);
    const value = parseJson(text);
    if (typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__"))
      this.addProblem(`${property}.__proto__`, "can't be used as a name");
    const { data, error } = schema.safeParse(value);
    for (const problem of error ? toProblems(error, [property]) : []) {
      this.addProblem(problem.property, problem.reason);
    }
    return data;
  }

  /** Returns the values of a boolean setting that take effect. The first value takes precedence. */
  #readFlags(setting: Setting): boolean[] {
    const values = this.#listValues(setting);
    return (this.source === "provider" ? values : values.slice(0, 1)).map(({ name, text }) => {
      const word = text.toLowerCase();
      if (!["0", "false", "1", "true"].includes(word)) {
        this.addProblem(name, "must be true, false, 1 or 0");
      }
      return word === "1" || word === "true";
    });
  }

  /** Returns the name of a setting for the user: the variable if it takes effect, otherwise the configuration key. */
  getName(setting: string): string {
    const withoutValue = (this.#config ? undefined : getVariable(setting)) ?? this.#getKey(setting);
    return this.#listValues(setting)[0]?.name ?? withoutValue;
  }

  /** Returns the name of a setting in a sentence, such as `readOnly of the Provider`. */
  formatName(setting: string): string {
    return this.#formatName(this.getName(setting), setting);
  }

  #formatName(name: string, setting: string): string {
    return name === setting ? `${name} of the Provider` : name;
  }

  /**
   * Returns the command that sets a missing setting.
   *
   * @param example A value, as an argument of the command. Without it, Pulumi prompts for the value.
   */
  formatSetCommand(setting: string, example?: string): string {
    const variable = getVariable(setting);
    if (!this.#config) return `run \`export ${variable}=${example ?? "…"}\``;
    if (this.source === "provider") return `pass ${setting} to the Provider, or set ${variable}`;
    const secret = secretSettings.has(setting) ? "--secret " : "";
    const value = example === undefined ? "" : ` ${example}`;
    return `run \`pulumi config set ${secret}monitoring:${setting}${value}\`, or set ${variable}`;
  }

  #getKey(setting: string): string {
    return this.source === "provider" ? setting : `monitoring:${setting}`;
  }

  /** Returns the trimmed values of a setting, each with the name of its variable or key. The first value takes precedence. */
  #listValues(setting: string): { readonly name: string; readonly text: string }[] {
    const variable = getVariable(setting) ?? "";
    const inEnvironment = { name: variable, text: this.#environment[variable]?.trim() ?? "" };
    const inConfig = { name: this.#getKey(setting), text: this.#config?.(setting)?.trim() ?? "" };
    const ordered = this.source === "provider" ? [inConfig, inEnvironment] : [inEnvironment, inConfig];
    return ordered.filter(({ text }) => text !== "");
  }
}

function getVariable(setting: string): string | undefined {
  return setting in variables ? variables[setting as Setting] : undefined;
}

const accounts = z.record(
  z.string(),
  z.strictObject(
    { ...accountOptions, baseUrl: accountOptions.baseUrl.optional() },
    { error: "must be an object with apiKey and, optionally, accountId and baseUrl" },
  ),
  { error: 'must be a JSON object of accounts by name, such as {"eu": {"apiKey": "…"}}' },
);

const alertChannels = z.record(z.string(), z.custom<Id>().superRefine(refineWith(validateChannelId)), {
  error: 'must be a JSON object of IDs by name, such as {"on-call": 200123}',
});
