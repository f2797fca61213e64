/** Locks of each test file in a folder of its own: they must not delay what their user publishes, or pile up. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "monitoring-locks-"));
process.env["MONITORING_LOCK_DIRECTORY"] = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));
