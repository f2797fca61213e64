/** Every broken response ends in the right error: never in a crash, a hang or an unhandled rejection. */
import type { Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { clientOf, failureOf, rawResponse, read, realProcess, serveRaw, update } from "../services";

type Case = [what: string, wire: Wire, error: string];
type Wire = string | Buffer | ((socket: Socket) => void);

const head = (...lines: string[]) => ["HTTP/1.1 200 OK", "Connection: close", ...lines, "", ""].join("\r\n");
const body = (text: string | Buffer, ...lines: string[]) =>
  Buffer.concat([
    Buffer.from(head(`Content-Length: ${Buffer.byteLength(text)}`, ...lines)),
    Buffer.from(text),
  ]);
const json = (value: unknown) => body(JSON.stringify(value));
const bomb = gzipSync(Buffer.alloc(33 * 1024 * 1024, " "));
const whole = JSON.stringify(update);
const deep = "[".repeat(100_000);

// JSON of other shapes: test/contract/responses.test.ts changes every part of every response.
const shapes: Record<string, Wire> = {
  "an error body with HTTP 200": json({ statusCode: 404, error: "Not Found" }),
  "100,000 nested lists": body(deep + "]".repeat(100_000)),
  "100,000 nested lists, and a __proto__": body(`${deep}{"__proto__":1}${"]".repeat(100_000)}`),
};

const texts: Record<string, Wire> = {
  "an empty body": body(""),
  "an HTML page": body("<html><body>Sign in</body></html>", "Content-Type: application/json"),
  "truncated JSON": body(whole.slice(0, -1)),
  "an unknown encoding": body(Buffer.from([1, 2, 3]), "Content-Encoding: quantum"),
};

const tooLarge: Record<string, Wire> = {
  "more than 32 MiB": body(Buffer.alloc(32 * 1024 * 1024 + 1, " ")),
  "a gzip bomb": body(bomb, "Content-Encoding: gzip"),
};

const transfers: Record<string, Wire> = {
  "a reset": (socket) => socket.resetAndDestroy(),
  "a truncated body": head("Content-Length: 99") + whole,
  "a wrong content encoding": body(whole, "Content-Encoding: gzip"),
  "another protocol": "SSH-2.0-OpenSSH_9.6\r\n",
  "an upgrade that was not requested": (socket) =>
    socket.write("HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
  "an invalid redirect": "HTTP/1.1 302 Found\r\nLocation: \x01\r\nContent-Length: 0\r\n\r\n",
};

const malformed: Record<string, Wire> = {
  "a blank before the colon of a header": "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\n{}",
  "a control character in a header": "HTTP/1.1 200 OK\r\nX: \x01\r\nContent-Length: 2\r\n\r\n{}",
  "20 kB of headers": head(`X: ${"x".repeat(20_000)}`),
};

const bombHead = `HTTP/1.1 403 No\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;

const failures: Case[] = [
  ["a redirect", rawResponse(301, "", "Location: http://evil.example/"), "ApiError"],
  ["not modified", "HTTP/1.1 304 Not Modified\r\n\r\n", "ApiError"],
  ["a failure whose body is truncated", "HTTP/1.1 404 No\r\nContent-Length: 99\r\n\r\n{", "NotFoundError"],
  ["a failure with a gzip bomb", Buffer.concat([Buffer.from(bombHead), bomb]), "PermissionError"],
];

const respondWith = (wire: Wire) =>
  serveRaw((socket) => (typeof wire === "function" ? wire(socket) : socket.end(wire)));

const unhandled: unknown[] = [];
const note = (what: unknown) => unhandled.push(what);
beforeAll(() => realProcess.on("unhandledRejection", note).on("warning", note));
afterAll(() => realProcess.off("unhandledRejection", note).off("warning", note));
afterEach(() => expect(unhandled).toEqual([]));

const as = (error: string, wires: Record<string, Wire>) =>
  Object.entries(wires).map(([what, wire]): Case => [what, wire, error]);
const cases: Case[] = [
  ...as("ResponseShapeError", { ...shapes, ...texts, ...tooLarge }),
  ...as("ConnectionError", { ...transfers, ...malformed }),
  ...failures,
];

test.each<Case>(cases)("%s", async (what, wire, name) => {
  const error = await failureOf(read(clientOf(await respondWith(wire), { maxAttempts: 1 })));
  expect(error.name).toBe(name);
  expect(error.message).toMatch(/^(get|list)\w+( [\w/]+)?: .*\.$/);
  if (what in malformed) expect(error.message).toMatch(/\(HPE_\w+\)\. Check .* `NODE_OPTIONS=--\w/);
  if (what in tooLarge) expect(error.message).toContain("the response is larger than 32 MiB");
});

test.each<[string, Wire]>([
  ["a byte order mark", body(`\ufeff${whole}`)],
  ["gzip", body(gzipSync(whole), "Content-Encoding: gzip")],
  ["brotli", body(brotliCompressSync(whole), "Content-Encoding: br")],
  ["a content type of another kind", body(whole, "Content-Type: text/html")],
  ["exactly 32 MiB", body(whole + " ".repeat(32 * 1024 * 1024 - whole.length))],
])("%s is accepted", async (_, wire) => {
  await expect(read(clientOf(await respondWith(wire), { maxAttempts: 1 }))).resolves.toEqual(update);
});
