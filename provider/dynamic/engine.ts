import { connect } from "node:net";
import { MonitoringError } from "../client";

const patienceMs = 2_000;

/**
 * Rejects when the engine that started this process is gone. A killed engine leaves its provider process behind,
 * which would go on posting beside the next run. The process gets the engine's address as its first argument.
 */
export async function engineIsThere(address = process.argv[2]): Promise<void> {
  const parts = /^(127\.0\.0\.1|localhost|\[::1\]):(\d+)$/.exec(address ?? "");
  if (!parts) return;
  const socket = connect({ host: parts[1]?.replace(/[[\]]/g, "") ?? "", port: Number(parts[2]) });
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
