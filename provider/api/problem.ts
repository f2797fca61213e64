/** One mistake in what was passed: where it is, and what would be right. Never the value itself. */
export interface Problem {
  /** The option, argument or field; nested ones with dots, such as `accounts.eu.apiKey`. */
  readonly property: string;
  /** What is wrong and what is allowed, as the end of a sentence that begins with the property. */
  readonly reason: string;
}
