/** Lists the names of the report formats, apart from the formats: the command line shows them without loading these. */
export const formatNames = ["text", "json", "markdown", "sarif", "junit", "html"] as const;

export type Format = (typeof formatNames)[number];
