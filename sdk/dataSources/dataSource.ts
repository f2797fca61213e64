import { fitForLog } from "../mistake";
import { perRun } from "../run";
import { checkArguments, type Signature } from "./arguments";

type Read<Args, Result> = (args: Args) => Promise<Result>;

/** A data source whose equal reads are one in each run. Each caller gets a copy of its own. */
export function dataSource<Args extends object, Result>(
  signature: Signature,
  read: Read<Args, Result>,
): Read<Args, Result> {
  const readOnce = sharedRead(signature, read);
  return (args) => readOnce(args).then((result) => structuredClone(result));
}

/** The same for what only reads the result. A read that failed is not kept. */
export function sharedRead<Args extends object, Result>(
  signature: Signature,
  read: Read<Args, Result>,
): Read<Args, Result> {
  const reads = perRun(() => new Map<string, Promise<Result>>());
  return (args) =>
    fitForLog(async () => {
      const given = withoutMissing(args);
      checkArguments(signature, given);
      const known = reads();
      const key = JSON.stringify(Object.entries(given).sort());
      const reading = known.get(key) ?? read(given);
      known.set(key, reading);
      reading.catch(() => known.delete(key));
      return reading;
    });
}

/** What is `null` or `undefined` counts as not given. */
export function withoutMissing<Args extends object>(args: Args): Args {
  const given = { ...args };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) Reflect.deleteProperty(given, name);
  }
  return given;
}
