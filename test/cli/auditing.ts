/** `monitoring audit` in this process, against a sandbox over real HTTP, with files of its own. */
import { writeFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { runAudit } from "../../cli/auditRun";
import type { Sandbox } from "../../sandbox";
import { temporaryFolder } from "../sandbox/sandboxes";

const now = new Date("2026-11-20T12:00:00.000Z");

const noRoom = Object.assign(new Error("ENOSPC: write"), {
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
    done(this.isFull ? noRoom : undefined);
  }
}

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs it to its end. */
export async function audit(
  args: readonly string[],
  environment: Record<string, string> = {},
  { isTTY = false, isFull = false, columns = 80 } = {},
): Promise<Ended> {
  const [stdout, stderr] = [new Captured(isTTY, columns, isFull), new Captured(isTTY, columns)];
  const code = await runAudit(args, { environment, stdout, stderr, now });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

export function environmentOf({ url, apiKey, accountId }: Sandbox): Record<string, string> {
  return { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey, MONITORING_ACCOUNT_ID: accountId };
}

/** A file with this content, in a folder that is gone after the test. */
export function fileWith(content: string | Buffer, name = "audit.yaml"): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}
