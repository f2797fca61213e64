/** `monitoring doctor` where it waits: posts on services that treat ids and reads differently, and no network. */
import "../lifecycles/idleClock";
import type { FaultInput, Sandbox, SandboxOptions } from "../../sandbox";
import { nobodyListens, send, serve, until } from "../client/services";
import { created, incidentId, latestId, sandboxWith, updatesOf } from "../sandbox/sandboxes";
import { doctor } from "./running";

const found = async (options: SandboxOptions) => foundIn(await sandboxWith(options));

async function foundIn(sandbox: Sandbox) {
  const { code, stdout, stderr } = await doctor(sandbox, `--post-to ${incidentId} --yes`);
  const block = stdout.slice(stdout.indexOf("### monitoring doctor, pulumi-monitoring-service "));
  const lines = [...block.matchAll(/^- (.*?): (.*)$/gm)].map(
    ([, name = "", text = ""]) => [name, text] as const,
  );
  const { Service, Shown, Guarantee, ...others } = Object.fromEntries(lines);
  const posts = sandbox.requests.filter(({ method }) => method === "POST").length;
  return { code, sandbox, stdout, stderr, posts, block, Service, Shown, Guarantee, others };
}

const once = /^A declared update exists once, also with two machines/;
const limited = /^A declared update exists once, with the limitations of a service that ignores ids/;
const second = "Second post of the same id";
const used = { "Id of an update": "used", "Public date": "returned to the second", Text: "returned as sent" };

test.each([
  ["honoured", "used", "rejected (HTTP 409)", once, 1],
  ["honoured-idempotent", "used", "returned the first update (HTTP 200)", once, 1],
  ["ignored", "ignored", "created a second update (HTTP 201)", limited, 2],
  ["rejected", "rejected", "not sent", limited, 1],
] as const)("a service whose ids are %s", async (ids, use, again, guarantee, lines) => {
  const { code, sandbox, posts, ...block } = await found({ ids });
  expect({ code, posts }).toEqual({ code: 0, posts: 2 });
  expect(block.Service).toBe(sandbox.url);
  expect(block.others).toEqual({ ...used, "Id of an update": use, [second]: again });
  expect(block.Guarantee).toMatch(guarantee);
  expect(block.Shown).toMatch(/ms after the response to the post, at the first read$/);
  expect(updatesOf(sandbox)).toHaveLength(2 + lines);
});

const post = { operation: "createIncidentUpdate", skip: 1, times: 1 } as const;
const failsToApply = (code: number): FaultInput => ({ kind: "status", ...post, code });
const lag: FaultInput = { kind: "lateVisibility", ms: 3_000 };

describe("a second post that proves nothing is unknown, with what to do", () => {
  test.each([
    ["429, which isn't sent again", [{ kind: "rateLimit", ...post, retryAfter: 1 }], "HTTP 429"],
    ["a redirect", [{ kind: "redirect", ...post, location: "/login" }], "HTTP 302"],
    ["no response", [{ kind: "reset", ...post }], "no response"],
    ["success without the update", [{ kind: "empty", ...post, applied: false }], "HTTP 201"],
  ] as const)("%s", async (_, faults, response) => {
    const { code, posts, ...block } = await found({ ids: "honoured", faults: [...faults] });
    expect({ code, posts }).toEqual({ code: 1, posts: 2 });
    expect(block.others).toEqual({ ...used, [second]: `unknown (${response})` });
    expect(block.Guarantee).toMatch(limited);
    expect(block.Guarantee).toContain("Look at the public page in a few minutes");
  });

  test("a rejection after which the incident can't be read", async () => {
    const reads = { kind: "status", operation: "getStatusPageIncident", code: 500, skip: 3 } as const;
    const { code, Guarantee } = await found({ ids: "honoured", faults: [reads] });
    expect(code).toBe(1);
    expect(Guarantee).toMatch(limited);
  });
});

describe("a second line is found, whatever the response, as late as reads show it", () => {
  test.each([
    ["504", { kind: "status", ...post, code: 504, applied: true }, "HTTP 504"],
    ["no response", { kind: "reset", ...post, applied: true }, "no response"],
  ] as const)("%s", async (_, fault, response) => {
    for (const late of [lag, { ...lag, ms: 20_000 }, { ...lag, skip: 1 }]) {
      const { posts, ...block } = await found({ faults: [fault, late] });
      expect(posts).toBe(2);
      expect(block.others[second]).toBe(`created a second update (${response})`);
      expect(block.Guarantee).toMatch(limited);
    }
  });
});

test("one id is sent, of the form of a declared update, with a date and the status of the newest update", async () => {
  const sandbox = await sandboxWith({ ids: "honoured" });
  const [newest, oldest] = updatesOf(sandbox);
  sandbox.byHand.editUpdate(incidentId, newest?.id ?? "", { status: "IDENTIFIED" });
  // As a service that doesn't sort by creation: its last status is that of another update.
  sandbox.byHand.editUpdate(incidentId, oldest?.id ?? "", {
    status: "RESOLVED",
    created_at: new Date().toISOString(),
  });
  expect(sandbox.incident(incidentId).lastUpdateStatus).toBe("IDENTIFIED");
  const { stderr } = await foundIn(sandbox);
  expect(stderr).toContain("with RESOLVED, the status of its newest update");
  const [posted] = updatesOf(sandbox);
  expect(posted?.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-5/);
  expect(posted).toMatchObject({ notifySubscribers: false, status: "RESOLVED" });
  expect(posted?.description).toMatch(/\nTwo {2}spaces, "quotes", accents \(é, ü\), and an emoji: 🎉$/u);
  expect(Date.now() - Date.parse(posted?.publicIncidentUpdateDate ?? "")).toBeGreaterThan(60_000);
});

test("posts nothing where updates with different statuses are equally new", async () => {
  const sandbox = await sandboxWith();
  const [created_at, statuses] = ["2026-01-02T10:30:00.000Z", ["MONITORING", "RESOLVED"] as const];
  for (const [index, { id }] of updatesOf(sandbox).entries())
    sandbox.byHand.editUpdate(incidentId, id, { created_at, status: statuses[index] });
  const { code, posts, stdout } = await foundIn(sandbox);
  expect({ code, posts }).toEqual({ code: 1, posts: 0 });
  expect(stdout).toContain(
    `Nothing was posted, because the newest update of incident ${incidentId} may have the status "MONITORING" or "RESOLVED"`,
  );
});

test("a success with another id proves nothing while one update is shown", async () => {
  const { others } = await found({ faults: [{ kind: "lateVisibility", skip: 1, ms: 3_600_000 }] });
  expect(others[second]).toBe("unknown (HTTP 201)");
});

test("a history that has its newest update twice has it once", async () => {
  const { others, Guarantee } = await found({ ids: "honoured", faults: [{ kind: "repeatedUpdate" }] });
  expect(others).toEqual({ ...used, [second]: "rejected (HTTP 409)" });
  expect(Guarantee).toMatch(once);
});

type Line = Readonly<Record<string, unknown>>;
const twice = "created a second update";

test.each<[how: string, linesOf: (post: Line, turn: number) => Line[], status: number, result: string]>([
  ["an edited text", (post) => [{ ...post, description: "TEST" }], 201, twice],
  ["no text", (post) => [{ ...post, description: null }], 409, twice],
  [
    "another id and text",
    (post, turn) => [turn > 1 ? { ...post, id: "a", description: "" } : post],
    409,
    "unknown",
  ],
  ["another text", (post, turn) => [{ ...post, description: `${turn}` }], 409, "unknown"],
  ["another id, from one post", (post, turn) => (turn > 1 ? [] : [post, { ...post, id: "a" }]), 409, twice],
  [
    "another time, from one post",
    (post, turn) => (turn > 1 ? [] : [post, { ...post, created_at: "" }]),
    409,
    twice,
  ],
])("a second line with %s is not promised to be the first", async (_, linesOf, status, result) => {
  const history: Line[] = [{ id: "old", description: "", status: "MONITORING" }];
  let turn = 0;
  const service = await serve((response, { method, body }) => {
    const post = method === "POST" ? (JSON.parse(body) as Line) : undefined;
    if (post) history.unshift(...linesOf(post, ++turn));
    const incident = { entries: [], id: "inc", name: "Checkout", incidentUpdates: history };
    send(response, post ?? incident, post && turn > 1 ? status : 201);
  });
  const { stdout } = await doctor({ ...service, apiKey: "mon_key", accountId: "a" }, "--post-to inc --yes");
  expect(stdout).toContain(
    `${second}: ${result} (HTTP ${status})\n- Guarantee: A declared update exists once, with the limitations`,
  );
});

test("an update whose id is shown in capitals is the first one", async () => {
  const sandbox = await sandboxWith({ ids: "honoured", faults: [{ ...lag, times: 1 }] });
  const finding = foundIn(sandbox);
  await until(() => created(sandbox) === 1);
  sandbox.byHand.editUpdate(incidentId, latestId(sandbox), { id: latestId(sandbox).toUpperCase() });
  expect((await finding).Shown).toMatch(/ms after the response to the post/);
});

test("a service that rounds a public date", async () => {
  const sandbox = await sandboxWith({ ids: "honoured", faults: [{ ...lag, times: 1 }] });
  const finding = foundIn(sandbox);
  await until(() => created(sandbox) === 1);
  const publicIncidentUpdateDate = "2026-01-02T10:30:00.000Z";
  sandbox.byHand.editUpdate(incidentId, latestId(sandbox), { publicIncidentUpdateDate });
  const { code, others, Guarantee } = await finding;
  expect(code).toBe(0);
  const changed = /^changed: \S+:37\.000Z was sent, 2026-01-02T10:30:00\.000Z is returned$/;
  expect(others["Public date"]).toMatch(changed);
  expect(Guarantee).toMatch(once);
  expect(Guarantee).toContain("The service changes public dates: declare updates without");
});

test("the block names neither the key, nor the account, nor the incident", async () => {
  const { sandbox, block } = await found({ ids: "honoured" });
  for (const secret of [sandbox.apiKey, sandbox.accountId, incidentId]) expect(block).not.toContain(secret);
});

test("a service that rejects the second post of an id with 400 seems to reject ids", async () => {
  const status = { kind: "status", operation: "createIncidentUpdate", code: 400, skip: 1 } as const;
  const block = await found({ ids: "honoured", faults: [status] });
  expect(block.others).toEqual({ ...used, [second]: "rejected (HTTP 400)" });
  expect(block.Guarantee).toMatch(/HTTP 400 to a second post reads as a service that rejects ids/);
});

test.each([
  [400, "rejected", 2],
  [422, "rejected", 2],
  [415, undefined, 1],
])(
  "a first post that is rejected with %d is sent again without its id, if the id may be why",
  async (code, ids, sent) => {
    const { posts, others } = await found({ faults: [{ ...failsToApply(code), skip: 0 }] });
    expect([others["Id of an update"], posts]).toEqual([ids, sent]);
  },
);

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
  expect(block.others).toMatchObject({ "Public date": "unknown", [second]: "not sent" });
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
