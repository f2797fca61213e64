/**
 * Lists the names of the report formats. They are in a separate file so that the command line can show them without loading the formats.
 */
export const formatNames = ["text", "json", "markdown", "sarif", "junit", "html"] as const;

export type Format = (typeof formatNames)[number];
