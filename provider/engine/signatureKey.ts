/** The property by which the engine marks secrets and outputs, in its calls and in the export of a stack. */
export const signatureKey = "4dabf18193072939515e22adb298388d";
