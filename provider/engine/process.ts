/** The provider's process: its engine, and what it tells the user. */
import { type NoticeText, printed } from "../texts";
import { fstatSync } from "node:fs";
import { connect } from "node:net";
import { MonitoringError } from "../client/errors";

/**
 * Shows the user an informational message. Pulumi displays what the provider process writes to stderr; no other code of
 * this package prints.
 */
export function notice(text: NoticeText): void {
  // In one piece, so that nothing comes between its lines.
  process.stderr.write(`${printed(text)}\n`);
}

// The records of a run in which the engine writes secrets in plain text.

const records: readonly [name: string, isOn: (args: readonly string[], env: NodeJS.ProcessEnv) => boolean][] =
  [
    // The engine passes it for `--otel-traces`, too.
    ["--tracing or --otel-traces", (args) => args.includes("--tracing")],
    ["PULUMI_DEBUG_GRPC", (_, env) => Boolean(env["PULUMI_DEBUG_GRPC"])],
    // Only with `--logflow`: otherwise no provider can tell.
    ["-v=9", (args) => args.some((arg) => Number(/^-v=(\d+)$/.exec(arg)?.[1]) >= 9)],
  ];

/** Emits a notice, if this process can tell that there is such a record. */
export function warnOfSecretsInLogs(
  notice: (text: string) => void,
  args: readonly string[] = process.argv,
  env: NodeJS.ProcessEnv = process.env,
): void {
  const names = records.filter(([, isOn]) => isOn(args, env)).map(([name]) => name);
  if (names.length === 0) return;
  notice(
    `Pulumi records this run (${names.join(", ")}): it writes secret texts, and API keys of the configuration, in plain text. ` +
      "Don't share the record, and delete it. A key in MONITORING_API_KEY isn't written.",
  );
}

const connectTimeoutMs = 2_000;

const address = /^(127\.0\.0\.1|localhost|\[::1\]):(\d+)$/;

/** The engine's address: the last argument, after those that enable logs and tracing. */
export function engineEndpoint(): string | undefined {
  return engineAddress()?.[0];
}

function engineAddress(): RegExpExecArray | undefined {
  return address.exec(process.argv.findLast((argument) => address.test(argument)) ?? "") ?? undefined;
}

/**
 * Exits this process when the engine that started it exits. The provider process of a killed engine would run forever, and
 * process its queue in parallel to the next run. Its stdin is a pipe from the engine that closes with it.
 */
export function endWithEngine(): void {
  if (!engineAddress() || !isPipe()) return;
  process.stdin
    .once("end", () => process.exit())
    .once("error", () => process.exit())
    .resume();
}

function isPipe(): boolean {
  try {
    const stdin = fstatSync(0);
    return stdin.isFIFO() || stdin.isSocket();
  } catch {
    return false;
  }
}

/**
 * Rejects when the engine that started this process has exited: a pending post must not be sent, because no state would
 * record it.
 */
export async function assertEngineAlive(): Promise<void> {
  const [, host, port] = engineAddress() ?? [];
  if (host === undefined) return;
  const socket = connect({ host: host.replace(/[[\]]/g, ""), port: Number(port) });
  try {
    await new Promise<void>((resolve, reject) => {
      socket
        .once("connect", resolve)
        .once("error", reject)
        .setTimeout(connectTimeoutMs, () => reject(new Error()));
    });
  } catch {
    throw new MonitoringError(
      "The Pulumi engine that requested this update has exited, so nothing was posted.",
    );
  } finally {
    socket.destroy();
  }
}
