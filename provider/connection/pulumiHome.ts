import { homedir } from "node:os";
import { join } from "node:path";

/** The folder in which Pulumi keeps the data of this user; undefined without a home, as in some containers. */
export function pulumiHome({
  PULUMI_HOME,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  if (PULUMI_HOME) return PULUMI_HOME;
  try {
    const home = homedir();
    // With HOME set to nothing, it is the working folder.
    return home === "" ? undefined : join(home, ".pulumi");
  } catch {
    return undefined;
  }
}
