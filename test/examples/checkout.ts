/** Runs scripts in a checkout of a repository, as code hosts do. */
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run } from "../../tools/setup/run";
import type { Sandbox } from "../../sandbox";
import { folderWithPackedPackage } from "../release/unpackedPackage";
import { temporaryFolder } from "../temporaryFolder";

export interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly env?: Record<string, string>;
  readonly with?: Record<string, string>;
}

export interface Ended {
  readonly code: unknown;
  readonly output: string;
}

let installed = "";
beforeAll(() => {
  installed = folderWithPackedPackage();
});
afterAll(() => rmSync(installed, { recursive: true, force: true }));

/** A checkout with these files, and the command of the packed package, which `npm ci` would install. */
export class Checkout {
  readonly folder = temporaryFolder();

  constructor(
    readonly sandbox: Sandbox,
    files: string,
  ) {
    cpSync(files, this.folder, { recursive: true });
    const main = join(installed, "node_modules/pulumi-monitoring-service/dist/cli/monitoring.js");
    this.program("node_modules/.bin/monitoring", `exec "${process.execPath}" "${main}" "$@"`);
  }

  path(file: string): string {
    return join(this.folder, file);
  }

  read(file: string): string {
    return readFileSync(this.path(file), "utf8");
  }

  write(file: string, text: string): void {
    writeFileSync(this.path(file), text);
  }

  /** Runs a script with bash as code hosts do: it ends at the first command that fails, even in a pipe. */
  async run(script: string, env: Record<string, string>): Promise<Ended> {
    const PATH = [this.path("bin"), process.env["PATH"]].join(delimiter);
    const options = { cwd: this.folder, env: { ...process.env, PATH, ...env } };
    const bash = ["-e", "-o", "pipefail", "-c", script];
    const { code, output } = await run("bash", bash, options);
    return { code, output };
  }

  /** Writes an executable shell script. */
  program(name: string, script: string): void {
    const file = this.path(name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }
}
