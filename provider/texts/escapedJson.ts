/** JSON that a terminal and a CI system only show: without what rewrites a terminal or begins a command such as `##[…]`. */
export function escapedJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|#(?=#)/gu,
    unicodeEscapes,
  );
}

function unicodeEscapes(sign: string): string {
  return Array.from(
    { length: sign.length },
    (_, index) => `\\u${sign.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
