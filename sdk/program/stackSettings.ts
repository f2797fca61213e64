/** The settings of the stack: what a program is warned of, and what a Provider takes from them. */
import * as pulumi from "@pulumi/pulumi";
import {
  namespace,
  secretSettings,
  settingNames,
  variables,
} from "../../provider/connection/environmentVariables";
import { didYouMean } from "../../provider/texts/didYouMean";
import { perRun } from "./run";

/**
 * Warns once per run about unknown settings that aren't the project's own, and about API keys in plain text in the
 * stack's settings file.
 */
export const warnOfSettings = perRun(() => {
  const secretKeys = process.env["PULUMI_CONFIG_SECRET_KEYS"];
  // Set only for programs that the engine starts itself.
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

/** What the stack's configuration says of a setting, unless the environment overrides it. */
export function stackSetting(setting: keyof typeof variables): string | undefined {
  return process.env[variables[setting]] ? undefined : new pulumi.Config(namespace).get(setting);
}
