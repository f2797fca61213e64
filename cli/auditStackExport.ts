/** Reads the resources of a stack export one by one, because 100,000 of them don't fit in memory. */
import { closeSync, openSync, readSync } from "node:fs";

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The nesting depth of keys and resources in `{"version": 3, "deployment": {"resources": [{…}, …]}}`. */
const keyDepth = 2;
const resourceDepth = 4;

const chunkSize = 1 << 20;

/**
 * The resources whose JSON may contain `mark`.
 *
 * @throws Error when the file can't be read or isn't a stack export; the message continues "FILE can't be used: "
 */
export function* resourcesIn(file: string, mark: string): Generator {
  const splitter = new Splitter();
  for (const chunk of chunksOf(file)) {
    for (const resource of splitter.split(chunk)) {
      // An escaped letter could hide the mark.
      if (resource.includes(mark) || resource.includes("\\u00")) yield JSON.parse(resource.toString("utf8"));
    }
  }
  if (!splitter.hasResources) {
    throw new Error(
      "it isn't a stack export, or the stack is empty; create one with `pulumi stack export --file FILE`",
    );
  }
  if (!splitter.isAtEnd) throw new Error("it is truncated");
}

function* chunksOf(file: string): Generator<Buffer> {
  const descriptor = openSync(file, "r");
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkSize);
      const length = readSync(descriptor, chunk);
      if (length === 0) return;
      yield chunk.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Tracks the nesting of JSON, and extracts the resources. */
class Splitter {
  /** Whether there was a list of resources. */
  hasResources = false;
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  #inResources = false;
  #latestText = "";
  readonly #keys: string[] = [];
  /** The parts of an incomplete key or resource in earlier chunks. */
  #pieces: Buffer[] | undefined;

  get isAtEnd(): boolean {
    return this.#depth === 0 && !this.#inText;
  }

  /** The resources that end in this chunk. */
  split(chunk: Buffer): Buffer[] {
    const resources: Buffer[] = [];
    // The loop reads every byte of the file: local variables make it twice as fast.
    let depth = this.#depth;
    let inText = this.#inText;
    let isEscaped = this.#isEscaped;
    let start = this.#pieces ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (inText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) {
          inText = false;
          if (depth > keyDepth) continue;
          this.#latestText = this.#cut(chunk, start, at).toString("utf8", 1);
          start = -1;
        }
      } else if (byte === undefined || byte < quote) {
        continue;
      } else if (byte === quote) {
        inText = true;
        if (depth <= keyDepth) start = at;
      } else if (byte === openBrace || byte === openBracket) {
        depth += 1;
        if (depth === keyDepth + 1) this.#enter(byte === openBracket);
        if (depth === resourceDepth && this.#inResources) start = at;
      } else if (byte === closeBrace || byte === closeBracket) {
        if (depth === resourceDepth && this.#inResources) {
          resources.push(this.#cut(chunk, start, at + 1));
          start = -1;
        }
        depth -= 1;
      } else if (byte === colon && depth <= keyDepth) {
        this.#keys[depth] = this.#latestText;
      }
    }
    this.#depth = depth;
    this.#inText = inText;
    this.#isEscaped = isEscaped;
    if (start >= 0) (this.#pieces ??= []).push(chunk.subarray(start));
    return resources;
  }

  #cut(chunk: Buffer, start: number, end: number): Buffer {
    const last = chunk.subarray(start, end);
    const whole = this.#pieces ? Buffer.concat([...this.#pieces, last]) : last;
    this.#pieces = undefined;
    return whole;
  }

  #enter(isList: boolean): void {
    this.#inResources = isList && this.#keys[1] === "deployment" && this.#keys[2] === "resources";
    this.hasResources ||= this.#inResources;
  }
}
