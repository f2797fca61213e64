/** Runs `monitoring audit` in this process, with a sandbox over real HTTP and temporary files. */
import { writeFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { runAudit } from "../../cli/auditRun";
import type { Sandbox } from "../../sandbox";
import { sandboxWith, temporaryFolder } from "../sandbox/sandboxes";

const now = new Date("2026-11-20T12:00:00.000Z");

const diskFull = Object.assign(new Error("ENOSPC: write"), {
  code: "ENOSPC",
  errno: -os.constants.errno.ENOSPC,
});

class Captured extends Writable {
  text = "";

  constructor(
    readonly isTTY: boolean,
    readonly columns: number,
    private readonly isFull = false,
  ) {
    super({ decodeStrings: false });
  }

  override _write(chunk: unknown, _: string, done: (error?: Error) => void): void {
    if (!this.isFull) this.text += String(chunk);
    done(this.isFull ? diskFull : undefined);
  }
}

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

interface Terminal {
  isTTY?: boolean;
  isFull?: boolean;
  columns?: number;
}

/** Runs the command. */
export async function audit(
  args: readonly string[],
  environment: Record<string, string> = {},
  { isTTY = false, isFull = false, columns = 80 }: Terminal = {},
): Promise<Ended> {
  const [stdout, stderr] = [new Captured(isTTY, columns, isFull), new Captured(isTTY, columns)];
  const code = await runAudit(args, { environment, stdout, stderr, now });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

function environmentOf({ url, apiKey, accountId }: Sandbox): Record<string, string> {
  return { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey, MONITORING_ACCOUNT_ID: accountId };
}

export interface Audited extends Ended {
  sandbox: Sandbox;
  /** The rule file. */
  file: string;
}

/** Audits a new sandbox with a rule file of this content. */
export async function auditSandbox(
  rules: string | Buffer,
  args: readonly string[] = [],
  { variables = {}, sandbox, name, ...terminal }: AuditSandboxOptions = {},
): Promise<Audited> {
  const service = sandbox ?? (await sandboxWith());
  const file = fileWith(rules, name);
  const environment = { ...environmentOf(service), ...variables };
  return { ...(await audit(["--rules", file, ...args], environment, terminal)), sandbox: service, file };
}

interface AuditSandboxOptions extends Terminal {
  /** Environment variables in addition to those of the sandbox. */
  variables?: Record<string, string>;
  /** Default: a new one. */
  sandbox?: Sandbox;
  /** Name of the rule file. */
  name?: string;
}

/** A file with this content, which is deleted after the test. */
export function fileWith(content: string | Buffer, name = "audit.yaml"): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}
