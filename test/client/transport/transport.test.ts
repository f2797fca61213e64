/**
 * Tests the data that reaches the service over TLS and HTTP. Every broken response causes the right error, and never a crash, a hang or
 * an unhandled rejection.
 */
import { type ServerOptions } from "node:https";
import { type Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import axios from "axios";
import manifest from "../../../package.json";
import { TimeLimit, Transport } from "../../../provider/client/http";
import {
  apiKey,
  createClient,
  catchError,
  nobodyListens,
  read,
  realProcess,
  send,
  serve,
  serveJson,
  serveRaw,
  until,
  update,
  type Watched,
  write,
} from "../services";
import { expired, serveTls, trustTestCertificates } from "./tls";

const once = { maxAttempts: 1 };
const serveSecure = () => serveTls((response) => send(response, update));

describe("certificates", () => {
  afterEach(() => {
    delete realProcess.env.NODE_TLS_REJECT_UNAUTHORIZED;
    jest.restoreAllMocks();
  });

  test.each([{}, { NODE_TLS_REJECT_UNAUTHORIZED: "0" }])(
    "certificates are checked with %j, so that nothing is sent to a service without a trusted certificate",
    async (variables) => {
      // Node warns about the variable, as it should.
      jest.spyOn(realProcess, "emitWarning").mockImplementation(() => undefined);
      Object.assign(realProcess.env, variables);
      const service = await serveSecure();
      for (const call of [read, write]) {
        const error = await catchError(call(createClient(service, once)));
        expect(error.name).toBe("ConnectionError");
        expect(error.message).toContain("(DEPTH_ZERO_SELF_SIGNED_CERT)");
      }
      expect(service.requests).toEqual([]);
    },
  );

  test("certificates are also checked for the host name", async () => {
    trustTestCertificates();
    const service = await serveSecure();
    const watched = createClient({ url: service.url.replace("localhost", "127.0.0.1") }, once);
    expect((await catchError(read(watched))).message).toContain("(ERR_TLS_CERT_ALTNAME_INVALID)");
    expect(service.requests).toEqual([]);
  });
});

test("a write isn't received by a gateway that requires a client certificate, as the error explains", async () => {
  trustTestCertificates();
  const gateway = { requestCert: true, rejectUnauthorized: true };
  const service = await serveTls((response) => send(response, update), "localhost", gateway);
  const error = await catchError(write(createClient(service, once)));
  expect(error.message).toContain(
    "(ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED). The service requires a client certificate",
  );
  expect(service.requests).toEqual([]);
});

test.each<[what: string, options: ServerOptions, message: string]>([
  [
    "an old version of TLS",
    { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" },
    " The TLS handshake failed: tlsv1 alert protocol version. Check that the host name is right and that the server supports TLS 1.2 or later.",
  ],
  [
    "an expired certificate",
    expired,
    "(CERT_HAS_EXPIRED). The certificate has expired or isn't valid yet. Renew the certificate, or correct this machine's clock.",
  ],
])("a service with %s isn't said to speak plain HTTP", async (_, options, message) => {
  trustTestCertificates();
  const service = await serveTls((response) => send(response, update), "localhost", options);
  const error = await catchError(write(createClient(service, once)));
  expect(error.message).toContain(message);
  expect(service.requests).toEqual([]);
});

test("plain http instead of TLS is recognized, and nothing is sent", async () => {
  const service = await serveJson(update);
  const error = await catchError(write(createClient({ url: service.url.replace("http:", "https:") }, once)));
  expect(error.message).toMatch(/could not be reached at .* The server probably speaks plain HTTP\. /);
  expect(service.requests).toEqual([]);
});

test.each([
  ["https", serveSecure],
  ["http", () => serveJson(update)],
])("each write with %s uses its own connection, while reads share connections", async (_, start) => {
  trustTestCertificates();
  const service = await start();
  const watched = createClient(service);
  let shared: Socket | undefined;
  for (const call of [read, write, read, write]) {
    await expect(call(watched)).resolves.toEqual(update);
    shared ??= [...service.connections][0];
  }
  const connections = service.requests.map(({ headers }) => headers.connection);
  expect(connections).toEqual(["keep-alive", "close", "keep-alive", "close"]);
  expect(service.connections.size).toBeLessThanOrEqual(2);
  expect([...service.connections]).toContain(shared);
});

test.each([
  ["https", serveTls],
  ["http", serve],
])(
  "a request with %s was sent if its connection was open, whether the connection is new or shared",
  async (_, start) => {
    trustTestCertificates();
    const service = await start((response, __, turn) => {
      if (turn === 1) send(response, update);
      else response.socket?.destroy();
    });
    const watched = createClient(service, once);
    await read(watched);
    expect((await catchError(read(watched))).message).toContain(
      ": the connection was lost before the response",
    );
    expect((await catchError(write(watched))).name).toBe("OutcomeUnknownError");
    const refused = await catchError(write(createClient({ url: nobodyListens }, once)));
    expect(refused).toMatchObject({ name: "ConnectionError", applied: "no" });
  },
);

test("a call doesn't wait for the body of a redirect, and its connection is closed", async () => {
  const service = await serve((response) =>
    response.writeHead(302, { location: "/x" }).write("x".repeat(100_000)),
  );
  const longest = { timeoutMs: 3_600_000, deadlineMs: 3_600_000 };
  await catchError(read(createClient(service, longest)));
  await until(() => service.connections.size === 0);
});

test.each([
  [JSON.stringify(update), JSON.stringify(update)],
  ['{"__proto__":{"a":1},"id":1}', '{"id":1}'],
  ['{"\\u005f_proto__":{"a":1},"id":1}', '{"id":1}'],
])(
  "the size of the response %s is the size of its decoded text, and the result has no key __proto__",
  async (text, json) => {
    const { url } = await serve((response) => response.end(text));
    const limit = new TimeLimit(3_600_000, []);
    const result = await new Transport(new URL(url), {}, 1, undefined).send(
      { method: "GET", path: "" },
      limit,
    );
    limit.release();
    expect(JSON.stringify(result)).toBe(`{"status":200,"body":{"json":${json},"size":${text.length}}}`);
  },
);

const readFresh = ({ client }: Watched) => client.getStatusPageIncident("u1", { shared: false });

test.each<[name: string, value: string | undefined, call: (watched: Watched) => PromiseLike<unknown>]>([
  ["user-agent", `pulumi-monitoring-service/${manifest.version} axios/${axios.VERSION}`, read],
  ["accept", "application/json", read],
  ["content-type", undefined, read],
  ["content-type", "application/json", write],
  ["cache-control", undefined, read],
  ["cache-control", "no-cache", readFresh],
])("the service receives the header %s as %s", async (name, value, call) => {
  const service = await serveJson({ ...update, name: "Slow", incidentUpdates: [] });
  // Slashes at the end of a base URL aren't part of the path.
  await call(createClient({ url: `${service.url}////` }));
  expect(service.requests[0]?.url).toMatch(/^\/v1\//);
  expect(service.requests[0]?.headers[name]).toBe(value);
});

test("a program's changes to the defaults of axios have no effect", async () => {
  const elsewhere = await serveJson({ id: "not this" });
  const service = await serveJson(update);
  const { defaults } = axios;
  const before = { ...defaults };
  Object.assign(defaults, {
    baseURL: elsewhere.url,
    params: { tracking: "1" },
    auth: { username: "someone", password: "else" },
    proxy: { host: "127.0.0.1", port: elsewhere.port, protocol: "http" },
    headers: { ...defaults.headers, common: { "x-theirs": "1" } },
    adapter: () => Promise.reject(new Error("another adapter")),
    timeout: 1,
    maxContentLength: 1,
    transformResponse: [() => ({ id: "transformed" })],
  });
  try {
    await expect(read(createClient(service))).resolves.toEqual(update);
  } finally {
    for (const key of ["baseURL", "params", "auth", "proxy"]) Reflect.deleteProperty(defaults, key);
    Object.assign(defaults, before);
  }
  expect(service.requests).toMatchObject([{ headers: { authorization: `Bearer ${apiKey}` } }]);
  expect(service.requests[0]?.url).not.toContain("tracking");
  expect(service.requests[0]?.headers).not.toHaveProperty("x-theirs");
  expect(elsewhere.requests).toEqual([]);
});

type Wire = string | Buffer | ((socket: Socket) => void);

const head = (...lines: string[]) => ["HTTP/1.1 200 OK", "Connection: close", ...lines, "", ""].join("\r\n");
const body = (text: string | Buffer, ...lines: string[]) =>
  Buffer.concat([
    Buffer.from(head(`Content-Length: ${Buffer.byteLength(text)}`, ...lines)),
    Buffer.from(text),
  ]);
const bomb = gzipSync(Buffer.alloc(33 * 1024 * 1024, " "));
const refusedByBomb = `HTTP/1.1 403 No\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
const whole = JSON.stringify(update);
const deep = "[".repeat(100_000);
const encodings = ["gzip", "x-gzip", "deflate", "br", "BR"];

const serveWire = (wire: Wire) =>
  serveRaw((socket) => (typeof wire === "function" ? wire(socket) : socket.end(wire)));

const unhandled: unknown[] = [];
const note = (what: unknown) => unhandled.push(what);
beforeAll(() => realProcess.on("unhandledRejection", note).on("warning", note));
afterAll(() => realProcess.off("unhandledRejection", note).off("warning", note));
afterEach(() => expect(unhandled).toEqual([]));

const [shape, connection] = ["ResponseShapeError", "ConnectionError"];
const tooLarge = /the response is larger than 32 MiB/;
const withoutReason = /: permission denied \(HTTP 403\)\. /;
const malformed = /\(HPE_\w+\)\. Check .* `NODE_OPTIONS=--\w/;

// test/contract/client.test.ts changes every part of every response, so these are the other cases.
test.each<[what: string, wire: Wire, error: string, message?: RegExp]>([
  ["100,000 nested lists", body(deep + "]".repeat(100_000)), shape],
  ["nested lists, and a __proto__", body(`${deep}{"__proto__":1}${"]".repeat(100_000)}`), shape],
  ["an unknown encoding", body(Buffer.from([1, 2, 3]), "Content-Encoding: quantum"), shape],
  ["an unknown encoding that isn't text", body(Buffer.from([255]), "Content-Encoding: quantum"), shape],
  ["an empty body with an encoding", body("", "Content-Encoding: gzip"), shape],
  ["more than 32 MiB", body(Buffer.alloc(32 * 1024 * 1024 + 1, " ")), shape, tooLarge],
  ["a gzip bomb", body(bomb, "Content-Encoding: gzip"), shape, tooLarge],
  ["a truncated body", head("Content-Length: 99") + whole, connection],
  [
    "a truncated body with an encoding",
    (socket) => socket.end(body(gzipSync(whole), "Content-Encoding: gzip").subarray(0, -9)),
    connection,
    /: the connection was lost/,
  ],
  ...encodings.flatMap((encoding): [string, Wire, string, RegExp][] =>
    [whole, "[]", "x", `[${" ".repeat(200_000)}]`].map((plain) => [
      `plain text of ${plain.length} characters with the encoding ${encoding}`,
      body(plain, `Content-Encoding: ${encoding}`),
      connection,
      new RegExp(
        `without the encoding in the header content-encoding: ${encoding}, which a proxy probably left there \\([A-Z]\\w+\\)\\. `,
      ),
    ]),
  ),
  ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n", connection],
  ["an invalid redirect", "HTTP/1.1 302 Found\r\nLocation: \x01\r\nContent-Length: 0\r\n\r\n", connection],
  [
    "an upgrade that was not requested",
    (socket) => socket.write("HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
    connection,
    /\(UNASKED_UPGRADE\)/,
  ],
  ["a blank before a header's colon", "HTTP/1.1 200 OK\r\nX : 2\r\n\r\n{}", connection, malformed],
  ["20 kB of headers", head(`X: ${"x".repeat(20_000)}`), connection, malformed],
  ["a failure whose body is truncated", "HTTP/1.1 404 No\r\nContent-Length: 99\r\n\r\n{", "ServerError"],
  [
    "a failure with a gzip bomb",
    Buffer.concat([Buffer.from(refusedByBomb), bomb]),
    "PermissionError",
    withoutReason,
  ],
])("%s causes only an error", async (_, wire, name, ...[message]) => {
  const error = await catchError(read(createClient(await serveWire(wire), once)));
  expect(error.name).toBe(name);
  expect(error.message).toMatch(/^getIncidentUpdate( [\w/]+)?: .*\.$/);
  if (message) expect(error.message).toMatch(message);
});

test("an unencoded body with a content encoding isn't requested again, and the result of a write is unknown", async () => {
  const service = await serveWire(body(whole, "Content-Encoding: gzip"));
  await catchError(read(createClient(service)));
  expect(service.requests).toHaveLength(1);
  const error = await catchError(write(createClient(service)));
  expect([error.name, error.message]).toEqual([
    "OutcomeUnknownError",
    expect.stringMatching(/header content-encoding: gzip, .* so the update may have been created\./),
  ]);
  expect(service.requests).toHaveLength(2);
});

test.each<[string, Wire]>([
  ["a byte order mark", body(`\ufeff${whole}`)],
  ["gzip", body(gzipSync(whole), "Content-Encoding: gzip")],
  ["brotli", body(brotliCompressSync(whole), "Content-Encoding: br")],
  ["a different content type", body(whole, "Content-Type: text/html")],
  ["exactly 32 MiB", body(whole + " ".repeat(32 * 1024 * 1024 - whole.length))],
])("%s is accepted", async (_, wire) => {
  await expect(read(createClient(await serveWire(wire), once))).resolves.toEqual(update);
});
