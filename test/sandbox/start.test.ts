/** A sandbox as it starts and ends, and its page. */
import { networkInterfaces } from "node:os";
import {
  type Sandbox,
  SandboxError,
  type SandboxOptions,
  seedData,
  startSandbox,
  wellKnown,
} from "../../sandbox";
import { ask, failure, incidentId, news, post, read, sandboxWith } from "./sandboxes";

test("a sandbox has an API key and an account, and is not reachable from other machines", async () => {
  const { url, apiKey, accountId } = await sandboxWith();
  expect([apiKey, accountId]).toEqual([wellKnown.apiKeys.quillmarket, wellKnown.accounts.quillmarket]);
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all);
  for (const { internal, family, address } of addresses) {
    if (internal || family !== "IPv4") continue;
    expect(await failure(fetch(url.replace("127.0.0.1", address)))).toBe("ECONNREFUSED");
  }
});

const seed = seedData({ seed: 7 });
const invalid = structuredClone(seed);
invalid.accounts[0].id = "another";

// A port in use: test/cli/monitoring.test.ts.
test.each<[SandboxOptions, RegExp]>([
  [{ port: 70_000, data: "", apiKey: "with space" }, /:\n {2}port: .*\n {2}data: .*\n {2}apiKey: .*$/],
  [{ accountHeader: "a b" }, /:\n {2}accountHeader: .*$/],
  [{ seed: invalid }, /seed.*:\n.*there is no account/],
])("invalid options are reported together", async (options, problems) => {
  const refused = startSandbox(options);
  await expect(refused).rejects.toThrow(SandboxError);
  await expect(refused).rejects.toThrow(problems);
});

test("a seed may be any valid data, and is not modified", async () => {
  const sandbox = await sandboxWith({ seed });
  expect(sandbox.data).toEqual(seed);
  sandbox.byHand.change(({ accounts: [first] }) => (first.name = "Other"));
  expect(seed.accounts[0].name).not.toBe("Other");
});

test("closing aborts requests, releases the port, and prevents later writes", async () => {
  const sandbox = await startSandbox({ faults: [{ kind: "latency", ms: 60_000 }] });
  const rejected = expect(read(sandbox)).rejects.toThrow("fetch failed");
  await (await ask(sandbox, "/")).text();
  await sandbox.close();
  await rejected;
  await sandboxWith({ port: Number(new URL(sandbox.url).port) });
  expect(sandbox.requests).toMatchObject([{ ended: "client left", applied: false }]);
});

async function load(sandbox: Sandbox) {
  const response = await ask(sandbox, "/", { apiKey: null });
  const html = await response.text();
  return { headers: response.headers, html, main: /<main[^]*<\/main>/.exec(html)?.[0] ?? "" };
}

// What it shows, and how it follows changes: test/browser/statusPage.test.ts.
test("the sandbox's page escapes text, loads nothing from other hosts, and runs only its own script and style", async () => {
  const sandbox = await sandboxWith();
  const attack = `</p><script>alert("x")</script><img src=x onerror='y'>&amp;`;
  await post(sandbox, { ...news, description: attack });
  sandbox.byHand.editIncident(incidentId, { name: `"><b>${attack}` });
  const { headers, html, main } = await load(sandbox);
  expect(main).not.toMatch(/<script|<img|<b>/);
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  expect(main.replaceAll(/&([\w#]+);/g, (_, name: string) => entities[name] ?? "")).toContain(attack);

  const links = html.match(/(?:href|src|action)="[^"]*"/g);
  expect(links?.filter((link) => !/="(\/|#|data:image)/.test(link))).toEqual([]);
  expect(html).not.toMatch(/@import|url\(|<[^>]*\s(on\w+|style)="/);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1];
  const own = [`<style nonce="${nonce}">`, `<script nonce="${nonce}">`];
  expect(html.match(/<(script|style)[^>]*>/g)).toEqual(own);
});

test("a status page is as bad as the worst of its open incidents", async () => {
  const sandbox = await sandboxWith();
  const [{ id, name } = { id: "", name: "" }] = sandbox.data.accounts[0].statusPages;
  const { checkoutLatency, cardDeclines, searchLag } = wellKnown.statusPageIncidents;
  for (const incident of [checkoutLatency, searchLag])
    sandbox.byHand.editIncident(incident, { severity: "MINOR", statusPageIds: [id] });
  sandbox.byHand.editIncident(cardDeclines, { severity: "CRITICAL", statusPageIds: [id] });
  expect((await load(sandbox)).main).toMatch(new RegExp(`<li class="critical">\\s*<span>${name}<`));
});
