import fc from "fast-check";

// One seed, so that a commit passes always or never. Another one is tried with PROPERTY_SEED=<number>.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
