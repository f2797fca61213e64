/** Reads the package's own manifest: its folder, version and repository. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

export const packageName = "pulumi-monitoring-service";

const manifest = z.object({
  name: z.literal(packageName),
  version: z.string(),
  /** Set when a release is packed. */
  repository: z.object({ url: z.string() }).optional(),
});

function manifestIn(folder: string): z.output<typeof manifest> | undefined {
  const file = join(folder, "package.json");
  return existsSync(file) ? manifest.safeParse(JSON.parse(readFileSync(file, "utf8"))).data : undefined;
}

/** The compiled code is one folder deeper than the source. */
const manifestHere = [join(__dirname, ".."), join(__dirname, "..", "..")]
  .map((folder) => ({ folder, ...manifestIn(folder) }))
  .find(({ name }) => name !== undefined);

/** Unknown when a program bundles the code without the package. */
export const packageFolder = manifestHere?.folder ?? __dirname;
export const version = manifestHere?.version ?? "unknown";
export const repository = manifestHere?.repository;
