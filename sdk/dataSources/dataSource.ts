import { fitForLog } from "../mistake";
import { perRun } from "../run";
import { checkArguments, type Signature } from "./arguments";

/** A data source whose equal reads, by their arguments, are one in each run. A read that failed is not kept. */
export function dataSource<Args extends object, Result>(
  signature: Signature,
  read: (args: Args) => Promise<Result>,
): (args: Args) => Promise<Result> {
  const reads = perRun(() => new Map<string, Promise<Result>>());
  return (args) =>
    fitForLog(async () => {
      checkArguments(signature, args);
      const known = reads();
      const key = JSON.stringify(Object.entries(args).sort());
      const reading = known.get(key) ?? read(args);
      known.set(key, reading);
      reading.catch(() => known.delete(key));
      return reading;
    });
}
