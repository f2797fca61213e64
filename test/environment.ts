/** The environment of each test file. Locks are in a folder of its own: they must not delay what their user publishes, or pile up. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "monitoring-locks-"));
process.env["MONITORING_LOCK_DIRECTORY"] = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Variables that a test sets end with it.
let before: NodeJS.ProcessEnv;
beforeEach(() => {
  before = { ...process.env };
});
afterEach(() => {
  for (const name of Object.keys(process.env))
    if (!(name in before)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, before);
});
