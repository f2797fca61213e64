/** Reads the text and the code blocks of a page in the documentation. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../engine/stack";

export interface Block {
  /** The name of the block's file, if the page specifies one. */
  readonly file: string | undefined;
  /** The language after the fence, such as `ts`. */
  readonly language: string;
  readonly text: string;
}

export class Page {
  readonly text: string;
  readonly #name: string;

  /** @param name Path of the page from the root of the repository. */
  constructor(name: string) {
    this.#name = name;
    this.text = readFileSync(join(repository, name), "utf8");
  }

  /** All fenced blocks, in order. */
  get blocks(): Block[] {
    const pattern = /(?:<!-- (\S+\.\S+) -->\s+)?^```(\w+)\n(.*?)^```$/gms;
    return [...this.text.matchAll(pattern)].map(([, file, language = "", text = ""]) => ({
      file,
      language,
      text,
    }));
  }

  /** Returns the text of the first fenced block after a line that contains `mark`. */
  blockAfter(mark: string): string {
    const [, block] = /```\w+\n(.*?)```/s.exec(this.text.slice(this.text.indexOf(mark))) ?? [];
    if (!this.text.includes(mark) || block === undefined)
      throw new Error(`${this.#name} has no block after "${mark}"`);
    return block;
  }
}

/** Replaces the parts that differ between runs with placeholders: generated IDs, times and the sandbox's port. */
export function withoutIdsAndTimes(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "<time>")
    .replace(/\d+ (?:minute|hour|day)s? ago|(?<=update, )now/g, "<ago>")
    .replace(/127\.0\.0\.1:\d+/g, "<here>");
}
