/** Regular expressions of rule files. They match in linear time, whatever the pattern and the text. */
import { RE2JS } from "re2js";
import { z } from "zod";

export const pattern = z
  .string({ error: "must be a string" })
  .max(1000, { error: "must have at most 1000 characters" })
  .superRefine((text, context) => {
    if (isCompiled(text)) return;
    const otherwise = isRegExp(text)
      ? " that RE2 supports: without lookaround, backreferences and large repetitions"
      : "";
    context.addIssue({ code: "custom", message: `must be a regular expression${otherwise}` });
  });

const compiled = new Map<string, RE2JS>();

/** Whether a part of the text matches. */
export function matchesPattern(text: string, source: string): boolean {
  const known = compiled.get(source) ?? compile(source);
  compiled.set(source, known);
  return known.matcher(text).find();
}

function compile(source: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(source));
}

function isCompiled(source: string): boolean {
  try {
    compile(source);
    return true;
  } catch {
    return false;
  }
}

function isRegExp(source: string): boolean {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}
