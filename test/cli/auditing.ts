/** Runs `monitoring audit` in this process, with a sandbox over real HTTP and temporary files. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runAudit } from "../../cli/auditRun";
import type { Sandbox } from "../../sandbox";
import { sandboxWith, temporaryFolder } from "../sandbox/sandboxes";
import { Captured, type Ended, environmentOf, type Terminal } from "./captured";

const now = new Date("2026-11-20T12:00:00.000Z");

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
