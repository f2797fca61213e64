/** The formats of a report, each with the extension of its files. */
export const extensions = {
  text: ".txt",
  json: ".json",
  markdown: ".md",
  sarif: ".sarif",
  junit: ".xml",
  html: ".html",
} as const;

export type Format = keyof typeof extensions;

const isFormat = (name: string): name is Format => Object.hasOwn(extensions, name);

export const formatNames: readonly Format[] = Object.keys(extensions).filter(isFormat);
