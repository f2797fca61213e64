/** Works on untrusted texts: makes them printable, quotes, compares and normalizes them, and writes them as markup. */
export * from "./normalize";
export * from "./printable";
export * from "./similar";
