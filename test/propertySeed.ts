import fc from "fast-check";

/**
 * How many cases a property is tried with: PROPERTY_FACTOR times as many as given. Four times is what the pipeline tries at each commit.
 */
export function runs(count = 25): number {
  return count * Number(process.env.PROPERTY_FACTOR ?? 1);
}

/** Any text, with lone surrogates, too. fast-check's own takes a second to make. */
export function anyText(length?: { minLength?: number; maxLength?: number }): fc.Arbitrary<string> {
  return fc
    .array(fc.integer({ min: 0, max: 0x10ffff }), length)
    .map((codes) => String.fromCodePoint(...codes));
}

export { fc };

// One seed, so that a commit passes always or never. `.ci/run` sets one of its own for each commit.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1), numRuns: runs() });
