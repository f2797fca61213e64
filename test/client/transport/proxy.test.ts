import { connect, createServer, type Server, type Socket } from "node:net";
import { advance, skipWaits } from "../clock";
import {
  apiKey,
  clientOf,
  failureOf,
  listen,
  news,
  rawResponse,
  read,
  realProcess,
  send,
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

/** A proxy, and every byte that it received, in the tunnel too. */
async function proxy(
  answer: (socket: Socket, request: string) => void,
  serverOf: (connected: Connected) => Server = createServer,
) {
  const seen: string[] = [];
  const service = await listen(
    serverOf((socket) => {
      socket.on("data", (data) => seen.push(data.toString("latin1")));
      socket.once("data", (data) => answer(socket, data.toString("latin1")));
    }),
  );
  return { ...service, seen, url: `http://user:password@127.0.0.1:${service.port}` };
}

/** Opens the requested tunnel, whatever the host: every service is on this machine. */
function tunnel(socket: Socket, request: string): void {
  const port = Number(/^CONNECT \S+:(\d+) /.exec(request)?.[1]);
  const onward = connect(port, "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    socket.pipe(onward).pipe(socket);
  });
  onward.on("error", () => socket.destroy());
}

const nowhere = { url: "https://service.example" };

/** A service behind a proxy that opens the tunnel. */
async function tunnelled(serverOf?: (connected: Connected) => Server, host?: Host) {
  trustTestCertificates();
  const service = await serveTls((response) => send(response, update), host);
  return { service, via: await proxy(tunnel, serverOf) };
}

describe("through a proxy", () => {
  const byAddress = (connected: Connected) => tlsServer(connected, "127.0.0.1");
  test.each<[host: Host, proxy: string, serverOf: (connected: Connected) => Server]>([
    ["localhost", "http://127.0.0.1", createServer],
    ["127.0.0.1", "https://localhost", tlsServer],
    ["[::1]", "https://127.0.0.1", byAddress],
    ["localhost", "https://127.0.0.1", byAddress],
  ])("the service at https://%s is reached by %s", async (host, address, serverOf) => {
    const { service, via } = await tunnelled(serverOf, host);
    const warned = jest.spyOn(realProcess, "emitWarning");
    setProxies({ HTTPS_PROXY: `${address}:${via.port}` });
    const watched = clientOf(service, { maxAttempts: 1 });
    for (const call of [read, write]) await expect(call(watched)).resolves.toEqual(update);
    const authority = `${host}:${service.port}`;
    const [first, ...lines] = via.seen[0]?.split("\r\n") ?? [];
    expect(first).toBe(`CONNECT ${authority} HTTP/1.1`);
    expect(lines.filter((line) => /^host:/i.test(line))).toEqual([`Host: ${authority}`]);
    expect(service.requests.map(({ headers }) => headers.host)).toEqual([authority, authority]);
    // Each request has a tunnel of its own.
    expect(via.seen.filter((bytes) => bytes.startsWith("CONNECT "))).toHaveLength(2);
    // Node warns of an address as the name of a server.
    expect(warned).not.toHaveBeenCalled();
  });

  test("sees the host and its own password, and nothing else in clear text", async () => {
    const { service, via } = await tunnelled();
    setProxies({ HTTPS_PROXY: via.url });
    await write(clientOf(service, { accountId: "acc-1" }));
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
    ["nobody has signed", () => undefined, "127.0.0.1", "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["has another address", trustTestCertificates, "127.0.0.2", "ERR_TLS_CERT_ALTNAME_INVALID"],
  ])("a certificate that %s is refused, and the write is sent again", async (_, prepare, address, code) => {
    prepare();
    const service = await serveTls((response) => send(response, update), "127.0.0.1");
    setProxies({ HTTPS_PROXY: (await proxy(tunnel)).url });
    const url = service.url.replace("127.0.0.1", address);
    const watched = clientOf({ url });
    const error = await failureOf(skipWaits(watched, write));
    expect(error.message).toContain(`could not be reached at ${url} (${code})`);
    expect(watched.events).toHaveLength(4);
    expect(service.requests).toEqual([]);
  });

  test.each([201, 407, 429, 502])(
    "HTTP %i of the proxy is a failure to connect, not a response of the service",
    async (status) => {
      const json = "Content-Type: application/json";
      const via = await proxy((socket) => socket.end(rawResponse(status, '{"error":"x"}', json)));
      setProxies({ HTTPS_PROXY: via.url });
      for (const call of [read, write]) {
        const watched = clientOf(nowhere);
        const error = await failureOf(skipWaits(watched, call));
        expect(error.name).toBe("ConnectionError");
        expect(error.message).toContain(
          `could not be reached at ${nowhere.url} (PROXY_ANSWERED_${status}). Check baseUrl, the network and the proxy, if any.`,
        );
        expect(watched.events).toHaveLength(4);
      }
      expect(via.seen).toHaveLength(8);
    },
  );

  test.each([read, write])(
    "that never responds: the connection ends with the time limit (%p)",
    async (call) => {
      const via = await proxy(() => undefined);
      setProxies({ HTTPS_PROXY: via.url });
      const failure = failureOf(call(clientOf(nowhere, { maxAttempts: 1 })));
      await until(() => via.seen.length === 1);
      await advance(15_000);
      expect((await failure).name).toBe("TimeoutError");
      await until(() => via.connections.size === 0);
    },
  );

  test("that closes the tunnel: a write is sent again before TLS, and never after its request", async () => {
    trustTestCertificates();
    const service = await serveTls((response) => response.socket?.destroy());
    let tunnels = 0;
    const via = await proxy((socket, request) => {
      tunnels += 1;
      if (tunnels === 1) socket.end("HTTP/1.1 200 OK\r\n\r\n");
      else tunnel(socket, request);
    });
    setProxies({ HTTPS_PROXY: via.url });
    const error = await failureOf(skipWaits(clientOf(service), write));
    expect(error.name).toBe("OutcomeUnknownError");
    expect(tunnels).toBe(2);
    expect(service.requests).toHaveLength(1);
  });
});
