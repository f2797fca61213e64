/** What the engine asks about the package. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const root = join(__dirname, "..", "..", "..");

export const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

export function readSchema(): string {
  return readFileSync(join(root, "plugin", "schema.json"), "utf8");
}
