/** Provides the schema and the version of the package. The bundle replaces this file, because both are known at build time. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../provider/packageManifest";

export { version } from "../provider/packageManifest";

export function readSchema(): string {
  return readFileSync(join(packageFolder, "plugin", "schema.json"), "utf8");
}
