/** Which rule file `monitoring audit` uses. */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { UsageError } from "../command/command";

export const ruleFileName = "audit.yaml";

/** The rule file in the working folder, or in the nearest folder above. */
export function findRuleFile(): string | undefined {
  let folder = process.cwd();
  for (;;) {
    const file = join(folder, ruleFileName);
    if (existsSync(file)) return relative("", file);
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
}

/** @throws UsageError when there is none */
export function requiredRuleFile(): string {
  const file = findRuleFile();
  if (file !== undefined) return file;
  throw new UsageError(
    `There is no ${ruleFileName} in this folder or above: give --rules FILE, or write one with \`monitoring audit --init\`.`,
  );
}
