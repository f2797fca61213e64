import axios from "axios";
import {
  apiKey,
  clientOf,
  failureOf,
  news,
  realProcess,
  send,
  serve,
  serveJson,
  until,
  update,
} from "./services";
import { serveTls, trustTestCertificate } from "./tls";

const once = { maxAttempts: 1 };

describe("certificates", () => {
  test("are checked: nothing is sent to a service without a trusted one", async () => {
    const service = await serveTls((response) => send(response, update));
    const { client } = clientOf(service, once);
    for (const call of [
      () => client.getIncidentUpdate("i1", "u1"),
      () => client.createIncidentUpdate("i1", news),
    ]) {
      expect((await failureOf(call())).message).toContain("(DEPTH_ZERO_SELF_SIGNED_CERT)");
    }
    expect(service.requests).toEqual([]);
  });

  test("are checked for the host name too", async () => {
    trustTestCertificate();
    const service = await serveTls((response) => send(response, update));
    const { client } = clientOf({ url: service.url.replace("localhost", "127.0.0.1") }, once);
    expect((await failureOf(client.getAlertChannel(7))).message).toContain("(ERR_TLS_CERT_ALTNAME_INVALID)");
    expect(service.requests).toEqual([]);
  });

  test("that are trusted: reads and writes succeed", async () => {
    trustTestCertificate();
    const service = await serveTls((response) => send(response, update));
    const { client } = clientOf(service);
    await client.getIncidentUpdate("i1", "u1");
    await client.createIncidentUpdate("i1", news);
    await client.getIncidentUpdate("i1", "u1");
    expect(service.requests.map(({ headers }) => headers.connection)).toEqual([
      "keep-alive",
      "close",
      "keep-alive",
    ]);
  });

  describe("with NODE_TLS_REJECT_UNAUTHORIZED=0", () => {
    beforeEach(() => {
      // Node warns of the variable, and rightly so.
      jest.spyOn(realProcess, "emitWarning").mockImplementation(() => undefined);
      realProcess.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    });
    afterEach(() => {
      delete realProcess.env.NODE_TLS_REJECT_UNAUTHORIZED;
      jest.restoreAllMocks();
    });

    test("are checked all the same", async () => {
      const service = await serveTls((response) => send(response, update));
      const { client } = clientOf(service, once);
      expect((await failureOf(client.getAlertChannel(7))).name).toBe("ConnectionError");
      expect((await failureOf(client.createIncidentUpdate("i1", news))).name).toBe("ConnectionError");
      expect(service.requests).toEqual([]);
    });
  });
});

describe("redirects", () => {
  test.each([301, 302, 303, 307, 308])(
    "HTTP %i is not followed, and the key goes nowhere else",
    async (status) => {
      const elsewhere = await serveJson(update);
      const service = await serve((response) =>
        response.writeHead(status, { location: `${elsewhere.url}/x` }).end(),
      );
      const error = await failureOf(clientOf(service).client.getIncidentUpdate("i1", "u1"));
      expect(error).toMatchObject({ name: "ApiError", status });
      expect(error.message).not.toContain(elsewhere.url);
      expect(elsewhere.requests).toEqual([]);
      expect(service.requests).toHaveLength(1);
    },
  );

  test("leave no connection open, however long their bodies are", async () => {
    const service = await serve((response) =>
      response.writeHead(302, { location: "/x" }).write("x".repeat(100_000)),
    );
    await failureOf(clientOf(service).client.getIncidentUpdate("i1", "u1"));
    await until(() => service.connections.size === 0);
  });
});

test("a cursor that looks like a URL stays a value of the query", async () => {
  const cursor = "https://evil.example/v1?a=b#c&nextId=../..\r\nX-Odd: 1";
  const entries = [{ id: "1", name: "x" }];
  const service = await serve((response, _, turn) =>
    send(response, { entries, nextId: turn === 1 ? cursor : null }),
  );
  for await (const entry of clientOf(service).client.listStatusPages()) expect(entry.id).toBe("1");
  const asked = new URL(service.requests[1]?.url ?? "", service.url);
  expect(asked.host).toBe(new URL(service.url).host);
  expect([...asked.searchParams]).toEqual([["nextId", cursor]]);
});

test("the defaults of axios that a program sets don't apply", async () => {
  const elsewhere = await serveJson({ id: "not this" });
  const service = await serveJson(update);
  const { defaults } = axios;
  const before = { ...defaults };
  const { port } = new URL(elsewhere.url);
  Object.assign(defaults, {
    baseURL: elsewhere.url,
    params: { tracking: "1" },
    auth: { username: "someone", password: "else" },
    proxy: { host: "127.0.0.1", port: Number(port), protocol: "http" },
    headers: { ...defaults.headers, common: { "x-theirs": "1" } },
    timeout: 1,
    transformResponse: [() => ({ id: "transformed" })],
  });
  try {
    await expect(clientOf(service).client.getIncidentUpdate("i1", "u1")).resolves.toEqual(update);
  } finally {
    for (const key of ["baseURL", "params", "auth", "proxy"]) Reflect.deleteProperty(defaults, key);
    Object.assign(defaults, before);
  }
  expect(service.requests).toMatchObject([{ headers: { authorization: `Bearer ${apiKey}` } }]);
  expect(service.requests[0]?.url).not.toContain("tracking");
  expect(service.requests[0]?.headers).not.toHaveProperty("x-theirs");
  expect(elsewhere.requests).toEqual([]);
});
