/** The form of resend codes, in messages and in the setting. The protocol decides what each code overrides. */

/** The maximum number of resend codes. A message prints all of them and must fit into the response of a provider process. */
export const maxCodes = 100;

/**
 * Returns the code as messages print it. It never starts with a digit or "e", because YAML parsers read `12345e67`, `01234567` and
 * `e1234567` as numbers if a user copies them without quotes.
 */
export function normalizeCode(code: string): string {
  return code.toLowerCase().replace(/^[\de]/, (first) => "abcdf".charAt(parseInt(first, 16) % 5));
}

/** Parses the codes of a setting and normalizes their spelling. @returns The codes, or the problem with the setting. */
export function parseCodes(text: string): readonly string[] | { readonly problem: string } {
  const codes = (text.match(/\S+/g) ?? []).map(normalizeCode);
  if (!codes.every((code) => /^[0-9a-f]{8}$/.test(code)))
    return { problem: "must be codes of 8 hexadecimal digits, separated by spaces, such as cf3a1c20" };
  if (codes.length > maxCodes)
    return { problem: `must be at most ${maxCodes} codes: set those of the last message alone` };
  return codes;
}
