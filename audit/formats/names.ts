/** Lists the names of the report formats, apart from the formats: the command line shows them without loading these. */
const names = ["text", "json", "markdown", "sarif", "junit", "html"] as const;

export type Format = (typeof names)[number];

export const formatNames: readonly Format[] = names;
