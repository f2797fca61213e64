/** A response before its meaning is known: status, headers and decompressed bytes. */
import { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { promisify, types } from "node:util";
import * as zlib from "node:zlib";

/** Protects the memory; compressed responses are counted as they are decompressed. */
export const largestResponseMiB = 32;

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty for a redirect, and for an error response whose body could not be read. */
  readonly bytes: Buffer;
}

/** The body is larger than the limit. */
export class BodyTooLarge extends Error {}

/** Reads a response from its beginning, so call it as soon as there is one. */
export async function receive(response: IncomingMessage, largest: number): Promise<RawResponse> {
  const { statusCode: status = 0, headers } = response;
  const empty = { status, headers, bytes: Buffer.alloc(0) };
  if (status >= 300 && status < 400) {
    response.destroy();
    return empty;
  }
  try {
    const bytes = await readAll(response, largest);
    const encoding = headers["content-encoding"];
    return {
      status,
      headers,
      bytes: encoding === undefined ? bytes : await decompress(bytes, encoding, largest),
    };
  } catch (error) {
    if (status < 400) throw error;
    // The status alone tells the failure; only the message of the service is lost.
    return empty;
  }
}

/** By listeners: an asynchronous iterator takes longer than all the rest of a response. */
async function readAll(response: IncomingMessage, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    response.on("error", reject);
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > largest) response.destroy(new BodyTooLarge());
    });
    response.on("end", () => resolve(Buffer.concat(chunks, size)));
  });
}

const unzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.unzip);
const brotliDecompress = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

const decompressors = new Map([
  ["br", brotliDecompress],
  ["deflate", unzip],
  ["gzip", unzip],
  ["x-gzip", unzip],
]);

/** Without `deflate`, which servers understand in two ways. */
export const acceptedEncodings = "gzip, br";

async function decompress(bytes: Buffer, encoding: string, largest: number): Promise<Buffer> {
  const decompressor = decompressors.get(encoding.toLowerCase());
  if (!decompressor || bytes.length === 0) return bytes;
  return decompressor(bytes, { maxOutputLength: largest }).catch((error: unknown) => {
    throw errorCode(error) === "ERR_BUFFER_TOO_LARGE" ? new BodyTooLarge() : error;
  });
}

/** The error code of the operating system or of Node, if any. */
export function errorCode(error: unknown): string | undefined {
  const code = types.isNativeError(error) && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : undefined;
}
