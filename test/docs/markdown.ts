/** Reads what a page of the documentation shows. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../engine/stack";

export interface Block {
  /** The name of the file that it is, if the page says one. */
  readonly file: string | undefined;
  /** What stands after the fence, such as `ts`. */
  readonly language: string;
  readonly text: string;
}

export class Page {
  readonly text: string;
  readonly #name: string;

  /** @param name Path of the page, from the root of the repository on. */
  constructor(name: string) {
    this.#name = name;
    this.text = readFileSync(join(repository, name), "utf8");
  }

  /** All fenced blocks, in their order. */
  get blocks(): Block[] {
    const pattern = /(?:<!-- (\S+\.\S+) -->\s+)?^```(\w+)\n(.*?)^```$/gms;
    return [...this.text.matchAll(pattern)].map(([, file, language = "", text = ""]) => ({
      file,
      language,
      text,
    }));
  }

  /** The text of the first fenced block after a line that contains `mark`. */
  blockAfter(mark: string): string {
    const [, block] = /```\w+\n(.*?)```/s.exec(this.text.slice(this.text.indexOf(mark))) ?? [];
    if (!this.text.includes(mark) || block === undefined)
      throw new Error(`${this.#name} has no block after "${mark}"`);
    return block;
  }
}

/** What differs from run to run, as words: ids that the service makes, moments, and the port of a sandbox. */
export function withoutIdsAndTimes(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "<time>")
    .replace(/\d+ (?:minute|hour|day)s? ago|(?<=update, )now/g, "<ago>")
    .replace(/127\.0\.0\.1:\d+/g, "<here>");
}
