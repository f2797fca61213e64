import fc from "fast-check";

/**
 * How many cases a property is tried with: these, or PROPERTY_RUNS when that is more.
 *
 * @param fewest default: fast-check's own number
 */
export function runs(fewest = 100): number {
  return Math.max(fewest, Number(process.env.PROPERTY_RUNS ?? 0));
}

// One seed, so that a commit passes always or never. Another one is tried with PROPERTY_SEED=<number>.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1), numRuns: runs() });
