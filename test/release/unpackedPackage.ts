/** Unpacks the packed package into a folder outside the repository, as users install it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archive } from "../../tools/setup";
import { repository } from "../engine/stack";

const name = "pulumi-monitoring-service";

/** Creates a folder whose programs find the packed package and its dependencies in `node_modules`. */
export function folderWithPackedPackage(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "packed-")));
  installPacked(folder);
  return folder;
}

/** Installs the package as npm does, but links its dependencies from this repository, so that no registry is used. */
export function installPacked(folder: string): void {
  const packages = join(folder, "node_modules");
  mkdirSync(join(packages, name), { recursive: true });
  const args = ["-xzf", archive, "-C", join(packages, name), "--strip-components=1"];
  execFileSync("tar", args, { stdio: "pipe" });
  for (const other of readdirSync(join(repository, "node_modules"))) {
    if (other === name || other.startsWith(".")) continue;
    symlinkSync(join(repository, "node_modules", other), join(packages, other), "junction");
  }
}
