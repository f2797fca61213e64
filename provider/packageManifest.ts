/** Reads the package's own manifest: its folder, version and repository. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const packageName = "pulumi-monitoring-service";

interface Manifest {
  readonly name: typeof packageName;
  readonly version: string;
  /** Set when a release is packed. */
  readonly repository?: { readonly url: string };
}

/** Checks only the name, because the file comes with this package. */
function isOurs(manifest: unknown): manifest is Manifest {
  return (
    typeof manifest === "object" && manifest !== null && "name" in manifest && manifest.name === packageName
  );
}

function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, "package.json");
  const manifest: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  return isOurs(manifest) ? manifest : undefined;
}

/** The compiled code is one folder deeper than the source. */
const manifestHere = [join(__dirname, ".."), join(__dirname, "..", "..")]
  .map((folder) => ({ folder, ...readManifest(folder) }))
  .find(({ name }) => name !== undefined);

/** The folder of this file if a program bundles the code without the package. */
export const packageFolder = manifestHere?.folder ?? __dirname;
export const version = manifestHere?.version ?? "unknown";
export const repository = manifestHere?.repository;
