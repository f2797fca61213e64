/** `1 channel`, `2 channels`, `1,200 channels`. */
export function amount(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}
