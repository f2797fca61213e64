import { connect } from "node:net";
import { MonitoringError } from "../client";

const patienceMs = 2_000;

const address = /^(127\.0\.0\.1|localhost|\[::1\]):(\d+)$/;

/**
 * Rejects when the engine that started this process is gone. A killed engine leaves its provider process behind,
 * which would go on posting beside the next run. The engine's address is the last argument of the process: it stands
 * behind those that turn on logs and tracing.
 */
export async function engineIsThere(): Promise<void> {
  const [, host, port] =
    address.exec(process.argv.findLast((argument) => address.test(argument)) ?? "") ?? [];
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
    throw new MonitoringError("The Pulumi engine that asked for this update is gone, so nothing was posted.");
  } finally {
    socket.destroy();
  }
}
