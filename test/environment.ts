/**
 * Prepares the environment of each test file. Locks are in a separate folder, so that they don't delay the user's own posts or
 * accumulate.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "monitoring-locks-"));
process.env["MONITORING_LOCK_DIRECTORY"] = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Variables that a test sets are removed after the test.
let before: NodeJS.ProcessEnv;
beforeEach(() => {
  before = { ...process.env };
});
afterEach(() => {
  for (const name of Object.keys(process.env))
    if (!(name in before)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, before);
});
