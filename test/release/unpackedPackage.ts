/** The package as users get it: packed, and unpacked into a folder outside the repository. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archive } from "../../tools/setup";
import { repository } from "../engine/stack";

const name = "pulumi-monitoring-service";

/** A folder whose programs find the packed package, and the packages that it depends on, in `node_modules`. */
export function folderWithPackedPackage(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "packed-")));
  installPacked(folder);
  return folder;
}

/** Installs as npm does, but takes the other packages from this repository, so that no registry is asked. */
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
