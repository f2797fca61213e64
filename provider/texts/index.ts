/** Works on texts of others: what is printable, quoted, similar or the same to a reader, and markup. */
export * from "./markup";
export * from "./normalize";
export * from "./printable";
export * from "./similar";
