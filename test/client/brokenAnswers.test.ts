/** Whatever comes back ends in the right error, at once or by the deadline: never in a crash, a hang or a loose end. */
import type { Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { MonitoringClient } from "../../provider/client";
import { clientOf, failureOf, news, realProcess, serveRaw, update } from "./services";

type Read = "update" | "incident" | "channel" | "dashboard" | "pages";

const reads: Record<Read, (client: MonitoringClient) => PromiseLike<unknown>> = {
  update: (client) => client.getIncidentUpdate("i1", "u1"),
  incident: (client) => client.getStatusPageIncident("i1"),
  channel: (client) => client.getAlertChannel(7),
  dashboard: (client) => client.getIncident("i1"),
  pages: (client) => client.listStatusPages(),
};

type Wire = string | Buffer | ((socket: Socket) => void);

const head = (...lines: string[]) => ["HTTP/1.1 200 OK", "Connection: close", ...lines, "", ""].join("\r\n");
const body = (text: string | Buffer, ...lines: string[]) =>
  Buffer.concat([
    Buffer.from(head(`Content-Length: ${Buffer.byteLength(text)}`, ...lines)),
    Buffer.from(text),
  ]);
const json = (value: unknown) => body(JSON.stringify(value));
const bomb = Buffer.alloc(50 * 1024 * 1024, " ");
const whole = JSON.stringify(update);
const deep = "[".repeat(1_000_000);

const shapes: [string, Read, Wire, string][] = [
  ["null", "update", json(null), "ResponseShapeError"],
  ["a number", "update", json(42), "ResponseShapeError"],
  ["a text", "update", json("ok"), "ResponseShapeError"],
  ["true", "update", json(true), "ResponseShapeError"],
  ["a list instead of an object", "update", json([update]), "ResponseShapeError"],
  ["an empty object", "update", json({}), "ResponseShapeError"],
  ["an error in a success", "update", json({ statusCode: 404, error: "Not Found" }), "ResponseShapeError"],
  [
    "null everywhere, in an update",
    "update",
    json({ id: null, description: null, status: null }),
    "ResponseShapeError",
  ],
  [
    "null everywhere, in an incident",
    "incident",
    json({ id: null, name: null, incidentUpdates: null }),
    "ResponseShapeError",
  ],
  [
    "null everywhere, in a channel",
    "channel",
    json({ id: null, type: null, config: null }),
    "ResponseShapeError",
  ],
  [
    "null everywhere, in a dashboard incident",
    "dashboard",
    json({ id: null, name: null }),
    "ResponseShapeError",
  ],
  ["null everywhere, in a list", "pages", json({ entries: null, length: null }), "ResponseShapeError"],
  ["null for an entry", "pages", json({ entries: [null] }), "ResponseShapeError"],
  ["an empty id", "update", json({ ...update, id: "" }), "ResponseShapeError"],
  ["a number for an id", "update", json({ ...update, id: 7 }), "ResponseShapeError"],
  [
    "a text for a channel's id",
    "channel",
    json({ id: "7", type: "EMAIL", config: {} }),
    "ResponseShapeError",
  ],
  ["a text for config", "channel", json({ id: 7, type: "EMAIL", config: "x" }), "ResponseShapeError"],
  ["a list for config", "channel", json({ id: 7, type: "EMAIL", config: [] }), "ResponseShapeError"],
  ["an object for a text", "update", json({ ...update, description: {} }), "ResponseShapeError"],
  [
    "an object for the history",
    "incident",
    json({ id: "1", name: "x", incidentUpdates: {} }),
    "ResponseShapeError",
  ],
  ["an object for the entries", "pages", json({ entries: { 0: {} } }), "ResponseShapeError"],
  ["a cursor that is an object", "pages", json({ entries: [], nextId: {} }), "ResponseShapeError"],
  ["a million lists in each other", "update", body(deep + "]".repeat(1_000_000)), "ResponseShapeError"],
  [
    "a million lists, and a __proto__",
    "update",
    body(`${deep}{"__proto__":1}${"]".repeat(1_000_000)}`),
    "ResponseShapeError",
  ],
];

const texts: [string, Read, Wire, string][] = [
  ["nothing", "update", body(""), "ResponseShapeError"],
  ["no content", "update", "HTTP/1.1 204 No Content\r\n\r\n", "ResponseShapeError"],
  [
    "a page of HTML",
    "update",
    body("<html><body>Sign in</body></html>", "Content-Type: application/json"),
    "ResponseShapeError",
  ],
  ["JSON that stops short", "update", body(whole.slice(0, -1)), "ResponseShapeError"],
  ["JSON and then more", "update", body(`${whole}${whole}`), "ResponseShapeError"],
  ["JavaScript", "update", body("{id: 'u1'}"), "ResponseShapeError"],
  ["NaN", "update", body('{"id":NaN}'), "ResponseShapeError"],
  ["bytes that are no text", "update", body(Buffer.from([0x80, 0xff, 0x00, 0xfe])), "ResponseShapeError"],
  ["UTF-16", "update", body(Buffer.from(whole, "utf16le")), "ResponseShapeError"],
  ["gzip that isn't said to be", "update", body(gzipSync(whole)), "ResponseShapeError"],
  [
    "an encoding that nobody knows",
    "update",
    body(Buffer.from([1, 2, 3]), "Content-Encoding: quantum"),
    "ResponseShapeError",
  ],
  ["more than 5 MiB", "update", body(Buffer.alloc(5 * 1024 * 1024 + 1, " ")), "ResponseShapeError"],
  ["a bomb of gzip", "update", body(gzipSync(bomb), "Content-Encoding: gzip"), "ResponseShapeError"],
  [
    "a bomb of brotli",
    "update",
    body(brotliCompressSync(bomb), "Content-Encoding: br"),
    "ResponseShapeError",
  ],
  ["a bomb of deflate", "update", body(deflateSync(bomb), "Content-Encoding: deflate"), "ResponseShapeError"],
  [
    "a failure with a bomb",
    "update",
    Buffer.concat([
      Buffer.from(
        `HTTP/1.1 403 No\r\nContent-Encoding: gzip\r\nContent-Length: ${gzipSync(bomb).length}\r\n\r\n`,
      ),
      gzipSync(bomb),
    ]),
    "PermissionError",
  ],
];

const transfers: [string, Read, Wire, string][] = [
  ["no word", "update", "", "ConnectionError"],
  ["a reset", "update", (socket) => socket.resetAndDestroy(), "ConnectionError"],
  ["a body that is cut", "update", head("Content-Length: 99") + whole, "ConnectionError"],
  ["chunks that are cut", "update", head("Transfer-Encoding: chunked") + "5\r\n{", "ConnectionError"],
  [
    "a chunk whose size is no number",
    "update",
    head("Transfer-Encoding: chunked") + "zz\r\n{}\r\n",
    "ConnectionError",
  ],
  ["an encoding that it is not", "update", body(whole, "Content-Encoding: gzip"), "ConnectionError"],
  ["another protocol", "update", "SSH-2.0-OpenSSH_9.6\r\n", "ConnectionError"],
  [
    "a protocol that nobody asked for",
    "update",
    (socket) => socket.write("HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
    "ConnectionError",
  ],
  ["a status that is no number", "update", "HTTP/1.1 abc OK\r\n\r\n", "ConnectionError"],
  [
    "a head without end",
    "update",
    (socket) => socket.write(head(`X-Big: ${"x".repeat(100_000)}`)),
    "ConnectionError",
  ],
  ["a header with a null in it", "update", head("X-Odd: a\0b"), "ConnectionError"],
  ["two lengths", "update", head("Content-Length: 2", "Content-Length: 40") + "{}", "ConnectionError"],
  ["a negative length", "update", head("Content-Length: -1") + "{}", "ConnectionError"],
  [
    "a length and chunks at once",
    "update",
    head("Content-Length: 2", "Transfer-Encoding: chunked") + "{}",
    "ConnectionError",
  ],
  [
    "a redirect to nowhere",
    "update",
    "HTTP/1.1 302 Found\r\nLocation: \x01\r\nContent-Length: 0\r\n\r\n",
    "ConnectionError",
  ],
  [
    "a redirect",
    "update",
    "HTTP/1.1 301 Moved\r\nLocation: http://evil.example/\r\nContent-Length: 0\r\n\r\n",
    "ApiError",
  ],
  ["not modified", "update", "HTTP/1.1 304 Not Modified\r\n\r\n", "ApiError"],
  ["a status beyond all", "update", "HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n", "ServerError"],
  [
    "a failure whose body is cut",
    "update",
    "HTTP/1.1 404 No\r\nContent-Length: 99\r\n\r\n{",
    "NotFoundError",
  ],
];

const answerWith = (wire: Wire) =>
  serveRaw((socket) => (typeof wire === "function" ? wire(socket) : socket.end(wire)));

const loose: unknown[] = [];
const note = (what: unknown) => loose.push(what);
beforeAll(() => realProcess.on("unhandledRejection", note).on("warning", note));
afterAll(() => realProcess.off("unhandledRejection", note).off("warning", note));
afterEach(() => expect(loose).toEqual([]));

test.each([...shapes, ...texts, ...transfers])("%s", async (what, read, wire, name) => {
  const service = await answerWith(wire);
  const { client } = clientOf(service, { maxAttempts: 1 });
  const error = await failureOf(reads[read](client));
  expect(error.name).toBe(name);
  expect(error.message).toMatch(/^(get|list)\w+( [\w/]+)?: .*\.$/);
  if (/5 MiB|bomb of/.test(what)) expect(error.message).toContain("the response is larger than 5 MiB");
});

test.each([...texts, ...transfers].filter(([, , , name]) => /Shape|Connection/.test(name)))(
  "%s, to a write: its outcome is unknown",
  async (_, __, wire) => {
    const service = await answerWith(wire);
    const error = await failureOf(clientOf(service).client.createIncidentUpdate("i1", news));
    expect(error.name).toBe("OutcomeUnknownError");
    expect(service.requests).toHaveLength(1);
  },
);

test.each<[string, Wire]>([
  ["a byte order mark", body(`\ufeff${whole}`)],
  ["gzip", body(gzipSync(whole), "Content-Encoding: gzip")],
  ["deflate", body(deflateSync(whole), "Content-Encoding: DEFLATE")],
  ["brotli", body(brotliCompressSync(whole), "Content-Encoding: br")],
  ["no length", head() + whole],
  [
    "chunks with trailers",
    head("Transfer-Encoding: chunked") +
      `${whole.length.toString(16)};x=y\r\n${whole}\r\n0\r\nX-Sum: 1\r\n\r\n`,
  ],
  [
    "interim answers first",
    Buffer.concat([Buffer.from("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"), body(whole)]),
  ],
  [
    "headers named like methods",
    body(whole, "Normalize: x", "Set: y", "Get: z", "__proto__: p", "Constructor: c"),
  ],
  ["HTTP/1.0", `HTTP/1.0 200 OK\r\n\r\n${whole}`],
  ["a status with no reason", `HTTP/1.1 200\r\nConnection: close\r\n\r\n${whole}`],
  ["a content type of another kind", body(whole, "Content-Type: text/html")],
  ["exactly 5 MiB", body(whole + " ".repeat(5 * 1024 * 1024 - whole.length))],
])("%s is no reason to fail", async (_, wire) => {
  const { client } = clientOf(await answerWith(wire), { maxAttempts: 1 });
  await expect(client.getIncidentUpdate("i1", "u1")).resolves.toEqual(update);
});
