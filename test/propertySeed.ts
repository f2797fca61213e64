import { appendFileSync } from "node:fs";
import fc from "fast-check";

/**
 * How many cases a property is tried with: these, or PROPERTY_RUNS when that is more, as in `npm run soak`.
 *
 * @param fewest default: fast-check's own number
 */
export function runs(fewest = 100): number {
  return Math.max(fewest, Number(process.env.PROPERTY_RUNS ?? 0));
}

const report = process.env.PROPERTY_REPORT;

const seed = Number(process.env.PROPERTY_SEED ?? 1);

// One seed, so that a commit passes always or never. Another one is tried with PROPERTY_SEED=<number>.
fc.configureGlobal({
  seed,
  numRuns: runs(),
  ...(report !== undefined && {
    plugins: [() => ({ onAllRunsComplete: (details: fc.RunDetails<unknown>) => note(report, details) })],
  }),
});

/** One line for each property, for whoever counts them. One that has a seed of its own tries the same every time. */
function note(file: string, { failed, numRuns, runConfiguration }: fc.RunDetails<unknown>): void {
  const { currentTestName } = expect.getState();
  const own = runConfiguration.seed !== seed;
  appendFileSync(
    file,
    `${JSON.stringify({ name: currentTestName, failed: failed || own, runs: numRuns })}\n`,
  );
  if (own) throw new Error("This property has a seed of its own: PROPERTY_SEED changes nothing here.");
}
