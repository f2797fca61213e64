/** Builds the archives of a release in a folder that is deleted after the test file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../provider/packageManifest";
import { writeArchives } from "../../tools/plugin";

const systems: Partial<Record<NodeJS.Platform, string>> = { win32: "windows" };
const processors: Partial<Record<NodeJS.Architecture, string>> = { x64: "amd64" };

export const archiveFor = (system: string, processor: string): string =>
  `pulumi-resource-monitoring-v${version}-${system}-${processor}.tar.gz`;

/** The archive for the machine that runs the test. */
export const archiveForHere = archiveFor(
  systems[process.platform] ?? process.platform,
  processors[process.arch] ?? process.arch,
);

export type Archives = Awaited<ReturnType<typeof makeArchives>>;

export async function makeArchives() {
  const folder = mkdtempSync(join(tmpdir(), "archives-"));
  const names = await writeArchives(folder);
  return { folder, names, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
