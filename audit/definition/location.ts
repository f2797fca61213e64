/** A position in a rule file. */
export interface Location {
  /** The file's name as it was given. */
  readonly file: string;
  /**
   * Line, counted from 1.
   * @integer
   */
  readonly line: number;
  /**
   * Column, counted from 1.
   * @integer
   */
  readonly column: number;
}
