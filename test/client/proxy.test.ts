/** Which proxy is used for which service. Through real proxies: test/client/transport/proxy.test.ts. */
import { ConfigurationError, MonitoringClient } from "../../provider/client";
import { proxyFor } from "../../provider/client/proxy";

const environment = { HTTPS_PROXY: "http://proxy.example:3128" };

function isDirect(host: string, noProxy: string): boolean {
  return proxyFor(new URL(`https://${host}`), { ...environment, NO_PROXY: noProxy }).proxy === undefined;
}

describe("NO_PROXY", () => {
  const names = ["internal.example", "api.internal.example", "a.b.internal.example"];
  const otherNames = ["example", "notinternal.example", "internal.example.com", "internal"];
  const mapped = "[::ffff:10.1.2.3]";

  test.each<[entries: string, direct: string[], proxied: string[]]>([
    ["internal.example", names, [...otherNames, "10.1.2.3"]],
    ["*.internal.example", names.slice(1), ["internal.example", ...otherNames]],
    ["INTERNAL.Example", names, otherNames],
    ["internal.example", ["internal.example.", "api.internal.example."], ["notinternal.example."]],
    ["internal.example:443", names, ["internal.example:8443"]],
    ["internal.example:8443", ["api.internal.example:8443"], names],
    ["münchen.example", ["münchen.example", "api.xn--mnchen-3ya.example"], ["munchen.example"]],
    ["*", [...names, "10.1.2.3", "[2001:db8::1]"], []],
    [" other.example ,\tinternal.example\n", names, otherNames],
    ["10.1.2.3", ["10.1.2.3", "10.1.2.3:8443", "10.1.2.3.", mapped], ["10.1.2.4", "a.10.1.2.3.example"]],
    ["10.0.0.0/8", ["10.0.0.1", "10.255.255.255", mapped], ["11.0.0.1", "[2001:db8::1]", "ten.example"]],
    ["2001:db8::1", ["[2001:db8::1]", "[2001:DB8:0:0::1]:8443"], ["[2001:db8::2]", "0.0.0.1"]],
    ["[2001:db8::1]:8443", ["[2001:db8::1]:8443"], ["[2001:db8::1]"]],
    ["2001:db8::/32", ["[2001:db8:ffff::1]"], ["[2001:db9::1]", "32.1.13.184"]],
    ["::ffff:10.0.0.0/104", ["10.1.2.3", mapped], ["11.0.0.1"]],
    // What neither reads covers nothing.
    ["10.0.0.0/33, 10.0.0.0/, 10/8, 10.0.0.0/8:443, 2001:db8::/129", [], ["10.1.2.3", "[2001:db8::1]"]],
    ["1.2.3, 0.1.2.3, 010.1.2.3, fe80::1%eth0", [], ["10.1.2.3", "[fe80::1]"]],
    [". .. : :443 [ ] [] / example/ *internal.example", [], names],
    ["https://internal.example, internal.example/8, user@internal.example", [], names],
  ])("%j", (entries, direct, proxied) => {
    expect([...direct, ...proxied].filter((host) => isDirect(host, entries))).toEqual(direct);
  });
});

describe("the proxy", () => {
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
  ])("of %j is %s", (variables, url) => {
    expect(proxyFor(service, variables)).toMatchObject(
      url === undefined ? {} : { proxy: { url: new URL(url) } },
    );
    expect(proxyFor(service, variables).proxy?.url.href).toBe(url);
    expect(proxyFor(new URL("http://localhost"), variables)).toEqual({});
  });
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
  const { proxy } = proxyFor(new URL("https://api.example.com"), {
    HTTPS_PROXY: `http://${userInfo}proxy.example`,
  });
  expect(proxy?.url.href).toBe("http://proxy.example/");
  expect(proxy?.authorization).toBe(credentials && `Basic ${btoa(credentials)}`);
});

const wrongUrl =
  "must be a URL, such as http://user:password@proxy.example.com:3128. " +
  "In the user name and the password, write # as %23, / as %2F and ? as %3F";
const wrongScheme =
  "must begin with http:// or https://: other proxies, such as SOCKS, are not supported (PROXY_SCHEME_UNSUPPORTED)";

describe("a proxy that can't be used is a mistake in the configuration", () => {
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
  ])("%s", (value, reason) => {
    process.env["HTTPS_PROXY"] = value;
    const options = { apiKey: "a key", baseUrl: "https://api.example.com" };
    const error = thrownBy(() => new MonitoringClient(options));
    // Beside every other.
    expect(error.problems.map(({ property }) => property)).toEqual(["apiKey", "HTTPS_PROXY"]);
    expect(error.problems[1]?.reason).toBe(reason);
    expect(error.message).not.toContain("secret");
    // Where it isn't used, it isn't read.
    expect(() => new MonitoringClient({ apiKey: "key", baseUrl: "http://localhost" })).not.toThrow();
    process.env["NO_PROXY"] = "example.com";
    expect(() => new MonitoringClient({ ...options, apiKey: "key" })).not.toThrow();
  });
});

function thrownBy(action: () => unknown): ConfigurationError {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}
