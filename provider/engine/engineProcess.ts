import { fstatSync } from "node:fs";
import { connect } from "node:net";
import { MonitoringError } from "../client";

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
