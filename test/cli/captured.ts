/** What a command that runs in this process prints, and the environment that connects it to a sandbox. */
import os from "node:os";
import { Writable } from "node:stream";
import type { Sandbox } from "../../sandbox";

const diskFull = Object.assign(new Error("ENOSPC: write"), {
  code: "ENOSPC",
  errno: -os.constants.errno.ENOSPC,
});

export class Captured extends Writable {
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

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Terminal {
  isTTY?: boolean;
  isFull?: boolean;
  columns?: number;
}

type Service = Pick<Sandbox, "url" | "apiKey" | "accountId">;

export function environmentOf({ url, apiKey, accountId }: Service): Record<string, string> {
  return { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey, MONITORING_ACCOUNT_ID: accountId };
}
