import { MonitoringError } from "../../provider/client";
import { pause } from "../../provider/lifecycles/pause";

const longer = 3_600_000;
const cancelled = new MonitoringError("The run was cancelled.");

it("ends at once, with the reason, when the run is cancelled before or during it", async () => {
  const run = new AbortController();
  const waiting = pause(longer, { signal: run.signal });
  run.abort(cancelled);
  await expect(waiting).rejects.toBe(cancelled);
  await expect(pause(longer, { signal: run.signal })).rejects.toBe(cancelled);
});

it("takes its time in a run that can't be cancelled", async () => {
  await expect(pause(1, { signal: undefined })).resolves.toBeUndefined();
});
