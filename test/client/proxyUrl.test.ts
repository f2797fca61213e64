/** Proxies whose URL is unusual. */
import { createServer } from "node:net";
import { proxyAgentFor } from "../../provider/client/proxy";
import { skipWaits } from "./clock";
import { clientOf, failureOf, listen, read } from "./services";

const before = { ...process.env };
afterEach(() => {
  for (const name of ["HTTPS_PROXY", "ALL_PROXY"]) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, before);
});

/** What a proxy that opens no tunnel receives, and the message. */
async function readThrough(variable: string, urlOf: (host: string) => string) {
  const seen: string[] = [];
  const { port } = await listen(
    createServer((socket) => {
      socket.once("data", (data) => {
        seen.push(...data.toString("latin1").split("\r\n"));
        socket.end("HTTP/1.1 407 No\r\n\r\n");
      });
    }),
  );
  process.env[variable] = urlOf(`127.0.0.1:${port}`);
  const watched = clientOf({ url: "https://service.example" });
  const { message } = await failureOf(skipWaits(watched, read));
  return { seen, message, attempts: watched.events.length };
}

test.each([
  ["user:50%off", "user:50%off"],
  ["us%40er:50%off%2F", "us@er:50%off/"],
  [":token", ":token"],
  ["user", "user:"],
  ["u:%F0%9F%98%80", "u:\u00f0\u009f\u0098\u0080"],
])("a proxy receives the user name and password of %s", async (userInfo, credentials) => {
  const { seen, message } = await readThrough("HTTPS_PROXY", (host) => `http://${userInfo}@${host}`);
  expect(seen).toContain(`Proxy-Authorization: Basic ${btoa(credentials)}`);
  expect(message).toContain("PROXY_ANSWERED_407");
});

test.each([
  ["http://proxy.example", { host: "proxy.example", port: 80 }],
  ["https://proxy.example", { host: "proxy.example", port: 443 }],
  ["proxy.example:3128", { host: "proxy.example", port: 3128 }],
  ["[::1]:3128", { host: "::1", port: 3128 }],
])("the proxy %s is reached at %j", (url, where) => {
  process.env["HTTPS_PROXY"] = url;
  const agent = proxyAgentFor("https://service.example", () => new AbortController().signal);
  expect(agent?.connectOpts).toMatchObject(where);
});

test.each(["socks5", "socks4a", "ftp", "xhttp"])(
  "a proxy of the scheme %s is never connected to",
  async (scheme) => {
    const { seen, message, attempts } = await readThrough("ALL_PROXY", (host) => `${scheme}://${host}`);
    expect(seen).toEqual([]);
    expect(message).toContain("(PROXY_SCHEME_UNSUPPORTED). Check baseUrl, the network and the proxy");
    expect(attempts).toBe(4);
  },
);
