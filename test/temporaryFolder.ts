import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];
const checkout = process.cwd();
afterEach(() => {
  // The test may have changed the current folder to one that is deleted.
  process.chdir(checkout);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Creates a folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "test-")));
  folders.push(folder);
  return folder;
}
