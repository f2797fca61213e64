import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

/** The folder in which Pulumi keeps the data of this user. */
export function pulumiHome({ PULUMI_HOME }: Readonly<Record<string, string | undefined>>): string {
  return PULUMI_HOME || join(homeOrTemporary(), ".pulumi");
}

/** A container may run as a user without a home directory. */
function homeOrTemporary(): string {
  try {
    return homedir();
  } catch {
    return tmpdir();
  }
}
