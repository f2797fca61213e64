import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];
const checkout = process.cwd();
afterEach(() => {
  // A test may have gone into one.
  process.chdir(checkout);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that ends with its test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "test-")));
  folders.push(folder);
  return folder;
}
