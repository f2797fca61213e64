/** An error of the transport as Node reports its own: by a code. */
export class ErrorWithCode extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
