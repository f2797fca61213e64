import { networkInterfaces } from "node:os";
import { SandboxError, seedData, startSandbox, wellKnown } from "../../sandbox";
import { ask, failure, read, sandboxWith } from "./sandboxes";

test("has a URL, an API key and an account", async () => {
  const sandbox = await sandboxWith();
  expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const { apiKeys, accounts } = wellKnown;
  expect(sandbox).toMatchObject({ apiKey: apiKeys.quillmarket, accountId: accounts.quillmarket });
});

test("is not reachable from other machines", async () => {
  const { port } = new URL((await sandboxWith()).url);
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all);
  for (const { internal, family, address } of addresses) {
    if (internal || family !== "IPv4") continue;
    expect(await failure(fetch(`http://${address}:${port}/`))).toBe("ECONNREFUSED");
  }
});

test("a port in use is one line", async () => {
  const port = Number(new URL((await sandboxWith()).url).port);
  const message = `Port ${port} is in use, perhaps by another sandbox: stop that one or choose another port (--port).`;
  await expect(startSandbox({ port })).rejects.toThrow(new SandboxError(message));
});

test("invalid options are reported together", async () => {
  const wrong = startSandbox({ port: 70_000, data: "", apiKey: "with space" });
  await expect(wrong).rejects.toThrow(SandboxError);
  await expect(wrong).rejects.toThrow(/options are invalid:\n {2}port: .*\n {2}data: .*\n {2}apiKey: .*$/);
});

test("an invalid seed is rejected", async () => {
  const seed = seedData();
  seed.accounts[0].id = "another";
  await expect(startSandbox({ seed })).rejects.toThrow(/seed isn't sandbox data:\n.*there is no account/);
});

test("a seed may be any valid data, and is not modified", async () => {
  const seed = seedData({ seed: 7 });
  seed.accounts[0].name = "Acme";
  const sandbox = await sandboxWith({ seed });
  expect(sandbox.data.accounts[0].name).toBe("Acme");
  sandbox.byHand.change(({ accounts: [first] }) => (first.name = "Other"));
  expect(seed.accounts[0].name).toBe("Acme");
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
