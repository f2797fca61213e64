import fc from "fast-check";

/** Returns the number of cases for a property: the given number multiplied by PROPERTY_FACTOR. The pipeline uses a factor of four. */
export function runs(count = 25): number {
  return count * Number(process.env.PROPERTY_FACTOR ?? 1);
}

/** Generates arbitrary strings, including lone surrogates. The generator of fast-check takes a second to create. */
export function anyText(length?: { minLength?: number; maxLength?: number }): fc.Arbitrary<string> {
  return fc
    .array(fc.integer({ min: 0, max: 0x10ffff }), length)
    .map((codes) => String.fromCodePoint(...codes));
}

export { fc };

// All runs of a commit use the same seed, so that a property either always or never fails. `.ci/run` sets a separate seed for each
// commit.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1), numRuns: runs() });
