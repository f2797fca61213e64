/** What runs noted of a sandbox that has ended: the one that starts at its address has none of its updates. */
import { existsSync, rmSync } from "node:fs";
import { originOf } from "../provider/api/origin";
import { lockDirectoryOf } from "../provider/connection/lockDirectoryPath";
import { Settings } from "../provider/connection/settings";
import { incidentKey } from "../provider/publishing/incidentKey";
import { LockDirectory } from "../provider/publishing/lockDirectory";

/** Removes the notes, so that no run waits for updates that are gone, or asks about them. */
export function forgetEndedSandbox(url: string, incidentIds: readonly string[]): void {
  const settings = new Settings(() => undefined, process.env);
  const directory = new LockDirectory(lockDirectoryOf(settings, process.env));
  for (const id of incidentIds) {
    const file = directory.fileOf(incidentKey(originOf(url), id));
    if (file === undefined || existsSync(`${file}.lock`)) continue;
    try {
      rmSync(file, { force: true });
    } catch {
      // A run that can't read them says so.
    }
  }
}
