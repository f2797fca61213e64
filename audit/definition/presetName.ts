export const presetNames = ["recommended", "strict"] as const;

/** `strict` has the rules of `recommended` with stricter limits, adds some, and makes all of them errors. */
export type PresetName = (typeof presetNames)[number];
