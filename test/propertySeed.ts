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

// One seed, so that a commit passes always or never. Another one is tried with PROPERTY_SEED=<number>.
fc.configureGlobal({
  seed: Number(process.env.PROPERTY_SEED ?? 1),
  numRuns: runs(),
  ...(report !== undefined && {
    plugins: [() => ({ onAllRunsComplete: (details: fc.RunDetails<unknown>) => note(report, details) })],
  }),
});

/** One line for each property, for whoever counts them. */
function note(file: string, { failed, numRuns }: fc.RunDetails<unknown>): void {
  const { currentTestName } = expect.getState();
  appendFileSync(file, `${JSON.stringify({ name: currentTestName, failed, runs: numRuns })}\n`);
}
