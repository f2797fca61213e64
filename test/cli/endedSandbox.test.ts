/** A sandbox that starts at the address of one that has ended: no run waits for updates that are gone. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { originOf } from "../../provider/api/origin";
import { incidentKey } from "../../provider/publishing/publishing";
import { LockDirectory } from "../../provider/publishing/lockDirectory";
import { temporaryFolder } from "../temporaryFolder";
import { sandboxHere } from "./sandboxHere";

const { checkoutLatency } = wellKnown.statusPageIncidents;
const locks = new LockDirectory(process.env["MONITORING_LOCK_DIRECTORY"]);

/** As a run does that posts to the sandbox. */
async function noted(url: string): Promise<string> {
  const key = incidentKey(originOf(url), checkoutLatency);
  await locks.withLock(key, { notice: fail }, async (notes) => {
    notes.sending("n", { key: "key", occurrence: 1 });
    return Promise.resolve();
  });
  return locks.fileOf(key) ?? "";
}

function fail(notice: string): never {
  throw new Error(notice);
}

async function restarted(...options: string[]): Promise<{ readonly own: boolean; readonly other: boolean }> {
  const first = await sandboxHere(...options);
  const files = { own: await noted(first.url), other: await noted("http://127.0.0.1:1") };
  await first.stop();
  const second = await sandboxHere(...options, "--port", new URL(first.url).port);
  await second.stop();
  return { own: existsSync(files.own), other: existsSync(files.other) };
}

it("without a file of its data, the notes about its incidents go, and no others", async () => {
  expect(await restarted()).toEqual({ own: false, other: true });
});

it("with a file of its data, its updates and the notes about them stay", async () => {
  const data = join(temporaryFolder(), "sandbox.json");
  expect(await restarted("--data", data)).toEqual({ own: true, other: true });
});
