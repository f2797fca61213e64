/** The lint rules that this project relies on are active. */
import { spawnSync } from "node:child_process";
import path from "node:path";

const clone = path.resolve(__dirname, "../..");

it("finds printing, loose promises, untyped values and types that are imported as values", () => {
  const broken = rulesBrokenIn(
    "provider/index.ts",
    `import { ConfigurationError } from "./client/errors";
     console.log("hello");
     process.stdout.write("hello");
     Promise.resolve(1);
     export const anything: any = JSON.parse("{}");
     export const key = anything.key;
     export let error: ConfigurationError | undefined;`,
  );

  expect(broken).toEqual([
    "@typescript-eslint/consistent-type-imports",
    "@typescript-eslint/no-explicit-any",
    "@typescript-eslint/no-floating-promises",
    "@typescript-eslint/no-unsafe-assignment",
    "@typescript-eslint/no-unsafe-member-access",
    "no-console",
    "no-restricted-properties",
  ]);
});

/** The rules that a source text breaks as a file of the clone. */
function rulesBrokenIn(file: string, text: string): string[] {
  const eslint = path.join(clone, "node_modules", "eslint", "bin", "eslint.js");
  const { stdout } = spawnSync(
    process.execPath,
    [eslint, "--stdin", "--stdin-filename", file, "--format", "json"],
    {
      cwd: clone,
      input: text,
      encoding: "utf8",
    },
  );
  const [result] = JSON.parse(stdout) as { messages: { ruleId: string }[] }[];
  return [...new Set(result?.messages.map(({ ruleId }) => ruleId))].sort();
}
