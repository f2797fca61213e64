/** The resources in a stack export, one by one: the text of 100,000 of them would fill the memory. */
import { closeSync, openSync, readSync } from "node:fs";

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** An export is `{"version": 3, "deployment": {"resources": [{…}, …]}}`: how deep the keys and the resources lie. */
const keyDepth = 2;
const resourceDepth = 4;

const chunkSize = 1 << 20;

/**
 * The resources whose text contains `mark`.
 *
 * @throws Error when the file can't be read, or is no stack export; the message follows on "the file can't be used"
 */
export function* resourcesIn(file: string, mark: string): Generator {
  const splitter = new Splitter();
  for (const chunk of chunksOf(file)) {
    for (const resource of splitter.split(chunk)) {
      if (resource.includes(mark)) yield JSON.parse(resource.toString("utf8"));
    }
  }
  if (!splitter.hasResources) {
    throw new Error(
      "it is no stack export, or of an empty stack; `pulumi stack export --file FILE` writes one",
    );
  }
  if (!splitter.isAtEnd) throw new Error("it ends in the middle");
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

/** Follows the nesting of JSON, and cuts out the resources. */
class Splitter {
  /** Whether a list of resources was there. */
  hasResources = false;
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  #inResources = false;
  #latestText = "";
  readonly #keys: string[] = [];
  /** What earlier chunks hold of the key or resource that isn't at its end yet. */
  #pieces: Buffer[] | undefined;

  get isAtEnd(): boolean {
    return this.#depth === 0 && !this.#inText;
  }

  /** The resources that end in this chunk. */
  split(chunk: Buffer): Buffer[] {
    const resources: Buffer[] = [];
    // The loop sees every byte of the file: it works on locals, which is twice as fast.
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
