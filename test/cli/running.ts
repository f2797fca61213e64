/** Runs commands in this process. Each test uses a separate folder, temporary files, and sandboxes over real HTTP. */
import { writeFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { AuditReport } from "../../audit";
import { commands } from "../../cli/commands";
import { type Sandbox, wellKnown } from "../../sandbox";
import { startTestSandbox } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";

beforeEach(() => process.chdir(temporaryFolder()));

export const ids = wellKnown.alertChannels;
export const silence = "rules: { send-failure: error }\n";
/** Rules for two channels. The second channel sends no notifications. */
export const named = `${silence}channels: { on-call: ${ids.onCall}, mail: ${ids.operationsMail} }\n`;

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

interface Terminal {
  isTTY?: boolean;
  columns?: number;
  /** True if standard output is a file on a full disk. */
  isFull?: boolean;
  stderr?: Captured;
}

const { ENOSPC } = os.constants.errno;
const diskFull = Object.assign(new Error("ENOSPC: write"), { code: "ENOSPC", errno: -ENOSPC });

export class Captured extends Writable {
  text = "";

  constructor(
    readonly isTTY = false,
    isFull = false,
  ) {
    super({
      decodeStrings: false,
      write: (chunk, _, done) => {
        if (!isFull) this.text += String(chunk);
        done(isFull ? diskFull : undefined);
      },
    });
  }
}

const now = new Date("2026-11-20T12:00:00.000Z");

export async function run(
  command: keyof typeof commands,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
  { isTTY, isFull, columns, stderr = new Captured(isTTY) }: Terminal = {},
): Promise<Ended> {
  const stdout = Object.assign(new Captured(isTTY, isFull), columns !== undefined && { columns });
  const code = await commands[command].run(args, { environment, stdout, stderr, now });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

export const audit = (args: readonly string[], environment?: Record<string, string>): Promise<Ended> =>
  run("audit", args, environment);

interface AuditSandboxOptions extends Terminal {
  /** Environment variables in addition to the sandbox's variables. */
  variables?: Record<string, string>;
  /** Default: a new sandbox. */
  sandbox?: Sandbox;
  /** The name of the rule file. */
  name?: string;
}

/** Audits a sandbox with a rule file that has this content. */
export async function auditSandbox(
  rules: string,
  args: readonly string[] = [],
  { variables, sandbox, name, ...terminal }: AuditSandboxOptions = {},
): Promise<Ended & { sandbox: Sandbox; file: string }> {
  const service = sandbox ?? (await startTestSandbox());
  const file = writeTemporaryFile(rules, name);
  const environment = { ...toEnvironment(service), ...variables };
  const ended = await run("audit", ["--rules", file, ...args], environment, terminal);
  return { ...ended, sandbox: service, file };
}

/** Returns the lines of a text report without its alignment. */
export const listLines = (stdout: string) => stdout.split("\n").map((line) => line.replace(/ +/g, " "));

export const parseReport = (stdout: string) => JSON.parse(stdout) as AuditReport;

export function toEnvironment({ url, apiKey, accountId }: Pick<Sandbox, "url" | "apiKey" | "accountId">) {
  return { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey, MONITORING_ACCOUNT_ID: accountId };
}

/** Writes a file that is deleted after the test. */
export function writeTemporaryFile(content: string | Buffer, name = "audit.yaml"): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}

/** Writes a program that replaces Pulumi and logs its arguments to a file next to it. */
export function writePulumi(script: string): string {
  const program = join(temporaryFolder(), "pulumi");
  writeFileSync(program, `#!/bin/sh\necho "$*" >> "$0.log"\n${script}\n`, { mode: 0o755 });
  return program;
}

/** Returns a command that prints a stack's settings, as `pulumi config --json` does. */
export function createPulumi(settings: Readonly<Record<string, string>>): string {
  const config = Object.entries(settings).map(([name, value]) => [name, { value }]);
  return writePulumi(`cat <<'END'\n${JSON.stringify(Object.fromEntries(config))}\nEND`);
}

/** Runs `monitoring doctor` on a service. */
export async function doctor(
  service: Pick<Sandbox, "url" | "apiKey" | "accountId">,
  args = "",
  { variables }: { readonly variables?: Readonly<Record<string, string>> } = {},
): Promise<Ended & { lines: string[] }> {
  const environment = { ...toEnvironment(service), ...variables };
  const ended = await run("doctor", args.split(" ").filter(Boolean), environment);
  return { ...ended, lines: ended.stdout.split("\n").map((line) => line.replace(/ {2,}/g, "  ")) };
}
