/** A machine whose processes share a lock directory: a new one for each test. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DynamicProvider } from "../lifecycles/phases";
import type { Service } from "../lifecycles/updateProcess";

export class Machine {
  /** For what a test writes beside the lock directory. */
  parent = "";
  /** The lock directory. */
  folder = "";
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
    beforeEach(() => {
      // A variable that is set would win.
      Reflect.deleteProperty(process.env, "MONITORING_LOCK_DIRECTORY");
      this.parent = mkdtempSync(join(tmpdir(), "locks-"));
      this.folder = join(this.parent, "locks");
      // Notes of a process without a setting: in the user's home, a later run would read them.
      process.env["PULUMI_HOME"] = this.parent;
    });
    afterEach(() => rmSync(this.parent, { recursive: true, force: true }));
  }

  /** A process on this machine. */
  process(settings: object = {}): Promise<DynamicProvider> {
    return this.#service.process({ "monitoring:lockDirectory": this.folder, ...settings });
  }
}
