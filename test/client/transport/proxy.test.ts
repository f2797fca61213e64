/** Tests which proxy is used for which service, and what data reaches the proxy and the service. */
import { connect, createServer, type Server, type Socket } from "node:net";
import { MonitoringClient } from "../../../provider/client";
import { findProxy } from "../../../provider/client/proxy";
import { advance, skipWaits } from "../clock";
import {
  apiKey,
  createClient,
  catchError,
  listen,
  news,
  rawResponse,
  read,
  realProcess,
  send,
  serveJson,
  until,
  update,
  write,
} from "../services";
import { type Host, serveTls, tlsServer, trustTestCertificates } from "./tls";

const variables = ["HTTPS_PROXY", "ALL_PROXY", "HTTP_PROXY", "NO_PROXY"].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

function setProxies(settings: Record<string, string>): void {
  for (const name of variables) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, settings);
}
beforeEach(() => setProxies({}));
afterEach(() => jest.restoreAllMocks());

type Connected = (socket: Socket) => void;

/** Starts a proxy that records every byte that it receives, including those in the tunnel. */
async function proxy(
  answer: (socket: Socket, request: string) => void,
  createProxyServer: (connected: Connected) => Server = createServer,
) {
  const seen: string[] = [];
  const service = await listen(
    createProxyServer((socket) => {
      socket.on("data", (data) => seen.push(data.toString("latin1")));
      socket.once("data", (data) => answer(socket, data.toString("latin1")));
    }),
  );
  return { ...service, seen, url: `http://user:password@127.0.0.1:${service.port}` };
}

/** Opens the requested tunnel to this machine, regardless of the host, because every service runs here. */
function tunnel(socket: Socket, request: string): void {
  const port = Number(/^CONNECT \S+:(\d+) /.exec(request)?.[1]);
  const onward = connect(port, "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    socket.pipe(onward).pipe(socket);
  });
  onward.on("error", () => socket.destroy());
}

const nowhere = { url: "https://service.example" };

/** Starts a service behind a proxy that opens the tunnel. */
async function tunnelled(createProxyServer?: (connected: Connected) => Server, host?: Host) {
  trustTestCertificates();
  const service = await serveTls((response) => send(response, update), host);
  return { service, via: await proxy(tunnel, createProxyServer) };
}

describe("connections through a proxy", () => {
  const byAddress = (connected: Connected) => tlsServer(connected, "127.0.0.1");
  test.each<[host: Host, proxy: string, createProxyServer: (connected: Connected) => Server]>([
    ["localhost", "http://127.0.0.1", createServer],
    ["127.0.0.1", "https://localhost", tlsServer],
    ["[::1]", "https://127.0.0.1", byAddress],
    ["localhost", "https://127.0.0.1", byAddress],
  ])(
    "the service at https://%s is reached through a proxy at %s",
    async (host, address, createProxyServer) => {
      const { service, via } = await tunnelled(createProxyServer, host);
      const warned = jest.spyOn(realProcess, "emitWarning");
      setProxies({ HTTPS_PROXY: `${address}:${via.port}` });
      const watched = createClient(service, { maxAttempts: 1 });
      for (const call of [read, write]) await expect(call(watched)).resolves.toEqual(update);
      const authority = `${host}:${service.port}`;
      const [first, ...lines] = via.seen[0]?.split("\r\n") ?? [];
      expect(first).toBe(`CONNECT ${authority} HTTP/1.1`);
      expect(lines.filter((line) => /^host:/i.test(line))).toEqual([`Host: ${authority}`]);
      expect(service.requests.map(({ headers }) => headers.host)).toEqual([authority, authority]);
      // Each request uses a separate tunnel.
      expect(via.seen.filter((bytes) => bytes.startsWith("CONNECT "))).toHaveLength(2);
      // Node would warn if the server's name were an IP address.
      expect(warned).not.toHaveBeenCalled();
    },
  );

  test("a proxy sees only the host and its own password in plain text", async () => {
    const { service, via } = await tunnelled();
    setProxies({ HTTPS_PROXY: via.url });
    await write(createClient(service, { accountId: "acc-1" }));
    const [head = "", ...inTunnel] = via.seen;
    expect(head.split("\r\n")).toContain(`Proxy-Authorization: Basic ${btoa("user:password")}`);
    expect(inTunnel.length).toBeGreaterThan(0);
    const all = via.seen.join("");
    for (const word of [apiKey, btoa(apiKey), "acc-1", "Bearer", "incidents/i1", news.description]) {
      expect(all).not.toContain(word);
    }
    expect(service.requests[0]?.headers).not.toHaveProperty("proxy-authorization");
  });

  test.each([
    ["no authority has signed", () => undefined, "127.0.0.1", "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["is for another address", trustTestCertificates, "127.0.0.2", "ERR_TLS_CERT_ALTNAME_INVALID"],
  ])("a certificate that %s is rejected, and the write is sent again", async (_, prepare, address, code) => {
    prepare();
    const service = await serveTls((response) => send(response, update), "127.0.0.1");
    setProxies({ HTTPS_PROXY: (await proxy(tunnel)).url });
    const url = service.url.replace("127.0.0.1", address);
    const watched = createClient({ url });
    const error = await catchError(skipWaits(watched, write));
    expect(error.message).toContain(`could not be reached at ${url} (${code})`);
    expect(watched.events).toHaveLength(4);
    expect(service.requests).toEqual([]);
  });

  test.each([201, 407, 429, 502])(
    "HTTP %i from the proxy is a failure to connect, not a response from the service",
    async (status) => {
      const json = "Content-Type: application/json";
      const via = await proxy((socket) => socket.end(rawResponse(status, '{"error":"x"}', json)));
      setProxies({ HTTPS_PROXY: via.url });
      for (const call of [read, write]) {
        const watched = createClient(nowhere);
        const error = await catchError(skipWaits(watched, call));
        expect(error.name).toBe("ConnectionError");
        const advice =
          status === 407
            ? "Correct the user name and password in HTTPS_PROXY."
            : "Check HTTPS_PROXY, the network and the proxy.";
        expect(error.message).toMatch(
          `: the proxy in HTTPS_PROXY (http://127.0.0.1:${via.port}) failed (PROXY_ANSWERED_${status}). ` +
            `Nothing was sent to the service. ${advice}`,
        );
        expect(watched.events).toHaveLength(4);
      }
      expect(via.seen).toHaveLength(8);
    },
  );

  const answering = (bytes: string) => () => proxy((socket) => socket.end(bytes));
  const secret = "user:hidden-password@";
  test.each<
    [way: string, variable: string, scheme: string, start: () => Promise<{ port: number }>, code: string]
  >([
    ["speaks no TLS", "https_proxy", "https", answering("HTTP/1.1 400 No\r\n\r\n"), "(EPROTO|ERR_SSL_\\w+)"],
    ["isn't there", "HTTPS_PROXY", "http", () => Promise.resolve({ port: 9 }), "ECONNREFUSED"],
    ["isn't trusted", "ALL_PROXY", "https", () => proxy(tunnel, tlsServer), "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["responds with another protocol", "all_proxy", "http", answering("SSH-2.0-x\r\n"), "HPE_\\w+"],
    ["closes the connection", "HTTPS_PROXY", "http", answering(""), "ECONNRESET"],
  ])("a proxy that %s is named with its variable %s", async (_, variable, scheme, start, code) => {
    const { port } = await start();
    setProxies({ [variable]: `${scheme}://${secret}localhost:${port}` });
    for (const call of [read, write]) {
      const { name, message, applied } = await catchError(call(createClient(nowhere, { maxAttempts: 1 })));
      const start = `: the proxy in ${variable} \\(${scheme}://localhost:${port}\\) failed \\(${code}\\)\\. Nothing was sent`;
      expect([name, message, applied]).toEqual([
        "ConnectionError",
        expect.stringMatching(start),
        call === read ? undefined : "no",
      ]);
      expect(message).not.toMatch(/baseUrl|hidden|user/);
      const isPlain = code.startsWith("(EPROTO");
      expect(message.endsWith(` If it speaks plain HTTP, start ${variable} with http://.`)).toBe(isPlain);
    }
  });

  test("a proxy without a DNS record is named in the error", async () => {
    setProxies({ HTTPS_PROXY: "http://proxy.invalid:3128" });
    const { message } = await catchError(read(createClient(nowhere, { maxAttempts: 1 })));
    expect(message).toMatch(
      /the proxy in HTTPS_PROXY \(http:..proxy.invalid:3128\) failed \((ENOTFOUND|EAI_AGAIN)\)/,
    );
  });

  test("a tunnel that leads to plain http causes no advice to use http, because that would expose the key", async () => {
    setProxies({ HTTPS_PROXY: (await proxy(tunnel)).url });
    const { url } = await serveJson(update);
    const error = await catchError(
      read(createClient({ url: url.replace("http:", "https:") }, { maxAttempts: 1 })),
    );
    expect(error.message).toMatch(/\)\. Check baseUrl, the network and the proxy in HTTPS_PROXY\.$/);
  });

  test.each([read, write])(
    "the connection to a proxy that never responds ends at the time limit (%p)",
    async (call) => {
      const via = await proxy(() => undefined);
      setProxies({ HTTPS_PROXY: via.url });
      const failure = catchError(call(createClient(nowhere, { maxAttempts: 1 })));
      await until(() => via.seen.length === 1);
      await advance(15_000);
      const { name, message } = await failure;
      expect([name, message]).toEqual([
        "TimeoutError",
        expect.stringContaining(
          `the proxy in HTTPS_PROXY (http://127.0.0.1:${via.port}) failed (timed out). Nothing`,
        ),
      ]);
      await until(() => via.connections.size === 0);
    },
  );

  test("a write is sent again if a proxy closes the tunnel before TLS, but never after its request", async () => {
    trustTestCertificates();
    const service = await serveTls((response) => response.socket?.destroy());
    let tunnels = 0;
    const via = await proxy((socket, request) => {
      tunnels += 1;
      if (tunnels === 1) socket.end("HTTP/1.1 200 OK\r\n\r\n");
      else tunnel(socket, request);
    });
    setProxies({ HTTPS_PROXY: via.url });
    const error = await catchError(skipWaits(createClient(service), write));
    expect(error.name).toBe("OutcomeUnknownError");
    expect(tunnels).toBe(2);
    expect(service.requests).toHaveLength(1);
  });
});

const environment = { HTTPS_PROXY: "http://proxy.example:3128" };

function isDirect(host: string, noProxy: string): boolean {
  return findProxy(new URL(`https://${host}`), { ...environment, NO_PROXY: noProxy }).proxy === undefined;
}

const names = ["internal.example", "api.internal.example", "a.b.internal.example"];
const mapped = "[::ffff:10.1.2.3]";

test.each<[entries: string, direct: string[], proxied: string[]]>([
  ["internal.example", ["internal.example.", "api.internal.example."], ["notinternal.example."]],
  ["münchen.example", ["münchen.example", "api.xn--mnchen-3ya.example"], ["munchen.example"]],
  ["*", [...names, "10.1.2.3", "[2001:db8::1]"], []],
  ["10.0.0.0/8", ["10.0.0.1", "10.255.255.255", mapped], ["11.0.0.1", "[2001:db8::1]", "ten.example"]],
  ["[2001:db8::1]:8443", ["[2001:db8::1]:8443"], ["[2001:db8::1]"]],
  ["2001:db8::/32", ["[2001:db8:ffff::1]"], ["[2001:db9::1]", "32.1.13.184"]],
  ["::ffff:10.0.0.0/104", ["10.1.2.3", mapped], ["11.0.0.1"]],
  // An invalid range matches no address.
  ["10.0.0.0/33, 10.0.0.0/, 10/8, 10.0.0.0/8:443, 2001:db8::/129", [], ["10.1.2.3", "[2001:db8::1]"]],
])("NO_PROXY may be %j", (entries, direct, proxied) => {
  expect([...direct, ...proxied].filter((host) => isDirect(host, entries))).toEqual(direct);
});

const service = new URL("https://api.example.com");

test.each<[environment: Record<string, string>, url: string | undefined]>([
  [{ HTTPS_PROXY: "proxy.example:3128" }, "http://proxy.example:3128/"],
  [{ https_proxy: " https://proxy.example\n" }, "https://proxy.example/"],
  [{ HTTPS_PROXY: "HTTP://user:p@proxy.example:3128/" }, "http://proxy.example:3128/"],
  [{ all_proxy: "second.example", HTTPS_PROXY: "first.example" }, "http://first.example/"],
  [{ HTTPS_PROXY: " ", ALL_PROXY: "second.example" }, "http://second.example/"],
  [{ HTTPS_PROXY: "p.example", NO_PROXY: "example.com" }, undefined],
  [{ HTTPS_PROXY: "p.example", no_proxy: "example.com", NO_PROXY: "x" }, undefined],
  [{ HTTP_PROXY: "p.example" }, undefined],
])("the proxy of %j is %s", (variables, url) => {
  expect(findProxy(service, variables)).toMatchObject(
    url === undefined ? {} : { proxy: { url: new URL(url) } },
  );
  expect(findProxy(service, variables).proxy?.url.href).toBe(url);
  expect(findProxy(new URL("http://localhost"), variables)).toEqual({});
});

test.each([
  ["user:50%off@", "user:50%off"],
  [":token@", ":token"],
  ["u:\u{1f600}@", "u:\u00f0\u009f\u0098\u0080"],
  ["u:%E9@", "u:\u00e9"],
  ["DOMAIN\\user:pass\\word@", "DOMAIN\\user:pass\\word"],
  ["user:a@b:c@", "user:a@b:c"],
  ["", undefined],
  [":@", undefined],
])("the proxy of http://%sproxy.example receives the user name and password %j", (userInfo, credentials) => {
  const { proxy } = findProxy(new URL("https://api.example.com"), {
    HTTPS_PROXY: `http://${userInfo}proxy.example`,
  });
  expect(proxy?.url.href).toBe("http://proxy.example/");
  expect(proxy?.authorization).toBe(credentials && `Basic ${btoa(credentials)}`);
});

const wrongUrl =
  "must be a URL, such as http://user:password@proxy.example.com:3128. " +
  "In the user name and password, encode # as %23, / as %2F and ? as %3F";
const wrongScheme =
  "must start with http:// or https://. Other proxies, such as SOCKS, are not supported (PROXY_SCHEME_UNSUPPORTED)";

test.each([
  ...["#", "/", "?"].flatMap((character) => [
    [`http://user:se${character}cret@proxy.example:3128`, wrongUrl],
    [`http://us${character}er:secret@proxy.example:3128`, wrongUrl],
    [`http://user:12${character}secret@proxy.example:3128`, wrongUrl],
    [`user:${character}secret@proxy.example:3128`, wrongUrl],
    [`http://user:secret${character}@x@proxy.example:3128`, wrongUrl],
  ]),
  ["http://user:secret@proxy.example:port", wrongUrl],
  ['"http://proxy.example:3128"', wrongUrl],
  ["http://proxy.example,other.example:3128", wrongUrl],
  ["socks5://user:secret@proxy.example:1080", wrongScheme],
])("a proxy that can't be used causes a configuration error: %s", (value, reason) => {
  setProxies({ HTTPS_PROXY: value });
  const options = { apiKey: "a key", baseUrl: "https://api.example.com" };
  const problems = [expect.objectContaining({ property: "apiKey" }), { property: "HTTPS_PROXY", reason }];
  const message: unknown = expect.not.stringContaining("secret");
  // The error lists all other invalid options as well.
  expect(() => new MonitoringClient(options)).toThrow(
    expect.objectContaining({ problems, message }) as Error,
  );
  // A proxy variable isn't read if no proxy is used.
  expect(() => new MonitoringClient({ apiKey: "key", baseUrl: "http://localhost" })).not.toThrow();
  process.env["NO_PROXY"] = "example.com";
  expect(() => new MonitoringClient({ ...options, apiKey: "key" })).not.toThrow();
});
