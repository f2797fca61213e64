/** `monitoring doctor` where it waits: posts on services that treat ids and reads differently, and no network. */
import "../lifecycles/idleClock";
import type { SandboxOptions } from "../../sandbox";
import { nobodyListens } from "../client/services";
import { incidentId, sandboxWith, updatesOf } from "../sandbox/sandboxes";
import { doctor } from "./running";

async function found(options: SandboxOptions) {
  const sandbox = await sandboxWith(options);
  const { code, stdout } = await doctor(sandbox, `--post-to ${incidentId} --yes`);
  const block = stdout.slice(stdout.indexOf("### monitoring doctor, pulumi-monitoring-service "));
  const lines = [...block.matchAll(/^- (.*?): (.*)$/gm)].map(
    ([, name = "", text = ""]) => [name, text] as const,
  );
  const { Service, Shown, Guarantee, ...others } = Object.fromEntries(lines);
  return { code, sandbox, block, Service, Shown, Guarantee, others };
}

const once = /^A declared update exists once, also with two machines/;
const limited = /^A declared update exists once, with the limitations of a service that ignores ids/;
const second = "Second post of the same id";

test.each([
  ["honoured", "used", "rejected (HTTP 409)", once, 1],
  ["honoured-500", "used", "rejected (HTTP 500)", once, 1],
  ["honoured-idempotent", "used", "returned the first update (HTTP 200)", once, 1],
  ["ignored", "ignored", "created a second update (HTTP 201)", limited, 2],
  ["rejected", "rejected", "not sent", limited, 1],
] as const)("a service whose ids are %s", async (ids, used, again, guarantee, lines) => {
  const { code, sandbox, ...block } = await found({ ids });
  expect(code).toBe(0);
  expect(block.Service).toBe(sandbox.url);
  expect(block.others).toEqual({ "Id of an update": used, [second]: again });
  expect(block.Guarantee).toMatch(guarantee);
  expect(block.Shown).toMatch(/ms after the response to the post, at the first read$/);
  expect(updatesOf(sandbox)).toHaveLength(2 + lines);
});

test("one id is sent, of the form of a declared update, with the status that the incident has", async () => {
  const { sandbox } = await found({ ids: "honoured" });
  const [posted, , previous] = updatesOf(sandbox);
  expect(posted?.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-5/);
  expect(posted).toMatchObject({
    notifySubscribers: false,
    status: sandbox.incident(incidentId).lastUpdateStatus,
  });
  expect(previous).toBeDefined();
});

test("the block names neither the key, nor the account, nor the incident", async () => {
  const { sandbox, block } = await found({ ids: "honoured" });
  for (const secret of [sandbox.apiKey, sandbox.accountId, incidentId]) expect(block).not.toContain(secret);
});

test("a service that rejects the second post of an id with 400 seems to reject ids", async () => {
  const status = { kind: "status", operation: "createIncidentUpdate", code: 400, skip: 1 } as const;
  const block = await found({ ids: "honoured", faults: [status] });
  expect(block.others).toEqual({ "Id of an update": "used", [second]: "rejected (HTTP 400)" });
  expect(block.Guarantee).toMatch(/HTTP 400 to a second post reads as a service that rejects ids/);
});

test("reads that lack the update for 20 s", async () => {
  const block = await found({ faults: [{ kind: "lateVisibility", ms: 20_000 }] });
  expect(block.Shown).toMatch(/^2[01]\d{3} ms after the response to the post, not yet after 1\d{4} ms$/);
  expect(block.Guarantee).toMatch(
    /Reads lack a new update for up to 2[12] s: wait longer after a killed run/,
  );
});

test("reads that never have the update", async () => {
  const block = await found({ faults: [{ kind: "lateVisibility", ms: 3_600_000 }] });
  expect(block.Shown).toMatch(/^not within 6[0-2]\d{3} ms/);
  expect(block.Guarantee).toContain("for more than a minute");
});

test("without a network, it says so, and where it looked", async () => {
  const { code, lines } = await doctor({ url: nobodyListens, apiKey: "mon_0123456789abcdef", accountId: "" });
  expect(code).toBe(1);
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^FAILED {2}service {2}.* could not be reached at http:\/\/127\.0\.0\.1:9 \(ECONNREFUSED\)/,
    ),
  );
  expect(lines).toContain(
    "--  not checked: key, account, status pages, open incidents, alert channels, clock",
  );
});
