/** The package as users get it: packed, and unpacked into a folder outside the repository. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "../engine/stack";

/** A folder whose programs find the packed package, and the packages that it depends on, in `node_modules`. */
export function folderWithPackedPackage(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "packed-")));
  const packages = join(folder, "node_modules");
  mkdirSync(packages);
  // The scripts would build what is built already, beside the other tests that use it.
  const npm = ["pack", "--ignore-scripts", "--pack-destination", folder];
  execFileSync("npm", npm, { cwd: repository, stdio: "pipe", shell: process.platform === "win32" });
  const [tarball = ""] = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
  execFileSync("tar", ["-xzf", tarball, "-C", "node_modules"], { cwd: folder, stdio: "pipe" });
  renameSync(join(packages, "package"), join(packages, "pulumi-monitoring-service"));
  linkOthers(join(repository, "node_modules"), packages);
  return folder;
}

function linkOthers(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (name === "pulumi-monitoring-service" || name.startsWith(".")) continue;
    symlinkSync(join(from, name), join(to, name), "junction");
  }
}
