import { fstatSync } from "node:fs";
import { connect } from "node:net";
import { MonitoringError } from "../client";

const patienceMs = 2_000;

const address = /^(127\.0\.0\.1|localhost|\[::1\]):(\d+)$/;

/** The engine's address is the last of the arguments: it stands behind those that turn on logs and tracing. */
export function engineEndpoint(): string | undefined {
  return engineAddress()?.[0];
}

function engineAddress(): RegExpExecArray | undefined {
  return address.exec(process.argv.findLast((argument) => address.test(argument)) ?? "") ?? undefined;
}

/**
 * Ends this process with the engine that started it. A killed engine leaves its provider process behind, which would
 * run for ever, and work off its queue beside the next run. Its stdin is a pipe from the engine, and ends with it.
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
 * Rejects when the engine that started this process is gone: a post that is about to leave must not, because nobody
 * would remember it.
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
        .setTimeout(patienceMs, () => reject(new Error()));
    });
  } catch {
    throw new MonitoringError(
      "The Pulumi engine that requested this update has exited, so nothing was posted.",
    );
  } finally {
    socket.destroy();
  }
}
